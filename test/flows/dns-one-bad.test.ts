/** One name that the name server cannot digest, and a whole zone beside it: each call speaks of its own, and each is done. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import { type Client, clientOf } from './client.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import type { Liar } from './liar.ts'
import { lyingPowerDns } from './lying-powerdns.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const ZONE = 'onebad.test'
const PUBLIC = '203.0.113.10'
const STRANGER = '198.51.100.66'
const software = DNS_SOFTWARE[0]!

/** Of a call that writes one record. On a busy machine the pass that tries the bad names again may have written it just before. */
const OWN_FIGURES = [
  { outcome: 'repaired', differences: 1, repaired: 1 },
  { outcome: 'clean', differences: 0, repaired: 0 },
]

describePeers(software.programs, 'a name at which the name server fails', () => {
  let world: DnsWorld
  let way: Liar
  let at: TestHouse
  /** After none of these calls there is nothing to do: the bad names are never done. */
  let call: Client
  beforeAll(async () => {
    world = await software.start([ZONE])
    for (const label of ['deny1', 'deny2']) await world.admin!.failAt(`${label}.${ZONE}`)
    way = await lyingPowerDns(world.tcp_port)
    at = await openTestHouse({ env: { ...world.through(way.port), PLUMBLINE_PUBLIC_IP: PUBLIC } })
    call = clientOf(at.house)
    await createActive(call, { domain: `first.${ZONE}` })
  })
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await way.close().catch(() => undefined)
    await world.stop()
  })

  const read = async (id: number) => (await call('GET', `/api/domains/${id}`)).body
  const hold = (name: string) => world.put(ZONE, { name, type: 'A', ttl: 300, values: [STRANGER] })
  const dnsOf = (body: Readonly<Record<string, unknown>>) =>
    (body['components'] as readonly Readonly<Record<string, unknown>>[]).find(
      ({ component }) => component === 'dns',
    )
  const figuresOf = (body: Readonly<Record<string, unknown>>) => {
    const { outcome, differences, repaired } = dnsOf(body)!
    return { outcome, differences, repaired }
  }
  const activate = (id: number) => call('POST', `/api/domains/${id}/activate`)

  it('is refused for itself', async () => {
    for (const label of ['deny1', 'deny2']) {
      const id = await create(call, { domain: `${label}.${ZONE}` })
      const refused = await activate(id)
      expect([refused.status, refused.body['detail']]).toEqual([
        503,
        expect.stringContaining(`A ${label}.${ZONE}: powerdns: could not change 1 set of `),
      ])
      expect(await read(id)).toMatchObject({ status: 'error' })
    }
  })

  it('keeps nobody else of its zone from being deployed, adopted, edited or brought back', async () => {
    const id = await create(call, { domain: `good.${ZONE}` })
    const done = await activate(id)
    expect([done.status, done.body['success'], done.body['refused'], done.body['warnings']]).toEqual([
      200,
      true,
      [],
      [],
    ])
    expect(OWN_FIGURES).toContainEqual(figuresOf(done.body))
    expect(dnsOf(done.body)).toMatchObject({ message: null })
    expect(await world.dig(`good.${ZONE}`, 'A')).toEqual([PUBLIC])

    await hold(`taken.${ZONE}`)
    const taken = await create(call, { domain: `taken.${ZONE}` })
    const adopted = await call('POST', '/api/dns/records/adopt', {
      body: { name: `taken.${ZONE}`, type: 'A' },
    })
    expect(adopted.status).toBe(200)
    expect((await activate(taken)).status).toBe(200)
    expect(await world.dig(`taken.${ZONE}`, 'A')).toEqual([PUBLIC])

    await world.take(ZONE, { name: `good.${ZONE}`, type: 'A' })
    const again = await call('POST', `/api/domains/${taken}/deploy`)
    expect(dnsOf(again.body)).toMatchObject({ outcome: 'clean', differences: 0, repaired: 0 })
    expect(await world.dig(`good.${ZONE}`, 'A')).toEqual([PUBLIC])
  })

  it('is not what a domain is explained by whose record somebody else has replaced', async () => {
    const id = await createActive(call, { domain: `mine.${ZONE}` })
    await world.take(ZONE, { name: `mine.${ZONE}`, type: 'A' })
    await hold(`mine.${ZONE}`)
    const { body } = await call('GET', `/api/domains/${id}/explain`)
    expect(body['components']).toContainEqual(
      expect.objectContaining({ component: 'dns', agrees: false, cause: 'foreign_owner' }),
    )
    expect(body['summary']).toMatch(/dns is held by somebody else, and is left alone\. .*Adopt it/)
    expect(body['summary']).not.toContain('the engine')

    // Beside a foreign name, too, a call tells its own figures.
    const next = await create(call, { domain: `next.${ZONE}` })
    expect(OWN_FIGURES).toContainEqual(figuresOf((await activate(next)).body))
    expect(await world.dig(`next.${ZONE}`, 'A')).toEqual([PUBLIC])
    const deployed = await call('POST', `/api/domains/${next}/deploy`)
    expect(dnsOf(deployed.body)).toMatchObject({ outcome: 'clean', differences: 0, repaired: 0 })
  })

  itInDepth('and a name server that is away is named only by who asks something of it', async () => {
    const ids = [
      await createActive(call, { domain: `off.${ZONE}` }),
      await createActive(call, { domain: `gone.${ZONE}` }),
      await create(call, { domain: `never.${ZONE}` }),
    ] as const
    await way.close()
    const off = await call('POST', `/api/domains/${ids[0]}/deactivate`)
    expect([off.status, off.body['message'], off.body['unfinished'], off.body['warnings']]).toEqual([
      200,
      `off.${ZONE} is inactive; its route is removed; its DNS record A off.${ZONE} is left alone, and it is not known what stands there now.`,
      [],
      [expect.stringMatching(`^The zone ${ZONE} could not be looked at, so .* at A off\\.${ZONE};`)],
    ])
    const never = await call('POST', `/api/domains/${ids[2]}/disable`)
    expect([never.status, never.body['unfinished']]).toEqual([200, []])
    const gone = await call('POST', `/api/domains/${ids[1]}/disable`)
    expect([gone.status, gone.body['message'], gone.body['unfinished']]).toEqual([
      200,
      `gone.${ZONE} is disabled for good; its route is removed; not done yet: dns:${ZONE}.`,
      [expect.objectContaining({ component: 'dns', key: `dns:${ZONE}` })],
    ])
  })
})
