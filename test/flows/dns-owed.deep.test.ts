/** What a retry writes is what was promised: in observe nobody's edit of a neighbour is undone along with it. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ExplainedDomain } from '../../src/features/explain/explained.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { describePeers } from '../peers/peers.ts'
import { type Client, clientOf } from './client.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import type { Liar } from './liar.ts'
import { lyingPowerDns } from './lying-powerdns.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'

const PUBLIC = '203.0.113.10'
const STRANGER = '198.51.100.66'
const software = DNS_SOFTWARE[0]!
const ZONES = ['owed.test', 'again.test']
const PATIENCE = { timeout: 60_000, interval: 200 }

describePeers(software.programs, 'a zone in which one name waits', () => {
  let world: DnsWorld
  let way: Liar
  let at: TestHouse
  let call: Client
  beforeAll(async () => {
    world = await software.start(ZONES)
    way = await lyingPowerDns(world.tcp_port)
    at = await openTestHouse({ env: { ...world.through(way.port), PLUMBLINE_PUBLIC_IP: PUBLIC } })
    call = clientOf(at.house)
  })
  beforeEach(async () => {
    way.fail!([])
    await call('PUT', '/api/modes/dns', { body: { mode: 'repair', reason: 'the usual' } })
  })
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await way.close().catch(() => undefined)
    await world.stop()
  })

  const observe = () => call('PUT', '/api/modes/dns', { body: { mode: 'observe', reason: 'to look' } })
  const take = (zone: string, name: string) => world.take(zone, { name, type: 'A' })
  const address = (name: string) => world.dig(name, 'A')
  /** Past the mark, which stays. */
  const edit = (name: string) => world.slipIn!(name, STRANGER)
  const explained = async (id: number) => {
    const { body } = await call('GET', `/api/domains/${id}/explain`)
    return body as unknown as ExplainedDomain
  }
  /** Its promise is kept when the server lets it. */
  async function waiting(name: string): Promise<number> {
    const id = await create(call, { domain: name })
    way.fail!([name])
    expect((await call('POST', `/api/domains/${id}/activate`)).status).toBe(503)
    return id
  }

  it('in observe has it tried again alone: what a stranger did to its neighbours stays, and is told', async () => {
    const zone = 'owed.test'
    const [lost, edited] = [
      await createActive(call, { domain: `lost.${zone}` }),
      await createActive(call, { domain: `edited.${zone}` }),
    ]
    await observe()
    await waiting(`waits.${zone}`)
    // Deployed while another waited, and so of a release that was never in the world as a whole.
    const late = await createActive(call, { domain: `late.${zone}` })
    await take(zone, `lost.${zone}`)
    await take(zone, `late.${zone}`)
    await edit(`edited.${zone}`)
    const tries = way.tries!(`waits.${zone}`)
    await expect.poll(() => way.tries!(`waits.${zone}`), PATIENCE).toBeGreaterThan(tries)
    const left = [[], [], [STRANGER]]
    const there = () =>
      Promise.all([`lost.${zone}`, `late.${zone}`, `edited.${zone}`].map((name) => address(name)))
    expect(await there()).toEqual(left)
    way.fail!([])
    await expect.poll(() => address(`waits.${zone}`), PATIENCE).toEqual([PUBLIC])
    expect(await there()).toEqual(left)
    for (const id of [lost, late, edited])
      expect((await explained(id)).components.find(({ component }) => component === 'dns')).toMatchObject({
        agrees: false,
        engine: { will: 'only_report' },
      })
    const [report] = at.house.engine.lastReports().filter(({ key }) => key === `dns:${zone}`)
    expect(report).toMatchObject({ outcome: 'left_drifting' })
    await call('PUT', '/api/modes/dns', { body: { mode: 'repair', reason: 'seen' } })
    await expect.poll(there, PATIENCE).toEqual([[PUBLIC], [PUBLIC], [PUBLIC]])
    expect((await explained(edited)).undone).toMatchObject({ component: 'dns' })
  })

  itInDepth('keeps that over a restart', async () => {
    const zone = 'again.test'
    await createActive(call, { domain: `lost.${zone}` })
    await observe()
    await waiting(`waits.${zone}`)
    await take(zone, `lost.${zone}`)
    at = await at.reopen()
    call = clientOf(at.house)
    way.fail!([])
    await expect.poll(() => address(`waits.${zone}`), PATIENCE).toEqual([PUBLIC])
    expect(await address(`lost.${zone}`)).toEqual([])
  })
})
