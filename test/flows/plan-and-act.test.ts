/** A plan shows what its call does: no refusal less, no repair more, and nothing of others. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Plan } from '../../src/model/plan.ts'
import { describePeers } from '../peers/peers.ts'
import { type Client, clientOf } from './client.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import type { Liar } from './liar.ts'
import { lyingPowerDns } from './lying-powerdns.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const PUBLIC = '203.0.113.10'
const STRANGER = '198.51.100.66'
const ZONES = ['all.test', 'far.test', 'waits.test', 'lost.test', 'own.test', 'proxy.test', 'kept.test']
const software = DNS_SOFTWARE[0]!

type Refused = readonly { readonly domain: string; readonly code: string }[]

describePeers(software.programs, 'a plan beside what its call does', () => {
  let world: DnsWorld
  let way: Liar
  let at: TestHouse
  let call: Client
  beforeAll(async () => {
    world = await software.start(ZONES)
    way = await lyingPowerDns(world.tcp_port)
    // Nobody but a caller repairs, so that plan and call find the same.
    const env = { ...world.through(way.port), PLUMBLINE_PUBLIC_IP: PUBLIC, PLUMBLINE_MODE: 'observe' }
    at = await openTestHouse({ env })
    call = clientOf(at.house)
  })
  beforeEach(() => way.fail!([]))
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await way.close().catch(() => undefined)
    await world.stop()
  })

  const put = (zone: string, name: string) => {
    const records = [{ content: STRANGER, disabled: false }]
    const set = { name: `${name}.`, type: 'A', ttl: 60, changetype: 'REPLACE', records, comments: [] }
    return world.admin!.api('PATCH', `/zones/${zone}.`, { rrsets: [set] })
  }
  const lose = (zone: string, name: string) => world.take(zone, { name, type: 'A' })
  const edit = (id: number, body: object) => call('PUT', `/api/domains/${id}`, { body })
  const planOf = async (path: string) => {
    const { status, body } = await call('POST', `${path}?dry_run=true`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body['plan'] as unknown as Plan
  }
  const dnsOf = ({ actions }: Pick<Plan, 'actions'>) =>
    actions
      .filter(({ component }) => component === 'dns')
      .map(({ item, reason, of_neighbour }) => [item, reason, of_neighbour] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const codesOf = (refused: unknown) =>
    (refused as Refused).map(({ domain, code }) => `${domain} ${code}`).toSorted()
  /** Everything that stands differently in these zones, taken away again. */
  const healed = async (zone: string, ...names: readonly string[]) => {
    for (const name of names) await lose(zone, name)
    await call('POST', '/api/deploy-all')
  }

  itInDepth(
    'of everything, kept or dry, shows the refusals that the deploy answers, in whichever zone',
    async () => {
      const edited = await createActive(call, { domain: 'edited.all.test' })
      const taken = await createActive(call, { domain: 'taken.far.test' })
      await createActive(call, { domain: 'taken.all.test' })
      await put('far.test', 'taken.far.test')
      await put('all.test', 'taken.all.test')
      await put('far.test', 'stranger.far.test')
      const moved = await createActive(call, { domain: 'moves.far.test' })
      for (const pending of [false, true]) {
        if (pending) await edit(edited, { dns_ttl: 120 })
        if (pending) await edit(taken, { dns_ttl: 130 })
        if (pending) await edit(moved, { domain: 'stranger.far.test' })
        const dry = await planOf('/api/deploy-all')
        const kept = await call('POST', '/api/plans', { body: {} })
        const { id, plan } = kept.body as unknown as { readonly id: string; readonly plan: Plan }
        const done = pending
          ? await call('POST', `/api/plans/${id}/apply`, { body: {} })
          : await call('POST', '/api/deploy-all')
        expect([done.status, done.body['success']], JSON.stringify(done.body)).toEqual([200, false])
        const answered = codesOf(done.body['refused'])
        const held = pending ? ['stranger.far.test foreign_owner'] : []
        expect(answered).toEqual([...held, 'taken.all.test foreign_owner', 'taken.far.test foreign_owner'])
        expect(codesOf(dry.refused)).toEqual(answered)
        expect(codesOf(plan.refused)).toEqual(answered)
        // What can be done of it is.
        expect(dry.applyable).toBe(true)
        expect(dnsOf(plan)).toEqual(pending ? [['A edited.all.test', 'release', false]] : [])
      }
      await edit(moved, { domain: 'moves.far.test' })
      await healed('far.test', 'taken.far.test', 'stranger.far.test')
      await healed('all.test', 'taken.all.test')
    },
  )

  itInDepth('of one record does not list what waits for a time of its own', async () => {
    const near = await createActive(call, { domain: 'near.waits.test' })
    const failing = await create(call, { domain: 'failing.waits.test' })
    way.fail!(['failing.waits.test'])
    expect((await call('POST', `/api/domains/${failing}/activate`)).status).toBe(503)
    await edit(near, { dns_ttl: 61 })
    const tries = way.tries!('failing.waits.test')
    const plan = await planOf(`/api/domains/${near}/deploy`)
    expect(dnsOf(plan)).toEqual([['A near.waits.test', 'release', false]])
    expect(JSON.stringify(plan)).not.toContain('failing')
    expect((await call('POST', `/api/domains/${near}/deploy`)).status).toBe(200)
    expect(way.tries!('failing.waits.test')).toBe(tries)
    // A deploy of everything does try it, and its plan says so.
    expect(dnsOf(await planOf('/api/deploy-all'))).toEqual([['A failing.waits.test', 'repair', false]])
    way.fail!([])
    await call('POST', '/api/deploy-all')
    expect(await world.dig('failing.waits.test', 'A')).toEqual([PUBLIC])
  })

  itInDepth(
    'of one record lists what is repaired along with it as a neighbour’s, and nothing of other zones',
    async () => {
      const near = await createActive(call, { domain: 'near.lost.test' })
      await createActive(call, { domain: 'gone.lost.test' })
      await createActive(call, { domain: 'gone.far.test' })
      await lose('lost.test', 'gone.lost.test')
      await lose('far.test', 'gone.far.test')
      await edit(near, { dns_ttl: 61 })
      const plan = await planOf(`/api/domains/${near}/deploy`)
      expect(dnsOf(plan)).toEqual([
        ['A gone.lost.test', 'repair', true],
        ['A near.lost.test', 'release', false],
      ])
      expect(plan.inputs.map(({ key }) => key)).not.toContain('dns:far.test')
      expect((await call('POST', `/api/domains/${near}/deploy`)).status).toBe(200)
      expect(await world.dig('gone.lost.test', 'A')).toEqual([PUBLIC])
      expect(await world.dig('gone.far.test', 'A')).toEqual([])
      await call('POST', '/api/deploy-all')
      expect(await world.dig('gone.far.test', 'A')).toEqual([PUBLIC])
    },
  )

  itInDepth('of a record that is refused tells of that one, and does nothing', async () => {
    await createActive(call, { domain: 'other.own.test' })
    await put('own.test', 'other.own.test')
    await put('own.test', 'mine.own.test')
    const draft = await create(call, { domain: 'mine.own.test' })
    const exposed = { domain: 'mine2.own.test', backend_host: '127.0.0.1', backend_port: 1 }
    await put('own.test', 'mine2.own.test')
    const dry = await call('POST', '/api/domains/expose?dry_run=true', { body: exposed })
    for (const plan of [
      await planOf(`/api/domains/${draft}/activate`),
      dry.body['plan'] as unknown as Plan,
    ]) {
      expect(plan.applyable).toBe(false)
      expect(plan.refused).toHaveLength(1)
      expect(plan.actions).toEqual([])
      expect(JSON.stringify(plan)).toContain('mine')
      expect(JSON.stringify(plan)).not.toContain('other.own.test')
    }
    expect((await call('POST', `/api/domains/${draft}/activate`)).status).toBe(409)
    await healed('own.test', 'other.own.test', 'mine.own.test', 'mine2.own.test')
  })

  it('of the proxy’s configuration shows no zone, which it leaves alone', async () => {
    await createActive(call, { domain: 'gone.proxy.test' })
    await lose('proxy.test', 'gone.proxy.test')
    const plan = await planOf('/api/deploy-proxy')
    expect([plan.actions, plan.refused]).toEqual([[], []])
    expect((await call('POST', '/api/deploy-proxy')).status).toBe(200)
    expect(await world.dig('gone.proxy.test', 'A')).toEqual([])
    await call('POST', '/api/deploy-all')
  })
})
