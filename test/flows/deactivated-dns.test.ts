/** A deactivation says of each DNS record what became of it: kept is what is still ours, as the zone shows it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeOneIn, itOneIn } from '../kit/in-depth.ts'
import { describePeers } from '../peers/peers.ts'
import { type Client, clientOf } from './client.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import { faultWay, type FaultWay } from './fault-way.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'

const ZONE = 'stays.test'
const PUBLIC = '203.0.113.10'
const STRANGER = '198.51.100.66'

describeOneIn(2).each(DNS_SOFTWARE)('$title', ({ programs, start }) => {
  describePeers(programs, 'a deactivation', () => {
    let world: DnsWorld
    let way: FaultWay
    let at: TestHouse
    let call: Client
    beforeAll(async () => {
      world = await start([ZONE])
      way = await faultWay(world.tcp_port)
      const env = {
        ...world.through(way.port),
        PLUMBLINE_PUBLIC_IP: PUBLIC,
        PLUMBLINE_PUBLIC_IPV6: '2001:db8::10',
      }
      at = await openTestHouse({ env: { ...env, PLUMBLINE_MODE: 'observe' } })
      call = clientOf(at.house)
    })
    afterAll(async () => {
      await at[Symbol.asyncDispose]()
      await way.close()
      await world.stop()
    })

    const replace = async (name: string, type: 'A' | 'AAAA', value: string) => {
      await world.take(ZONE, { name, type })
      await world.put(ZONE, { name, type, ttl: 60, values: [value] })
      // Where the mark is a record of its own, whoever replaces all of it takes that away as well.
      const mark = { name: `_plumbline.${name}`, type: 'TXT' } as const
      const is_marked = (await world.dig(mark.name, mark.type)).length > 0
      if (is_marked) await world.take(ZONE, mark)
    }
    const deactivated = async (id: number) => {
      const { status, body } = await call('POST', `/api/domains/${id}/deactivate`)
      expect([status, body['unfinished']]).toEqual([200, []])
      return body['message'] as unknown as string
    }

    it('keeps what is ours', async () => {
      const id = await createActive(call, { domain: `well.${ZONE}` })
      const kept = `well.${ZONE} is inactive; its route is removed, its DNS records are kept.`
      expect(await deactivated(id)).toBe(kept)
      expect(await world.dig(`well.${ZONE}`, 'A')).toEqual([PUBLIC])
    })

    it('does not call kept what somebody has replaced, known before or not, once or again', async () => {
      const name = `taken.${ZONE}`
      const id = await createActive(call, { domain: name })
      await replace(name, 'A', STRANGER)
      await replace(name, 'AAAA', '2001:db8::66')
      expect((await call('POST', `/api/domains/${id}/deploy`)).status).toBe(409)
      const first = await deactivated(id)
      expect(first).toBe(
        `${name} is inactive; its route is removed; its DNS record A ${name} was replaced by somebody and is left alone; ` +
          `its DNS record AAAA ${name} was replaced by somebody and is left alone.`,
      )
      expect(await deactivated(id)).not.toContain('kept')
      expect(await world.dig(name, 'A')).toEqual([STRANGER])
    })

    it('nor what is not there any more, and keeps the rest', async () => {
      const name = `half.${ZONE}`
      const id = await createActive(call, { domain: name })
      await world.take(ZONE, { name, type: 'A' })
      expect(await deactivated(id)).toBe(
        `${name} is inactive; its route is removed, its DNS records are kept; its DNS record A ${name} is not there any more.`,
      )
    })

    itOneIn(2).each(['refused', 'hanging'] as const)(
      'nor what nobody could look at: it says that it is not known, where the server is %s',
      async (mood) => {
        const name = `${mood}.${ZONE}`
        const id = await createActive(call, { domain: name })
        await replace(name, 'A', STRANGER)
        await way.be(mood)
        const { status, body } = await call('POST', `/api/domains/${id}/deactivate`)
        await way.be('open')
        expect([status, body['unfinished']]).toEqual([200, []])
        const unknown = 'is left alone, and it is not known what stands there now'
        expect(body['message']).toBe(
          `${name} is inactive; its route is removed; its DNS record A ${name} ${unknown}; its DNS record AAAA ${name} ${unknown}.`,
        )
        const [warning, ...others] = body['warnings'] as unknown as string[]
        expect(others).toEqual([])
        expect(warning).toContain(
          `The zone ${ZONE} could not be looked at, so it is not known what stands now at A ${name}, AAAA ${name};`,
        )
        expect(await world.dig(name, 'A')).toEqual([STRANGER])
        await expect
          .poll(() => deactivated(id), { timeout: 60_000 })
          .toContain(`A ${name} was replaced by somebody and is left alone`)
      },
    )
  })
})
