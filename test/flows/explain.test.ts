/** Why a domain is as it is, told over the API and the command, in every situation that a person may ask about. */
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { DaemonOptions } from '../../src/foundation.ts'
import { Failure } from '../../src/kernel/failure.ts'
import type { ExplainedDomain } from '../../src/features/explain/explained.ts'
import { run } from './command.ts'
import { APP, create, createActive, envIn, openTestHouse, type TestHouse } from './test-house.ts'
import { describeInDepth, itInDepth, itOneIn } from '../kit/in-depth.ts'

async function explained(at: TestHouse, id: number): Promise<ExplainedDomain> {
  const { status, body } = await at.call('GET', `/api/domains/${id}/explain`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as unknown as ExplainedDomain
}

const routesOf = ({ components }: ExplainedDomain) => components.find(({ key }) => key === 'routes')!

interface Listed {
  readonly component: string
  readonly domain: string | null
  readonly status: string
  readonly reason: string
  readonly last_transition_at: string
}

const conditions = async (at: TestHouse): Promise<readonly Listed[]> =>
  (await at.call('GET', '/api/conditions')).body as unknown as readonly Listed[]

const OBSERVE = { PLUMBLINE_MODE: 'observe' }
/** A daemon that does not tick or watch before it is asked for something. */
const QUIET = { opened: false } as const

/** Looks go through `trouble.look`, writes through `trouble.write`, while those are set. */
function troubled() {
  const trouble: { look: Failure | null; write: Failure | null } = { look: null, write: null }
  const wrap: DaemonOptions['wrap'] = {
    file: (file) => ({
      path: file.path,
      glance: () => (trouble.look === null ? file.glance() : null),
      look: (signal) => (trouble.look === null ? file.look(signal) : Promise.reject(trouble.look)),
      replace: (...given) =>
        trouble.write === null ? file.replace(...given) : Promise.reject(trouble.write),
      placeFault: () => file.placeFault(),
      restoreMode: (signal) => file.restoreMode(signal),
      watch: (hint) => file.watch(hint),
    }),
  }
  return { trouble, wrap }
}

describe('a domain that', () => {
  it('is in sync: three equal sides, who saved it and which release it is in', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    const found = await explained(at, id)
    expect(found).toMatchObject({
      domain: 'app.example.com',
      status: 'active',
      revision: 2,
      released_revision: 2,
      pending: false,
      saved: { actor: 'key', action: 'activate' },
      released: { release: 2, actor: 'key', reason: 'activate app.example.com' },
      summary: 'app.example.com is what was released, everywhere.',
    })
    const routes = routesOf(found)
    expect(routes).toMatchObject({
      agrees: true,
      cause: null,
      differences: [],
      condition: { status: 'true', reason: 'in_sync', observed_revision: 2 },
      engine: { will: 'leave_alone', mode: 'repair', guard: null, failures: 0 },
    })
    expect(routes.desired).toContain('http:\n  routers:\n    "plumbline-redirect_app.example.com":')
    expect(routes.desired).toContain('url: "http://10.0.0.5:8080"')
    expect([routes.released, routes.observed]).toEqual([routes.desired, routes.desired])
  })

  itInDepth(
    'was edited and not deployed: pending, its condition stays true at the released revision',
    async () => {
      await using at = await openTestHouse()
      const id = await createActive(at.call)
      const before = routesOf(await explained(at, id)).condition
      await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9090 } })
      const found = await explained(at, id)
      expect(found).toMatchObject({ pending: true, revision: 3, released_revision: 2 })
      expect(found.saved).toMatchObject({ action: 'update' })
      expect(found.released).toMatchObject({ release: 2 })
      const routes = routesOf(found)
      expect(routes).toMatchObject({
        agrees: false,
        cause: 'pending_deploy',
        condition: { status: 'true', reason: 'pending_deploy', observed_revision: 2 },
        engine: { will: 'leave_alone' },
      })
      expect(routes.condition.last_transition_at).toBe(before.last_transition_at)
      expect(routes.desired).toContain(':9090')
      expect(routes.released).toContain(':8080')
      expect(routes.observed).toBe(routes.released)
      expect(await conditions(at)).toMatchObject([
        { component: 'routes', domain: null, status: 'true', reason: 'in_sync' },
        { component: 'routes', domain: 'app.example.com', status: 'true', reason: 'pending_deploy' },
      ])
      await at.house.engine.converge('open')
      await conditions(at)
      const metrics = (await at.call('GET', '/metrics')).body as unknown as string
      expect(metrics).toContain('plumbline_drift{component="routes",cause="pending_deploy"} 1')
      await at.call('POST', `/api/domains/${id}/deploy`)
      expect(await conditions(at)).toMatchObject([{ domain: null, reason: 'in_sync' }])
    },
  )

  itInDepth('was renamed and not deployed shows what stands under either name', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    await at.call('PUT', `/api/domains/${id}`, { body: { domain: 'new.example.com' } })
    const routes = routesOf(await explained(at, id))
    expect(routes.cause).toBe('pending_deploy')
    expect(routes.desired).toContain('new.example.com')
    expect(routes.released).toContain('app.example.com')
    expect(routes.observed).toBe(routes.released)
  })

  itInDepth('was edited by hand: named, and its neighbour is left out of it', async () => {
    await using at = await openTestHouse({ env: OBSERVE })
    const id = await createActive(at.call)
    const other = await createActive(at.call, { domain: 'b.example.com', backend_host: '10.0.0.6' })
    writeFileSync(at.house.routes_path, at.routes().replace('10.0.0.5', '10.6.6.6'))
    await expect.poll(() => at.house.engine.lastReports()[0]?.outcome).toBe('left_drifting')
    const routes = routesOf(await explained(at, id))
    expect(routes).toMatchObject({
      agrees: false,
      cause: 'edited',
      differences: [{ item: 'http.services.plumbline-site_app.example.com', cause: 'edited' }],
      condition: { status: 'false', reason: 'drifting' },
      engine: { will: 'only_report', mode: 'observe' },
    })
    expect(routes.observed).toContain('10.6.6.6')
    expect(routes.released).toContain('10.0.0.5')
    const neighbour = await explained(at, other)
    expect(routesOf(neighbour)).toMatchObject({
      agrees: true,
      differences: [],
      condition: { status: 'true', reason: 'in_sync' },
    })
    expect(neighbour.summary).toBe('b.example.com is what was released, everywhere.')
    expect(await conditions(at)).toMatchObject([
      { domain: null, status: 'false', reason: 'drifting' },
      { domain: 'app.example.com', status: 'false', reason: 'drifting' },
    ])
    const metrics = (await at.call('GET', '/metrics')).body as unknown as string
    expect(metrics).toContain('plumbline_drift{component="routes",cause="edited"} 1')
    expect(metrics).toContain('plumbline_drift{component="routes",cause="lost"} 0')
    expect(metrics).not.toContain('app.example.com')
    await at.call('POST', '/api/deploy-all')
    expect(routesOf(await explained(at, id))).toMatchObject({
      agrees: true,
      condition: { status: 'true', reason: 'in_sync' },
    })
  })

  itInDepth('was edited by hand in repair mode is to be repaired, and then it is', async () => {
    await using first = await openTestHouse()
    const id = await createActive(first.call)
    await first.house.close()
    writeFileSync(first.house.routes_path, first.routes().replace('10.0.0.5', '10.6.6.6'))
    await using at = await openTestHouse({ directory: first.directory, ...QUIET })
    const found = await explained(at, id)
    expect(found.summary).toBe(
      'app.example.com: routes was changed by hand; Plumbline repairs it at its next look.',
    )
    expect(routesOf(found).engine).toMatchObject({ will: 'repair', next_attempt_at: null })
    await at.house.open()
    await expect.poll(async () => routesOf(await explained(at, id)).agrees).toBe(true)
  })

  itOneIn(3).each([
    ['was deleted', (path: string) => rmSync(path), 'lost', null],
    ['is empty', (path: string) => writeFileSync(path, ''), 'lost', null],
    [
      'is a directory',
      (path: string) => (rmSync(path), mkdirSync(path)),
      'edited',
      '# There is no text to show: a directory stands in the place of the file.\n',
    ],
  ] as const)('has lost its file, which %s', async (_name, abuse, cause, observed) => {
    await using at = await openTestHouse({ env: OBSERVE, ...QUIET })
    const id = await createActive(at.call)
    abuse(at.house.routes_path)
    expect(routesOf(await explained(at, id))).toMatchObject({
      agrees: false,
      cause,
      observed,
      engine: { will: 'only_report' },
    })
  })

  itInDepth('is what was released, while a stranger wrote something that belongs to nobody', async () => {
    await using at = await openTestHouse({ env: OBSERVE })
    const id = await createActive(at.call)
    appendFileSync(at.house.routes_path, '# stranger\n')
    await expect.poll(async () => routesOf(await explained(at, id)).condition.reason).toBe('drifting')
    const found = await explained(at, id)
    expect(found.summary).toContain('routes differs in what belongs to no domain')
    expect(routesOf(found)).toMatchObject({ agrees: true, condition: { status: 'false' } })
  })

  itInDepth('is contested: named with its rule, until a deploy takes it up again', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    const stranger = at.routes().replace('10.0.0.5', '10.6.6.6')
    await expect
      .poll(
        async () => {
          if (!at.routes().includes('10.6.6.6')) writeFileSync(at.house.routes_path, stranger)
          return routesOf(await explained(at, id)).condition.reason
        },
        { interval: 100 },
      )
      .toBe('contested')
    const routes = routesOf(await explained(at, id))
    expect(routes).toMatchObject({
      agrees: false,
      cause: 'edited',
      condition: { status: 'false', reason: 'contested' },
      engine: { will: 'refuse', guard: { rule: 'contested' } },
    })
    expect(routes.condition.message).not.toMatch(/[0-9]/)
    expect(routes.engine.next_attempt_at).toMatch(/Z$/)
    await at.call('POST', `/api/domains/${id}/deploy`)
    expect(routesOf(await explained(at, id)).condition).toMatchObject({ status: 'true', reason: 'in_sync' })
  })

  it('cannot be looked at: unknown with the reason, never clean', async () => {
    const { trouble, wrap } = troubled()
    await using at = await openTestHouse({ wrap })
    const id = await createActive(at.call)
    trouble.look = new Failure('component_unavailable', 'routes.yml could not be read (EACCES).')
    at.house.engine.adoptMode({ ...NOBODY, mode: 'repair' })
    await expect.poll(async () => routesOf(await explained(at, id)).condition.reason).toBe('unreadable')
    expect(routesOf(await explained(at, id))).toMatchObject({
      agrees: null,
      cause: null,
      observed: null,
      unknown_because: 'routes.yml could not be read (EACCES).',
      condition: { status: 'unknown' },
      engine: { will: 'look_again' },
    })
    const metrics = (await at.call('GET', '/metrics')).body as unknown as string
    expect(metrics).not.toContain('plumbline_drift{')
  })

  it('is released and not there yet: failing, with the failure and the next try', async () => {
    const { trouble, wrap } = troubled()
    await using at = await openTestHouse({ wrap, ...QUIET })
    const id = await create(at.call)
    trouble.write = new Failure('storage_full', 'routes.yml could not be written (ENOSPC).')
    expect((await at.call('POST', `/api/domains/${id}/activate`)).status).toBe(507)
    const found = await explained(at, id)
    expect(found.summary).toContain('routes has not taken the release yet; Plumbline tries again')
    expect(routesOf(found)).toMatchObject({
      agrees: false,
      cause: 'rejected',
      applied: false,
      condition: { status: 'false', reason: 'failing', message: 'routes.yml could not be written (ENOSPC).' },
      engine: { will: 'try_again' },
    })
    for (const { cause, detail } of routesOf(found).differences)
      expect([cause, detail]).toEqual([
        'rejected',
        'deployed and not in place: routes.yml could not be written (ENOSPC).',
      ])
    expect(routesOf(found).engine.failures).toBeGreaterThan(0)
    expect(routesOf(found).engine.next_attempt_at).toMatch(/Z$/)
  })

  itInDepth('was changed, and the file does not take it: nobody edited anything', async () => {
    const { trouble, wrap } = troubled()
    await using at = await openTestHouse({ wrap, ...QUIET })
    const id = await createActive(at.call)
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 8088 } })
    trouble.write = new Failure('storage_full', 'routes.yml could not be written (ENOSPC).')
    expect((await at.call('POST', `/api/domains/${id}/deploy`)).status).toBe(507)
    const found = await explained(at, id)
    expect(routesOf(found)).toMatchObject({
      cause: 'rejected',
      applied: false,
      engine: { will: 'try_again' },
    })
    expect(found.summary).not.toContain('by hand')
    const { body } = await at.call('GET', '/api/drift')
    const { components } = body as unknown as { readonly components: ExplainedDomain['components'] }
    const routes = components.find(({ component }) => component === 'routes')!
    expect(new Set(routes.differences.map(({ cause }) => cause))).toEqual(new Set(['rejected']))
    trouble.write = null
    await at.call('POST', `/api/domains/${id}/deploy`)
    expect(routesOf(await explained(at, id))).toMatchObject({ agrees: true, cause: null })
  })

  itInDepth('is suspended: who, until when and why', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    const expires_at = Date.now() + 3_600_000
    at.house.engine.adoptMode({ ...NOBODY, mode: 'suspend', reason: 'moving the rack', expires_at })
    await expect.poll(async () => routesOf(await explained(at, id)).condition.reason).toBe('suspended')
    expect(routesOf(await explained(at, id))).toMatchObject({
      agrees: true,
      condition: { status: 'unknown', message: 'routes is suspended: moving the rack.' },
      engine: {
        will: 'stay_suspended',
        mode: 'suspend',
        mode_reason: 'moving the rack',
        suspended_until: new Date(expires_at).toISOString(),
      },
    })
  })

  itInDepth('is inactive, disabled or managed elsewhere: nothing anywhere, and that is right', async () => {
    await using at = await openTestHouse()
    const inactive = await create(at.call)
    const disabled = await createActive(at.call, { domain: 'b.example.com' })
    await at.call('POST', `/api/domains/${disabled}/disable`)
    const { backend_host: _h, backend_port: _p, ...manual } = APP
    const answer = await at.call('POST', '/api/domains', {
      body: { ...manual, domain: 'm.example.com', service_type: 'manual' },
    })
    const elsewhere = answer.body['domain_id'] as unknown as number
    await at.call('POST', `/api/domains/${elsewhere}/activate`)
    const nothing = { agrees: true, cause: null, desired: null, released: null, observed: null }
    for (const [id, released_revision, words] of [
      [inactive, null, 'app.example.com is inactive, and nothing of it is there.'],
      [disabled, null, 'b.example.com is disabled, and nothing of it is there.'],
      [elsewhere, 2, 'm.example.com is managed elsewhere: never rendered and never touched.'],
    ] as const) {
      const found = await explained(at, id)
      expect(found).toMatchObject({ summary: words, released_revision })
      expect(routesOf(found)).toMatchObject({
        ...nothing,
        condition: { status: 'true', reason: 'not_rendered' },
      })
    }
    expect((await explained(at, disabled)).released).toMatchObject({ reason: 'disable b.example.com' })
    expect((await explained(at, inactive)).released).toBeNull()
  })

  it('is not there is a 404', async () => {
    await using at = await openTestHouse(QUIET)
    expect((await at.call('GET', '/api/domains/77/explain')).status).toBe(404)
    expect((await at.call('GET', '/api/domains/x/explain')).status).toBe(422)
  })
})

/** What the engine is told once a mode is saved. */
const NOBODY = { scope: 'routes', reason: 'test', actor: 'key', expires_at: null } as const

describeInDepth('conditions', () => {
  it('before the first look are unknown, and a restart keeps what is stored', async () => {
    await using first = await openTestHouse(QUIET)
    expect(await conditions(first)).toMatchObject([
      { component: 'routes', domain: null, status: 'unknown', reason: 'never_looked' },
    ])
    await createActive(first.call)
    const [kept] = await conditions(first)
    expect(kept).toMatchObject({ status: 'true', reason: 'in_sync' })
    await first.house.close()
    await using second = await openTestHouse({ directory: first.directory, ...QUIET })
    expect(await conditions(second)).toMatchObject([{ status: 'unknown', reason: 'stale' }])
    await second.house.open()
    await expect.poll(async () => (await conditions(second))[0]?.reason).toBe('in_sync')
    expect((await conditions(second))[0]?.last_transition_at).toBe(kept?.last_transition_at)
  })
})

itInDepth('the command says it in words and as JSON', async () => {
  await using at = await openTestHouse({ opened: false })
  await createActive(at.call)
  await at.call('PUT', '/api/domains/1', { body: { backend_port: 9090 } })
  await at.house.close()
  const env = envIn(at.directory)
  const told = await run(['explain', 'app.example.com'], env)
  expect(told.err).toBe('')
  expect(told.code).toBe(2)
  expect(told.out).toContain('is what was released. Newer changes are saved and wait for a deploy.')
  expect(told.out).toMatch(/saved +revision 3, by key main at .* \(update\); waits for a deploy/)
  expect(told.out).toMatch(
    /released +revision 2 since release 2, by key main at .* \(activate app\.example\.com\)/,
  )
  expect(told.out).toContain('released = observed:\n')
  expect(told.out).toContain('next       Nothing is done. The world is what was released.')
  const asked = await run(['explain', '1', '--json'], env)
  expect(JSON.parse(asked.out)).toMatchObject({ domain: 'app.example.com', pending: true })
  expect((await run(['explain', 'nobody.example.com'], env)).code).toBe(1)
  expect((await run(['explain'], env)).code).toBe(64)
})
