/** A routes file that could not be written: nobody can have loaded it, and every page says that it was not written, and why. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { DaemonOptions } from '../../src/foundation.ts'
import { Failure } from '../../src/kernel/failure.ts'
import { type FakeTraefik, startFakeTraefik } from '../fakes/traefik/traefik.ts'
import { hurriedClock } from './proxy-house.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { describeOneIn, itInDepth, itOneIn } from '../kit/in-depth.ts'

const FULL = new Failure('storage_full', 'routes.yml could not be written (ENOSPC).')
const READ_ONLY = new Failure('storage_unwritable', 'routes.yml could not be written (EROFS).')

interface Stuck extends AsyncDisposable {
  at: TestHouse
  readonly traefik: FakeTraefik
  readonly trouble: { write: Failure | null }
  readonly id: number
  readonly other: number
}

/** Two routes stand and are loaded; then one of them is edited, and the file takes no write. */
async function stuck(failure: Failure): Promise<Stuck> {
  const trouble: { write: Failure | null } = { write: null }
  const wrap: DaemonOptions['wrap'] = {
    file: (file) => ({
      path: file.path,
      glance: () => file.glance(),
      look: (signal) => file.look(signal),
      replace: (...given) =>
        trouble.write === null ? file.replace(...given) : Promise.reject(trouble.write),
      placeFault: () => file.placeFault(),
      restoreMode: (signal) => file.restoreMode(signal),
      watch: (hint) => file.watch(hint),
    }),
  }
  const traefik = await startFakeTraefik()
  const env = { PLUMBLINE_TRAEFIK_API: traefik.origin }
  const at = await openTestHouse({ clock: hurriedClock(), wrap, env })
  traefik.follow(at.house.routes_path)
  const id = await createActive(at.call)
  const other = await createActive(at.call, { domain: 'other.example.com' })
  await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 8088 } })
  trouble.write = failure
  const house: Stuck = {
    at,
    traefik,
    trouble,
    id,
    other,
    [Symbol.asyncDispose]: async () => {
      await house.at[Symbol.asyncDispose]()
      await traefik.stop()
    },
  }
  return house
}

interface Part {
  readonly name: string
  readonly cause: string | null
  readonly message: string
  readonly details: { readonly remedy?: string }
}

/** What is told of the proxy, page by page. */
async function pages({ at: { call }, id, other }: Stuck, probe: boolean) {
  const json = async <T>(path: string) => (await call('GET', path)).body as unknown as T
  const health = await json<{ components: Part[] }>(`/api/control-plane/health${probe ? '?probe=true' : ''}`)
  const part = (name: string) => health.components.find((one) => one.name === name)!
  const status = await json<{ loaded: boolean; cause: string; proxy: { written: boolean; detail: string } }>(
    '/api/deploy/status',
  )
  const drift = await json<{
    components: { component: string; differences: { cause: string; detail: string }[] }[]
  }>('/api/drift')
  const effective = await json<{ sync_status: string; sync_reason: string }>(
    `/api/domains/${id}/effective-config`,
  )
  type Explained = {
    summary: string
    components: { component: string; cause: string | null }[]
    served: { cause: string; differences: { detail: string }[] }
  }
  const explained = await json<Explained>(`/api/domains/${id}/explain`)
  const others = await json<Explained>(`/api/domains/${other}/explain`)
  return {
    causes: {
      routes: part('routes').cause,
      proxy: part('proxy').cause,
      status: status.cause,
      drift: drift.components
        .filter(({ component }) => component === 'proxy' || component === 'routes')
        .flatMap(({ differences }) => differences.map(({ cause }) => cause)),
      explain: explained.components.find(({ component }) => component === 'routes')!.cause,
      served: explained.served.cause,
    },
    written: status.proxy.written,
    words: [
      part('proxy').message,
      status.proxy.detail,
      effective.sync_reason,
      ...explained.served.differences.map(({ detail }) => detail),
      ...drift.components
        .filter(({ component }) => component === 'proxy')
        .flatMap(({ differences }) => differences.map(({ detail }) => detail)),
    ],
    remedy: part('proxy').details.remedy,
    summaries: [explained.summary, others.summary],
  }
}

const ALL_REJECTED = {
  routes: 'rejected',
  proxy: 'rejected',
  status: 'rejected',
  drift: ['rejected', 'rejected'],
  explain: 'rejected',
  served: 'rejected',
}

function expectNotWritten(told: Awaited<ReturnType<typeof pages>>, failure: Failure): void {
  expect(told.causes).toEqual(ALL_REJECTED)
  expect(told.written).toBe(false)
  for (const words of told.words) expect(words).toContain(`Not written: ${failure.message}`)
  expect(told.words.join()).not.toMatch(/not loaded|Its log says why/)
  expect(told.remedy).toContain('keeps the routes file from being written')
  expect(told.summaries.join()).not.toMatch(/by hand|not loaded|has lost/)
}

const ASKS = [
  ['deploy-all', () => '/api/deploy-all'],
  ['a deploy of one', (id: number) => `/api/domains/${id}/deploy`],
  ['deploy-proxy', () => '/api/deploy-proxy'],
] as const

describeOneIn(2).each([
  ['a full disk', FULL],
  ['a disk that is read-only', READ_ONLY],
])('%s', (_, failure) => {
  itOneIn(3).each(ASKS)('told as not written on every page, with its reason: %s', async (_of, pathOf) => {
    await using house = await stuck(failure)
    const answer = await house.at.call('POST', pathOf(house.id))
    expect(JSON.stringify(answer.body)).toContain(failure.message)
    expect(JSON.stringify(answer.body)).not.toMatch(/[Ww]ritten, not loaded|proxy has not loaded/)
    await expect.poll(async () => (await pages(house, false)).causes).toEqual(ALL_REJECTED)
    expectNotWritten(await pages(house, false), failure)
    expectNotWritten(await pages(house, true), failure)
  })
})

itInDepth('a release that could not be written is not taken back: nobody refused it', async () => {
  await using house = await stuck(FULL)
  const { call } = house.at
  const head = async () =>
    (
      (await call('GET', '/api/releases?limit=1')).body as unknown as { number: number; results: object }[]
    )[0]!
  const answer = await call('POST', '/api/deploy-all')
  expect(answer).toMatchObject({
    status: 200,
    body: {
      success: false,
      loaded: false,
      message: expect.stringContaining('the routes file is not written: see the warnings'),
      unfinished: [expect.objectContaining({ component: 'routes', code: 'storage_full' })],
    },
  })
  expect(await head()).toMatchObject({ number: 4, results: { routes: 'failed' } })
  expect((await head()).results).not.toHaveProperty('proxy')
  house.trouble.write = null
  await expect.poll(() => house.at.routes(), { timeout: 60_000 }).toContain('10.0.0.5:8088')
  await expect
    .poll(async () => (await call('GET', '/api/deploy/status')).body, { timeout: 60_000 })
    .toMatchObject({ loaded: true, drift: false, proxy: { written: true, detail: null } })
  expect(await head()).toMatchObject({ number: 4, results: { routes: 'repaired' } })
})

itInDepth('after a restart it is told in the same words', async () => {
  await using house = await stuck(FULL)
  await house.at.call('POST', '/api/deploy-all')
  house.at = await house.at.reopen()
  expectNotWritten(await pages(house, true), FULL)
  expectNotWritten(await pages(house, false), FULL)
})

itInDepth(
  'a file that somebody took away, or set back, once it was written is not called unwritten',
  async () => {
    await using house = await stuck(FULL)
    const { call, house: daemon } = house.at
    house.trouble.write = null
    const before = readFileSync(daemon.routes_path)
    await call('POST', '/api/deploy-all')
    house.trouble.write = FULL
    writeFileSync(daemon.routes_path, before)
    await expect
      .poll(async () => (await call('GET', '/api/deploy/status')).body, { timeout: 60_000 })
      .toMatchObject({
        loaded: false,
        cause: 'not_loaded',
        proxy: { written: true, detail: expect.stringContaining('changed on disk by somebody since') },
      })
  },
)
