/**
 * Random histories and random ways back. Whatever was created, renamed, edited, taken off line or deleted in between: a
 * restore either gives the very bytes of that release, or refuses and changes nothing. Only what is disabled by then, and
 * is told as skipped, may be missing.
 */
import { expect } from 'vitest'
import { brokenPromises } from '../broken-promises.ts'
import type { Answered, Client } from './client.ts'
import { APP, openTestHouse, type TestHouse } from './test-house.ts'
import { itOneIn } from '../kit/in-depth.ts'
import { byTier } from '../kit/tier.ts'

const STEPS = byTier(24, 60)
const NAMES = ['a', 'b', 'c', 'd'].map((label) => `${label}.example.com`)
const KINDS = [
  {},
  {},
  { service_type: 'tcp-proxy', protocol: 'tcp', tcp_entrypoint: 'ssh', ssl_enabled: false },
  { service_type: 'http', protocol: 'http', ssl_enabled: true },
] as const

type Pick = <T>(from: readonly T[]) => T

/** mulberry32: the same seed walks the same way. */
function picker(seed: number): Pick {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return (from) => from[Math.floor(next() * from.length)]!
}

type Numbered = readonly { readonly number: number }[]
type Identified = readonly { readonly id: number }[]

/** One change that a user might ask for. It may well be refused. */
async function anyChange(call: Client, pick: Pick): Promise<void> {
  const records = (await call('GET', '/api/domains')).body as unknown as Identified
  const body = { ...APP, domain: pick(NAMES), backend_port: pick([1, 2, 3]), ...pick(KINDS) }
  if (records.length < 2) return void (await call('POST', '/api/domains/expose', { body }))
  const { id } = pick(records)
  const ask = pick([
    () => call('POST', '/api/domains/expose', { body }),
    () => call('PUT', `/api/domains/${id}`, { body: { domain: pick(NAMES) } }),
    () => call('PUT', `/api/domains/${id}`, { body: { backend_port: pick([4, 5, 6]), ...pick(KINDS) } }),
    () => call('POST', `/api/domains/${id}/activate`),
    () => call('POST', `/api/domains/${id}/activate`),
    () => call('POST', `/api/domains/${id}/deactivate`),
    () => call('POST', '/api/deploy-all'),
    () => call('POST', '/api/deploy-all'),
    () => call('DELETE', `/api/domains/${id}`),
    () =>
      pick([true, false, false])
        ? call('POST', `/api/domains/${id}/disable`)
        : call('POST', '/api/deploy-all'),
  ])
  expect((await ask()).status).toBeLessThan(500)
}

/** As an operator would: what a guard refuses is confirmed. */
async function restore(call: Client, number: number): Promise<Answered> {
  const path = `/api/releases/${number}/restore`
  const answer = await call('POST', path)
  if (answer.body['code'] !== 'refused_by_guard') return answer
  return call('POST', `${path}?confirm=${answer.body['plan_hash']}`)
}

const stateOf = async (at: TestHouse) => ({
  records: (await at.call('GET', '/api/domains')).body,
  newest: (await at.call('GET', '/api/releases?limit=1')).body,
  routes: at.routes(),
})

itOneIn(3).each([1, 2, 3])('any release can be gone back to (walk %i)', async (seed) => {
  await using at = await openTestHouse({ opened: false })
  const { call } = at
  const pick = picker(seed)
  const seen = { restored: 0, skipped: 0, refused: 0 }
  for (let step = 0; step < STEPS; step++) {
    await anyChange(call, pick)
    if (step % 3 !== 2) continue
    const releases = (await call('GET', '/api/releases?limit=500')).body as unknown as Numbered
    const { number } = pick(releases)
    const before = await stateOf(at)
    const answer = await restore(call, number)
    if (answer.status !== 200) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
      expect(await stateOf(at)).toEqual(before)
      seen.refused++
      continue
    }
    const skipped = (answer.body['skipped'] as unknown as readonly unknown[]).length > 0
    seen[skipped ? 'skipped' : 'restored']++
    const frozen = (await call('GET', `/api/releases/${number}/routes`)).body
    if (!skipped) expect(at.routes()).toBe(frozen)
    expect((await call('GET', '/api/domains/drift')).body).toMatchObject({ drift: false, pending: [] })
    const after = await stateOf(at)
    expect((await restore(call, number)).status).toBe(200)
    expect(await stateOf(at)).toEqual(after)
    expect(brokenPromises(at.directory, 'at rest')).toEqual([])
  }
  expect(seen.restored).toBeGreaterThan(0)
})
