/** What is wrong with one name of a zone is told of that one alone, and of nobody who has nothing to do with it. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ExplainedDomain } from '../../src/features/explain/explained.ts'
import { describePeers } from '../peers/peers.ts'
import { type Client, clientOf } from './client.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import type { Liar } from './liar.ts'
import { lyingPowerDns } from './lying-powerdns.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const PUBLIC = '203.0.113.10'
const STRANGER = '198.51.100.66'
const software = DNS_SOFTWARE[0]!
const ZONES = [
  'waits.test',
  'drafts.test',
  'taken.test',
  'moves.test',
  'refused.test',
  'steps.test',
  'kept.test',
  'saves.test',
]

describePeers(software.programs, 'one name of a zone', () => {
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
  beforeEach(() => way.fail!([]))
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await way.close().catch(() => undefined)
    await world.stop()
  })

  const activate = (id: number) => call('POST', `/api/domains/${id}/activate`)
  const deploy = (id: number) => call('POST', `/api/domains/${id}/deploy`)
  const edit = (id: number, body: object) => call('PUT', `/api/domains/${id}`, { body })
  /** In the place of whatever is there, and of its mark. */
  const put = (zone: string, name: string) => {
    const records = [{ content: STRANGER, disabled: false }]
    const set = { name: `${name}.`, type: 'A', ttl: 60, changetype: 'REPLACE', records, comments: [] }
    return world.admin!.api('PATCH', `/zones/${zone}.`, { rrsets: [set] })
  }
  const explained = async (id: number) => {
    const { body } = await call('GET', `/api/domains/${id}/explain`)
    const { summary, components } = body as unknown as ExplainedDomain
    return { summary, ...components.find(({ component }) => component === 'dns')! }
  }

  interface Release {
    readonly number: number
    readonly reason: string
    readonly results: Readonly<Record<string, string>>
  }
  /** The newest two. */
  async function releases(): Promise<readonly Release[]> {
    const heads = (await call('GET', '/api/releases?limit=2')).body as unknown as readonly Release[]
    const whole = heads.slice(0, 2).map(({ number }) => call('GET', `/api/releases/${number}`))
    return (await Promise.all(whole)).map(({ body }) => body as unknown as Release)
  }
  const newestResults = async () => (await releases())[0]!.results

  interface Result {
    readonly component: string
  }
  const dnsOf = ({ body }: { readonly body: Readonly<Record<string, unknown>> }) =>
    (body['components'] as readonly Result[]).find(({ component }) => component === 'dns')

  /** A neighbour at which the name server fails, and one that somebody replaced. */
  async function badNeighbours(zone: string): Promise<{ readonly failing: number; readonly lost: number }> {
    const lost = await createActive(call, { domain: `lost.${zone}` })
    await put(zone, `lost.${zone}`)
    const failing = await create(call, { domain: `failing.${zone}` })
    way.fail!([`failing.${zone}`])
    expect((await activate(failing)).status).toBe(503)
    return { failing, lost }
  }

  itInDepth(
    'at which the server fails waits for its own time, whoever deploys beside it, and says so',
    async () => {
      const zone = 'waits.test'
      const near = await createActive(call, { domain: `near.${zone}` })
      const { failing } = await badNeighbours(zone)
      const told = await explained(failing)
      expect(told.engine).toMatchObject({ will: 'try_again', failures: 1 })
      expect(told.engine.because).toContain(`A failing.${zone}: powerdns:`)
      expect(told.cause).toBe('rejected')
      const [difference] = told.differences
      expect(difference).toMatchObject({
        cause: 'rejected',
        detail: expect.stringMatching(
          /^deployed and not in place: nothing is to become .* The provider did not accept it: A failing/,
        ) as string,
      })
      expect(told.summary).toContain('Plumbline tries again when its backoff ends')
      const tries = way.tries!(`failing.${zone}`)
      for (let dns_ttl = 61; dns_ttl <= 80; dns_ttl++) {
        await edit(near, { dns_ttl })
        expect((await deploy(near)).status).toBe(200)
      }
      // Its own time may have come meanwhile, in one request with its neighbour at first and then alone. A try before that
      // time is no further failure, and stays uncounted.
      const patience = { timeout: 30_000, interval: 200 }
      const uncounted = async () =>
        way.tries!(`failing.${zone}`) - tries - ((await explained(failing)).engine.failures - 1)
      await expect.poll(uncounted, patience).toBe(0)
      way.fail!([])
      await expect.poll(() => world.dig(`failing.${zone}`, 'A'), patience).toEqual([PUBLIC])
    },
  )

  it('is a draft that stands at a stranger: nothing of it is there, whatever its neighbours are', async () => {
    const zone = 'drafts.test'
    await put(zone, `alien.${zone}`)
    const draft = await create(call, { domain: `alien.${zone}` })
    await badNeighbours(zone)
    const told = await explained(draft)
    expect(told).toMatchObject({ agrees: true, cause: null, differences: [], applied: true })
    expect(told.engine).toMatchObject({ will: 'leave_alone', failures: 0 })
    expect(told.condition).toMatchObject({ status: 'true', reason: 'not_rendered' })
    expect(told.summary).toBe(`alien.${zone} is inactive, and nothing of it is there.`)
    expect((await activate(draft)).status).toBe(409)
    expect(await explained(draft)).toMatchObject({ cause: null, engine: { will: 'leave_alone' } })
  })

  itInDepth('is explained by its own trouble, and by none where it has none', async () => {
    const zone = 'taken.test'
    const well = await createActive(call, { domain: `well.${zone}` })
    const moving = await createActive(call, { domain: `moving.${zone}`, ddns_enabled: true })
    const { body: token } = await call('POST', '/api/ddns/tokens', { body: { host: `moving.${zone}` } })
    await call('GET', `/api/ddns/update/moving.${zone}?ip=8.8.4.4&key=${String(token['key'])}`)
    const served = () => world.dig(`moving.${zone}`, 'A')
    await expect.poll(served, { timeout: 60_000, interval: 100 }).toEqual(['8.8.4.4'])
    const { lost } = await badNeighbours(zone)
    const other = await createActive(call, { domain: `other.${zone}` })
    await put(zone, `other.${zone}`)
    for (const [id, name] of [
      [other, 'other'],
      [lost, 'lost'],
    ] as const) {
      const told = await explained(id)
      expect(told).toMatchObject({ agrees: false, cause: 'foreign_owner', engine: { will: 'refuse' } })
      expect(told.engine.because).toContain(`A ${name}.${zone} was replaced by somebody`)
      expect(told.condition.status).toBe('false')
      expect(told.condition.message).not.toContain('failing')
    }
    const told = await explained(well)
    expect(told).toMatchObject({ agrees: true, cause: null, applied: true })
    expect(await explained(moving)).toMatchObject({ agrees: true, cause: null, applied: true })
    expect(told.engine).toMatchObject({ will: 'leave_alone', because: 'The world is what was released.' })
    expect(told.summary).toBe(`well.${zone} is what was released, everywhere.`)
  })

  it('is that of an inactive record: what is kept for it is said to be there, and what a stranger has is not', async () => {
    const zone = 'kept.test'
    const id = await createActive(call, { domain: `idle.${zone}` })
    await call('POST', `/api/domains/${id}/deactivate`)
    const told = await explained(id)
    expect(told.summary).toBe(`idle.${zone} is inactive; kept for it: A idle.${zone} (${PUBLIC} ttl 300).`)
    expect(told.kept).toEqual([`A idle.${zone} (${PUBLIC} ttl 300)`])
    expect(told.condition).toMatchObject({ status: 'true', reason: 'not_rendered' })
    expect(told.condition.message).toBe(
      `Nothing is asked for of a record that is inactive; kept for it: A idle.${zone} (${PUBLIC} ttl 300).`,
    )
    await badNeighbours(zone)
    expect(await explained(id)).toMatchObject({ summary: told.summary, kept: told.kept, cause: null })
    await put(zone, `idle.${zone}`)
    const { summary, kept } = await explained(id)
    expect([summary, kept]).toEqual([`idle.${zone} is inactive, and nothing of it is there.`, []])
  })

  itInDepth(
    'is the saved name of a live record: what is deployed is as it was, and nothing of it drifts',
    async () => {
      const zone = 'saves.test'
      await put(zone, `alien.${zone}`)
      const id = await createActive(call, { domain: `mine.${zone}` })
      await edit(id, { domain: `alien.${zone}` })
      await badNeighbours(zone)
      for (const refuse of [false, true]) {
        if (refuse) expect((await deploy(id)).status).toBe(409)
        const told = await explained(id)
        expect(told.summary).toContain(`A alien.${zone} (${STRANGER} ttl 60) was not made by Plumbline`)
        expect(told).toMatchObject({ cause: 'foreign_owner', engine: { will: 'leave_alone' } })
        expect(told.condition).toMatchObject({ status: 'true', reason: 'pending_deploy' })
      }
    },
  )

  itInDepth('that moves counts its own two sets, whatever its neighbours are', async () => {
    const zone = 'moves.test'
    const id = await createActive(call, { domain: `one.${zone}` })
    await badNeighbours(zone)
    await edit(id, { domain: `two.${zone}` })
    const rehearsed = await call('POST', `/api/domains/${id}/deploy?dry_run=true`)
    const { details, warnings } = rehearsed.body['plan'] as unknown as {
      details: object[]
      warnings: string[]
    }
    expect(JSON.stringify(details)).toContain(`A two.${zone}`)
    expect(JSON.stringify([details, warnings])).not.toContain(`lost.${zone}`)
    const moved = await deploy(id)
    expect(moved.status).toBe(200)
    expect(dnsOf(moved)).toMatchObject({ outcome: 'repaired', differences: 2, repaired: 2, message: null })
    expect(await world.dig(`two.${zone}`, 'A')).toEqual([PUBLIC])
    expect(await world.dig(`one.${zone}`, 'A')).toEqual([])
    expect(await newestResults()).toMatchObject({ [`dns:${zone}`]: 'repaired' })
    expect(dnsOf(await deploy(id))).toMatchObject({ outcome: 'clean', differences: 0, repaired: 0 })
    await edit(id, { dns_ttl: 77 })
    expect((await deploy(id)).status).toBe(200)
    expect(await newestResults()).toMatchObject({ [`dns:${zone}`]: 'repaired' })
  })

  itInDepth('that is refused its new name did nothing, and its way back repairs nothing', async () => {
    const zone = 'refused.test'
    const id = await createActive(call, { domain: `old.${zone}` })
    await edit(id, { domain: `new.${zone}` })
    way.fail!([`new.${zone}`])
    const refused = await deploy(id)
    expect([refused.status, refused.body['detail']]).toEqual([
      503,
      expect.stringContaining(`old.${zone} stays as it is.`),
    ])
    expect(dnsOf(refused)).toMatchObject({ differences: 0, repaired: 0 })
    const [newest, before] = await releases()
    expect(newest).toMatchObject({ reason: expect.stringContaining('back to the names before') as string })
    expect(newest!.results).toMatchObject({ [`dns:${zone}`]: 'clean' })
    expect(before!.results).toMatchObject({ [`dns:${zone}`]: 'failed' })
  })
})
