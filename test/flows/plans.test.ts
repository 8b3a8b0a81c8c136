/** Plan before, proof after: what a plan shows is what applying it does, or nothing is done. */
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import type { OperationView } from '../../src/core/background/operation.ts'
import type { Answered, Client } from './client.ts'
import { APP, create, createActive, expectHealed, openTestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

interface Kept {
  readonly id: string
  readonly plan: {
    readonly hash: string
    readonly rows: unknown[]
    readonly actions: unknown[]
    readonly guards: unknown[]
  }
}

async function makePlan(call: Client, scope: unknown = {}): Promise<Kept> {
  const answer = await call('POST', '/api/plans', { body: scope })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body as unknown as Kept
}

const apply = (call: Client, id: string, body: unknown = {}) =>
  call('POST', `/api/plans/${id}/apply`, { body })

/** The status of the answer, also of one that took so long that it went on as an operation. */
async function ended(call: Client, { status, headers }: Answered): Promise<number> {
  if (status !== 202) return status
  const answers: number[] = []
  const ask = async () => {
    const { body } = await call('GET', headers.get('location')!)
    const { answer } = body as unknown as OperationView
    if (answer !== null) answers.push(answer.status)
    return answers.length
  }
  await expect.poll(ask, { timeout: 60_000, interval: 500 }).toBe(1)
  return answers[0]!
}

describe('a plan', () => {
  it('does exactly what it shows, and the next plan is empty', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9090 } })
    const { id: plan_id, plan } = await makePlan(at.call)
    expect(plan).toMatchObject({
      rows: [{ domain_id: id, change: 'update', revision: 3 }],
      actions: [{ component: 'routes', verb: 'update', reason: 'release', needs: [] }],
      guards: [],
      complete: true,
      applyable: true,
    })
    expect(at.routes()).not.toContain('9090')
    const applied = await apply(at.call, plan_id)
    expect(applied.body).toMatchObject({ success: true, domain_ids: [id] })
    expect(at.routes()).toContain('9090')
    expect((await at.call('GET', `/api/plans/${plan_id}`)).body).toMatchObject({
      applied_release: applied.body['release'],
    })
    expect((await makePlan(at.call)).plan).toMatchObject({ rows: [], actions: [] })
  })

  itInDepth('of one domain by name leaves others alone', async () => {
    await using at = await openTestHouse()
    const a = await createActive(at.call, { domain: 'a.example.com' })
    const b = await createActive(at.call, { domain: 'b.example.com' })
    for (const id of [a, b]) await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 7000 + id } })
    const { id, plan } = await makePlan(at.call, { domain: 'B.example.com.' })
    expect(plan.rows).toMatchObject([{ domain_id: b }])
    expect((await apply(at.call, id)).body).toMatchObject({ pending: [{ domain_id: a }] })
  })

  itInDepth('of a component repairs the world and moves no record', async () => {
    await using at = await openTestHouse({ env: { PLUMBLINE_MODE: 'observe' } })
    const id = await createActive(at.call)
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9090 } })
    const bytes = at.routes()
    appendFileSync(at.house.routes_path, '# stranger\n')
    const kept = await makePlan(at.call, { component: 'routes' })
    expect(kept.plan).toMatchObject({ rows: [], actions: [{ reason: 'repair' }] })
    expect((await apply(at.call, kept.id)).status).toBe(200)
    expect(at.routes()).toBe(bytes)
    expect((await at.call('POST', '/api/plans', { body: { component: 'dsn' } })).status).toBe(404)
  })

  itInDepth('of a component is what the direct call does, where it is confirmed by its hash', async () => {
    await using at = await openTestHouse({ env: { PLUMBLINE_MODE: 'observe' } })
    const { call } = at
    await createActive(call)
    const clean = at.routes()
    const hashOf = async () => (await makePlan(call, { component: 'routes' })).plan.hash
    const press = async (hash: string) =>
      ended(call, await call('POST', `/api/reconcile?target=routes&confirm=${hash}`))
    writeFileSync(at.house.routes_path, `${clean}# one\n`)
    const shown = await hashOf()
    writeFileSync(at.house.routes_path, `${clean}# another\n`)
    expect(await press(shown)).toBe(409)
    expect(at.routes()).toContain('# another')
    expect(await press(await hashOf())).toBe(200)
    expect(at.routes()).toBe(clean)
  })
})

describe('a plan shows no action where none is done', () => {
  it('at a component that is suspended, which it names', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9090 } })
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const body = { mode: 'suspend', reason: 'moving house', expires_at }
    expect((await at.call('PUT', '/api/modes/routes', { body })).status).toBe(200)
    for (const answer of [
      await at.call('POST', `/api/domains/${id}/deploy?dry_run=true`),
      await at.call('POST', '/api/deploy-all?dry_run=true'),
    ])
      expect(answer.body['plan']).toMatchObject({
        actions: [],
        warnings: ['routes is suspended: moving house. Nothing is done there.'],
      })
    expect((await at.call('POST', `/api/domains/${id}/deploy`)).body).toMatchObject({ code: 'suspended' })
    expect(at.routes()).not.toContain('9090')
  })

  it('and says of a file that somebody else had put there before that it is left alone', async () => {
    const theirs = '# theirs\nhttp: {}\n'
    await using at = await openTestHouse({ opened: false })
    mkdirSync(dirname(at.house.routes_path), { recursive: true })
    writeFileSync(at.house.routes_path, theirs)
    await at.house.open()
    const id = await create(at.call)
    const { body } = await at.call('POST', `/api/domains/${id}/activate?dry_run=true`)
    expect(body['plan']).toMatchObject({
      actions: [{ component: 'routes', before: expect.any(String) }],
      warnings: [expect.stringContaining('was there before Plumbline first wrote to it and is left alone')],
    })
    expect((await at.call('POST', `/api/domains/${id}/activate`)).body).toMatchObject({
      code: 'refused_by_guard',
    })
    expect(at.routes()).toBe(theirs)
  })
})

describe('a plan is refused', () => {
  itInDepth('when the record moved since, with the difference', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9090 } })
    const kept = await makePlan(at.call)
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9191 } })
    const answer = await apply(at.call, kept.id)
    expect(answer.status).toBe(409)
    expect(answer.body['difference']).toMatchObject({
      gone: { rows: [{ revision: 3 }] },
      come: { rows: [{ revision: 4 }] },
    })
    expect(at.routes()).toContain(':8080')
  })

  itInDepth('when another release came in between', async () => {
    await using at = await openTestHouse()
    const a = await createActive(at.call, { domain: 'a.example.com' })
    await at.call('PUT', `/api/domains/${a}`, { body: { backend_port: 9090 } })
    const kept = await makePlan(at.call, { domain: a })
    await createActive(at.call, { domain: 'b.example.com' })
    expect((await apply(at.call, kept.id)).status).toBe(409)
  })

  it('when the world moved since', async () => {
    await using at = await openTestHouse({ env: { PLUMBLINE_MODE: 'observe' } })
    const id = await createActive(at.call)
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9090 } })
    const kept = await makePlan(at.call)
    appendFileSync(at.house.routes_path, '# stranger\n')
    const answer = await apply(at.call, kept.id)
    expect(answer.status).toBe(409)
    expect(at.routes()).toContain('# stranger')
  })

  it('when its domain was deleted, disabled or never was', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    const kept = await makePlan(at.call, { domain: id })
    await at.call('DELETE', `/api/domains/${id}`)
    expect((await apply(at.call, kept.id)).status).toBe(409)
    expect((await at.call('POST', '/api/plans', { body: { domain: id } })).status).toBe(404)
    const other = await create(at.call, { domain: 'o.example.com' })
    expect((await at.call('POST', '/api/plans', { body: { domain: other } })).status).toBe(409)
  })

  itInDepth('when it is another installation’s, or an id that is none', async () => {
    await using here = await openTestHouse()
    await using there = await openTestHouse()
    const kept = await makePlan(there.call)
    expect((await apply(here.call, kept.id)).status).toBe(404)
    expect((await apply(here.call, 'nonsense')).status).toBe(422)
  })

  it('after its quarter of an hour', async () => {
    let now = Date.now()
    await using at = await openTestHouse({ clock: { ...systemClock, now: () => now } })
    await expectHealed(at.call)
    const kept = await makePlan(at.call)
    now += 15 * 60_000
    const answer = await apply(at.call, kept.id)
    expect(answer.status).toBe(409)
    expect(answer.body['detail']).toContain('expired')
  })

  itInDepth('after it was applied: of 1,000 clients exactly one applies it', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9090 } })
    const kept = await makePlan(at.call)
    const statuses = await Promise.all(
      Array.from({ length: 1000 }, async () => ended(at.call, await apply(at.call, kept.id))),
    )
    const tally = Object.groupBy(statuses, (status) => status)
    expect(Object.entries(tally).map(([status, all]) => [status, all?.length])).toEqual([
      ['200', 1],
      ['409', 999],
    ])
    expect(at.routes()).toContain('9090')
  })
})

describe('guards', () => {
  it('what they refuse to a kept plan stands in the audit trail', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    await at.call('PUT', `/api/domains/${id}`, { body: { domain: 'new.example.com' } })
    const folder = dirname(at.house.routes_path)
    rmSync(folder, { recursive: true })
    symlinkSync(folder, folder)
    const kept = await makePlan(at.call, { domain: id })
    const refused = await apply(at.call, kept.id)
    expect(refused).toMatchObject({ status: 409, body: { code: 'refused_by_guard' } })
    const rules = { rules: ['incomplete_read'] }
    const entry = { action: 'refused', domain: 'app.example.com', detail: rules, plan_hash: kept.plan.hash }
    expect((await at.call('GET', '/api/audit?limit=1')).body).toMatchObject([entry])
  })

  const estate = (count: number, status: string) => ({
    domains: Array.from({ length: count }, (_, index) => ({
      ...APP,
      domain: `d${index}.example.com`,
      status,
    })),
  })

  it('a bulk removal needs the hash of its plan typed back, once', async () => {
    await using at = await openTestHouse()
    expect((await at.call('POST', '/api/estate', { body: estate(12, 'active') })).status).toBe(200)
    const bytes = at.routes()
    const refused = await at.call('POST', '/api/estate', { body: estate(6, 'inactive') })
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({
      code: 'refused_by_guard',
      guards: [{ rule: 'bulk_removal', confirmable: true }],
    })
    expect(at.routes()).toBe(bytes)
    expect((await at.call('GET', '/api/domains/1')).body['status']).toBe('active')
    const hash = String(refused.body['plan_hash'])
    const wrong = await at.call('POST', `/api/estate?confirm=${'0'.repeat(64)}`, {
      body: estate(6, 'inactive'),
    })
    expect(wrong.status).toBe(409)
    const other = await at.call('POST', `/api/estate?confirm=${hash}`, { body: estate(7, 'inactive') })
    expect(other.status).toBe(409)
    const confirmed = await at.call('POST', `/api/estate?confirm=${hash}`, { body: estate(6, 'inactive') })
    expect(confirmed.status, JSON.stringify(confirmed.body)).toBe(200)
    expect(at.routes()).not.toContain('d0.example.com')
    await at.call('POST', '/api/estate', { body: estate(12, 'active') })
    const again = await at.call('POST', `/api/estate?confirm=${hash}`, { body: estate(6, 'inactive') })
    expect(again.status).toBe(409)
  })

  it('an emptied edition is refused, a single removal is not', async () => {
    await using at = await openTestHouse()
    await at.call('POST', '/api/estate', { body: estate(2, 'active') })
    const refused = await at.call('POST', '/api/estate', { body: estate(2, 'disabled') })
    expect(refused.body).toMatchObject({ guards: [{ rule: 'emptied_edition' }] })
    expect((await at.call('DELETE', '/api/domains/1')).status).toBe(200)
    expect((await at.call('POST', '/api/domains/2/deactivate')).status).toBe(200)
  })

  it('the control plane’s own name is protected even alone', async () => {
    await using at = await openTestHouse({ env: { PLUMBLINE_ALLOWED_HOSTS: 'plumbline.example.com' } })
    const id = await createActive(at.call, { domain: 'plumbline.example.com' })
    const refused = await at.call('POST', `/api/domains/${id}/deactivate`)
    expect(refused.body).toMatchObject({ code: 'refused_by_guard', guards: [{ rule: 'protected_name' }] })
    const path = `/api/domains/${id}/deactivate?confirm=${String(refused.body['plan_hash'])}`
    expect((await at.call('POST', path)).status).toBe(200)
  })
})

itInDepth(
  'somebody who puts the same thing back three times within an hour is named, not fought',
  async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    const bytes = at.routes()
    for (let round = 0; round < 3; round++) {
      appendFileSync(at.house.routes_path, '# the same stranger\n')
      await expect.poll(() => at.routes()).toBe(bytes)
    }
    appendFileSync(at.house.routes_path, '# the same stranger\n')
    await expect.poll(() => at.house.engine.lastReports()[0]?.failure?.message).toContain('3 times')
    expect(at.routes()).toContain('# the same stranger')
    expect((await at.call('POST', `/api/domains/${id}/deploy`)).status).toBe(200)
    expect(at.routes()).toBe(bytes)
  },
)
