/** A write of ours that the provider did not accept, or accepted and did not do: one cause, the same on every page. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ExplainedDomain } from '../../src/features/explain/explained.ts'
import { describeOneIn, itInDepth, itOneIn } from '../kit/in-depth.ts'
import { describePeers } from '../peers/peers.ts'
import { type Client, clientOf } from './client.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import type { Liar } from './liar.ts'
import { lyingPowerDns } from './lying-powerdns.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { probedPart } from './probed-part.ts'

const PUBLIC = '203.0.113.10'
const STRANGER = '198.51.100.66'
const software = DNS_SOFTWARE[0]!
/** What is asked for, and in a zone of its own each, so that the cause of the zone is its own. */
const WRITES = ['creation', 'change', 'removal'] as const
const ANSWERS = [
  { title: 'answers with 500', slug: 'failed', status: 500, cause: 'rejected' },
  { title: 'answers with 422', slug: 'unfit', status: 422, cause: 'rejected' },
  { title: 'answers with 204 and does not do', slug: 'promised', status: null, cause: 'not_loaded' },
] as const
const OWN = [
  'moves.test',
  'edits.test',
  'edits-later.test',
  'hands.test',
  'takes.test',
  'gone.test',
  'idle.test',
  'then.test',
  'tried.test',
]
const ZONES = [...ANSWERS.flatMap(({ slug }) => WRITES.map((write) => `${slug}-${write}.test`)), ...OWN]

interface Difference {
  readonly item: string
  readonly cause: string
  readonly detail: string
}

describePeers(software.programs, 'a write of ours', () => {
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
  beforeEach(() => {
    way.fail!([])
    way.promise([])
  })
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await way.close().catch(() => undefined)
    await world.stop()
  })

  const deploy = (id: number) => call('POST', `/api/domains/${id}/deploy`)
  const edit = (id: number, body: object) => call('PUT', `/api/domains/${id}`, { body })
  const explained = async (id: number) => {
    const { body } = await call('GET', `/api/domains/${id}/explain`)
    const { summary, components } = body as unknown as ExplainedDomain
    return { summary, ...components.find(({ component }) => component === 'dns')! }
  }

  /** What every page says of a name. */
  async function pages(id: number, name: string) {
    const zone = name.slice(name.indexOf('.') + 1)
    const ofName = (differences: readonly Difference[]) =>
      differences.filter(({ item }) => item === `A ${name}`)
    const explain = await explained(id)
    const records = (await call('GET', `/api/dns/records?zone=${zone}`)).body as unknown as {
      readonly records: readonly { readonly name: string; readonly cause: string | null }[]
      readonly differences: readonly Difference[]
    }
    const drift = (await call('GET', '/api/drift')).body as unknown as {
      readonly components: readonly { readonly differences: readonly Difference[] }[]
    }
    const part = await probedPart(call, `dns:${zone}`)
    const differences = [
      ...ofName(explain.differences),
      ...ofName(records.differences),
      ...drift.components.flatMap((one) => ofName(one.differences)),
    ]
    return {
      explain,
      details: [...new Set(differences.map(({ detail }) => detail))],
      causes: {
        component: explain.cause,
        differences: [...new Set(differences.map(({ cause }) => cause))],
        record: records.records.filter((one) => one.name === name).map(({ cause }) => cause),
        health: part?.cause,
      },
    }
  }

  /** What the record has before, and the call that asks for the write. */
  const asks = {
    async creation(name: string) {
      const id = await create(call, { domain: name })
      return { id, ask: () => call('POST', `/api/domains/${id}/activate`) }
    },
    async change(name: string) {
      const id = await createActive(call, { domain: name })
      await edit(id, { dns_ttl: 88 })
      return { id, ask: () => deploy(id) }
    },
    async removal(name: string) {
      const id = await createActive(call, { domain: name })
      return { id, ask: () => call('POST', `/api/domains/${id}/disable`) }
    },
  } as const

  describeOneIn(2).each(ANSWERS)('that the provider $title', ({ slug, status, cause }) => {
    itOneIn(3).each(WRITES)('is told as one cause everywhere: a %s', async (write) => {
      const name = `app.${slug}-${write}.test`
      const { id, ask } = await asks[write](name)
      if (status === null) way.promise([name])
      else way.fail!([name], status)
      await ask()
      const told = await pages(id, name)
      expect(told.causes).toEqual({
        component: cause,
        differences: [cause],
        record: told.causes.record.map(() => cause),
        health: cause,
      })
      expect(told.details).toHaveLength(1)
      expect(told.details[0]).not.toContain('changed by somebody')
      expect(told.explain.summary).not.toMatch(/by hand|has lost it/)
      if (status !== null) {
        expect(told.details[0]).toContain('The provider did not accept it: ')
        expect(told.details[0]).toContain('Internal Server Error')
      }
      way.fail!([])
      way.promise([])
      await call('POST', '/api/reconcile?target=dns')
      const healed = async () => (await explained(id)).cause
      await expect.poll(healed, { timeout: 60_000, interval: 200 }).toBeNull()
    })
  })

  /** The calls that bring an edit out, and the status of each where the world refuses a write of it. */
  const CALLS = {
    deploy: { status: 502, run: (id: number) => deploy(id) },
    activate: { status: 502, run: (id: number) => call('POST', `/api/domains/${id}/activate`) },
    'deploy-all': { status: 200, run: () => call('POST', '/api/deploy-all') },
    plan: {
      status: 502,
      run: async (id: number) => {
        const plan = await call('POST', '/api/plans', { body: { domain: id } })
        expect(plan.status, JSON.stringify(plan.body)).toBe(201)
        return call('POST', `/api/plans/${String(plan.body['id'])}/apply`, { body: {} })
      },
    },
  } as const
  const statusOf = async (id: number) => {
    const { status, status_reason } = (await call('GET', `/api/domains/${id}`)).body
    return [status, status_reason]
  }

  itOneIn(4).each(['deploy', 'activate', 'deploy-all', 'plan'] as const)(
    'that was tried in vain leaves an active record in error, by name, whichever call asked: %s',
    async (which) => {
      const name = `${which}.tried.test`
      const id = await createActive(call, { domain: name })
      await edit(id, { dns_ttl: 88 })
      way.fail!([name], 422)
      const { status } = CALLS[which]
      const answer = await CALLS[which].run(id)
      expect(answer).toMatchObject({ status, body: which === 'deploy-all' ? { success: false } : {} })
      const named = expect.stringMatching(`A ${name}: powerdns: could not change`) as string
      expect(await statusOf(id)).toEqual(['error', named])
      if (which === 'deploy-all')
        expect(answer.body['refused']).toMatchObject([
          { domain_id: id, code: 'provider_refused', message: named },
        ])
      else expect(answer.body['detail']).toEqual(named)
      way.fail!([])
      expect((await deploy(id)).status).toBe(200)
      expect(await statusOf(id)).toEqual(['active', null])
    },
  )

  itOneIn(3).each(['deploy', 'deploy-all', 'plan'] as const)(
    'that was refused before it was tried leaves its record active: %s',
    async (which) => {
      const name = `${which}-held.tried.test`
      const id = await createActive(call, { domain: name })
      await edit(id, { dns_ttl: 88 })
      await world.take('tried.test', { name, type: 'A' })
      await world.put('tried.test', { name, type: 'A', ttl: 60, values: [STRANGER] })
      const answer = await CALLS[which].run(id)
      expect(answer.status).toBe(which === 'deploy-all' ? 200 : 409)
      expect(await statusOf(id)).toEqual(['active', null])
      await call('POST', `/api/domains/${id}/disable`)
    },
  )

  itInDepth('that was refused and whose name went back is not promised to be tried again', async () => {
    const id = await createActive(call, { domain: 'old.moves.test' })
    await edit(id, { domain: 'new.moves.test' })
    way.fail!(['new.moves.test'], 422)
    expect((await deploy(id)).status).toBe(502)
    const tries = way.tries!('new.moves.test')
    const told = await pages(id, 'new.moves.test')
    expect(told.causes).toMatchObject({ component: 'pending_deploy', differences: ['pending_deploy'] })
    expect(told.details[0]).toContain('The provider did not accept it when it was deployed: ')
    expect(told.details[0]).not.toContain('tried again')
    expect(told.explain.engine.will).toBe('leave_alone')
    await call('POST', '/api/reconcile?target=dns')
    expect(way.tries!('new.moves.test')).toBe(tries)
  })

  itInDepth('that is accepted and not done for a name that goes back promises nothing, either', async () => {
    const id = await createActive(call, { domain: 'one.moves.test' })
    await edit(id, { domain: 'two.moves.test' })
    way.promise(['two.moves.test'])
    const answer = await deploy(id)
    expect(answer.body['detail']).toContain('one.moves.test stays as it is.')
    expect(answer.body['detail']).not.toContain('tried again')
    expect(JSON.stringify((await call('GET', `/api/domains/${id}`)).body)).not.toContain('tried again')
    expect((await explained(id)).cause).toBe('pending_deploy')
  })

  it('is none where somebody edited it: that is told, and that its repair is refused', async () => {
    const name = 'app.edits.test'
    const id = await createActive(call, { domain: name })
    way.fail!([name])
    await world.put('edits.test', { name, type: 'A', ttl: 300, values: [STRANGER] })
    await call('POST', '/api/reconcile?target=dns')
    const tried = () => way.tries!(name)
    await expect.poll(tried, { timeout: 60_000, interval: 100 }).toBeGreaterThan(1)
    const told = await pages(id, name)
    expect(told.causes).toEqual({
      component: 'edited',
      differences: ['edited'],
      record: ['edited'],
      health: 'edited',
    })
    expect(told.details[0]).toMatch(/changed by somebody: .* The provider did not accept it: /)
  })

  itInDepth(
    'is none where somebody took it away: that is told, however often its repair is refused',
    async () => {
      const name = 'app.edits-later.test'
      const id = await createActive(call, { domain: name })
      way.fail!([name])
      await world.take('edits-later.test', { name, type: 'A' })
      await call('POST', '/api/reconcile?target=dns')
      const before = way.tries!(name)
      await expect
        .poll(() => way.tries!(name), { timeout: 30_000, interval: 200 })
        .toBeGreaterThan(before + 1)
      const told = await pages(id, name)
      expect(told.causes).toMatchObject({ component: 'lost', differences: ['lost'], health: 'lost' })
      expect(told.details[0]).toContain('The provider did not accept it: ')
    },
  )

  const promisedChange = async (name: string) => {
    const id = await createActive(call, { domain: name })
    await edit(id, { dns_ttl: 88 })
    way.promise([name])
    await deploy(id)
    expect((await pages(id, name)).causes).toMatchObject({ component: 'not_loaded' })
    return id
  }
  const tryAgain = async (name: string) => {
    const before = way.tries!(name)
    await call('POST', '/api/reconcile?target=dns')
    await expect.poll(() => way.tries!(name), { timeout: 30_000, interval: 200 }).toBeGreaterThan(before)
  }

  itInDepth(
    'that is accepted and not done hides no edit of somebody else, before and after it is tried again',
    async () => {
      const name = 'app.hands.test'
      const id = await promisedChange(name)
      await world.put('hands.test', { name, type: 'A', ttl: 300, values: [STRANGER] })
      for (const again of [false, true]) {
        if (again) await tryAgain(name)
        const told = await pages(id, name)
        expect(told.causes).toEqual({
          component: 'edited',
          differences: ['edited'],
          record: ['edited'],
          health: 'edited',
        })
        expect(told.details[0]).toContain('changed by somebody')
      }
    },
  )

  itInDepth(
    'that is accepted and not done hides not that somebody took the set away, before and after it is tried again',
    async () => {
      const name = 'app.takes.test'
      const id = await promisedChange(name)
      await world.take('takes.test', { name, type: 'A' })
      for (const again of [false, true, true]) {
        if (again) await tryAgain(name)
        const told = await pages(id, name)
        expect(told.causes).toEqual({
          component: 'lost',
          differences: ['lost'],
          record: ['lost'],
          health: 'lost',
        })
        expect(told.details).toHaveLength(1)
      }
    },
  )

  itInDepth('that takes a set away and is refused is done once somebody else has taken it away', async () => {
    const name = 'app.gone.test'
    const id = await createActive(call, { domain: name })
    way.fail!([name])
    await call('POST', `/api/domains/${id}/disable`)
    expect((await pages(id, name)).causes).toMatchObject({ component: 'rejected' })
    await world.take('gone.test', { name, type: 'A' })
    const told = await pages(id, name)
    expect(told.causes).toMatchObject({ component: null, differences: [], health: null })
    // Until a pass has seen it, it is listed as what nothing asks for.
    expect([[null], []]).toContainEqual(told.causes.record)
    expect(told.explain).toMatchObject({ agrees: true, differences: [] })
    expect(told.explain.summary).toBe(`${name} is disabled, and nothing of it is there.`)
    expect(told.explain.engine.because).not.toContain('differs')
    await call('POST', '/api/reconcile?target=dns')
    const records = async () => (await pages(id, name)).causes.record
    await expect.poll(records, { timeout: 60_000, interval: 200 }).toEqual([])
  })

  itInDepth('that stands for a record that is not active is called kept only while it stands', async () => {
    const name = 'app.idle.test'
    const id = await createActive(call, { domain: name })
    await call('POST', `/api/domains/${id}/deactivate`)
    const record = async () => {
      const { body } = await call('GET', '/api/dns/records?zone=idle.test')
      const { records } = body as unknown as {
        readonly records: readonly {
          readonly name: string
          readonly state: string
          readonly detail: string
        }[]
      }
      const { state, detail } = records.find((one) => one.name === name)!
      return [state, detail]
    }
    expect(await record()).toEqual(['owned', `A ${name} is kept: nothing asks for it now.`])
    await world.take('idle.test', { name, type: 'A' })
    await explained(id)
    expect(await record()).toEqual(['lost', `A ${name} is not there any more, and nothing asks for it now.`])
    await world.put('idle.test', { name, type: 'A', ttl: 60, values: [STRANGER] })
    await explained(id)
    expect(await record()).toEqual([
      'foreign',
      `A ${name} was replaced by somebody (${STRANGER} ttl 60) and is left alone: nothing asks for it now.`,
    ])
  })

  itInDepth(
    'is explained by what is there now: what hindered the pass before is told as of then',
    async () => {
      const name = 'app.then.test'
      const id = await createActive(call, { domain: name })
      await world.take('then.test', { name, type: 'A' })
      await world.put('then.test', { name, type: 'A', ttl: 60, values: [STRANGER] })
      await call('POST', '/api/reconcile?target=dns')
      const said = async () => (await explained(id)).condition.message
      await expect.poll(said, { timeout: 60_000, interval: 200 }).toMatch(/^A app\.then\.test was replaced/)
      await world.take('then.test', { name, type: 'A' })
      const now = await explained(id)
      expect(now).toMatchObject({ cause: 'lost', engine: { will: 'repair' } })
      expect(now.condition.message).toMatch(
        /^As of the pass at \d{4}-\d\d-\d\dT[\d:.]+Z: A app\.then\.test was replaced/,
      )
      await expect.poll(said, { timeout: 60_000, interval: 200 }).toBe('It is what was released.')
    },
  )
})
