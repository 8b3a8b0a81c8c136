/** `deploy-all` is about every active domain: it looks at every zone, whatever is pending and wherever. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import { type Answered, type Client, clientOf } from './client.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'

const [HERE, THERE] = ['here.test', 'there.test'] as const
const PUBLIC = '203.0.113.10'
const software = DNS_SOFTWARE[0]!

describePeers(software.programs, 'a deploy of everything', () => {
  let world: DnsWorld
  let at: TestHouse
  let call: Client
  let id: number
  let ttl = 120
  beforeAll(async () => {
    world = await software.start([HERE, THERE])
    const env = { ...world.env, PLUMBLINE_PUBLIC_IP: PUBLIC, PLUMBLINE_MODE: 'observe' }
    at = await openTestHouse({ env })
    call = clientOf(at.house)
    id = await createActive(call, { domain: `edited.${HERE}` })
    for (const label of ['lost', 'bad1', 'bad2']) await createActive(call, { domain: `${label}.${THERE}` })
  })
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await world.stop()
  })
  const edit = (dns_ttl: number) => call('PUT', `/api/domains/${id}`, { body: { dns_ttl } })

  /** Both zones are changed at once, and the server may turn one of the two away: then all of it is done once more. */
  async function deployed(lose: () => Promise<void>, isDone: (body: Answered['body']) => boolean) {
    const once = async () => {
      await lose()
      await edit(++ttl)
      const { body } = await call('POST', '/api/deploy-all')
      return isDone(body) ? body : Promise.reject(new Error(JSON.stringify(body)))
    }
    return vi.waitFor(once, { timeout: 60_000, interval: 500 })
  }

  it('puts back what is lost in a zone to which nothing is pending', async () => {
    const lose = () => world.take(THERE, { name: `lost.${THERE}`, type: 'A' })
    await deployed(lose, ({ success }) => Boolean(success))
    expect(await world.dig(`lost.${THERE}`, 'A')).toEqual([PUBLIC])
  })

  it('tells what is refused there, and its headline counts each that was', async () => {
    for (const label of ['bad1', 'bad2']) {
      await world.take(THERE, { name: `${label}.${THERE}`, type: 'A' })
      await world.admin!.failAt(`${label}.${THERE}`)
    }
    const body = await deployed(
      async () => undefined,
      ({ message }) => String(message).endsWith('; 1 changed. 2 were refused.'),
    )
    expect(body).toMatchObject({ success: false })
    const refused = body['refused'] as unknown as readonly { readonly domain: string }[]
    expect(refused.map(({ domain }) => domain).sort()).toEqual([`bad1.${THERE}`, `bad2.${THERE}`])
  })

  it('a record without a DNS record of ours is not said to keep any', async () => {
    const elsewhere = await createActive(call, { domain: 'in.no.zone.example' })
    const { body } = await call('POST', `/api/domains/${elsewhere}/deactivate`)
    expect(body['message']).toBe('in.no.zone.example is inactive; its route is removed.')
    const kept = await call('POST', `/api/domains/${id}/deactivate`)
    expect(kept.body['message']).toBe(
      `edited.${HERE} is inactive; its route is removed, its DNS records are kept.`,
    )
  })
})
