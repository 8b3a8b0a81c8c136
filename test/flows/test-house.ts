/** A whole house over a real store and real files in a temporary directory, with a client. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { sqliteInvariants } from '../../src/store/invariants.ts'
import { loadConfig } from '../../src/settings-wiring.ts'
import type { DaemonOptions } from '../../src/foundation.ts'
import { buildDaemon, type Daemon } from '../../src/build-daemon.ts'
import { ANSWER_TIMEOUT_MS } from '../../src/core/background/background.ts'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import { type Log, silentLog } from '../../src/kernel/log.ts'
import { inProcessRules } from '../kit/in-process-rules.ts'
import { layInstallation } from '../kit/new-installation.ts'
import { TIER } from '../kit/tier.ts'
import { type Client, clientOf } from './client.ts'
import { wellProvider } from './well-provider.ts'

export interface TestHouse {
  readonly house: Daemon
  readonly call: Client
  readonly directory: string
  /** The routes file as text. */
  routes(): string
  /** Closes and opens again over the same directory. */
  reopen(): Promise<TestHouse>
  [Symbol.asyncDispose](): Promise<void>
}

export interface TestHouseOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly directory?: string
  /** Whether the daemon ticks, watches and listens. Default true. */
  readonly opened?: boolean
  readonly wrap?: DaemonOptions['wrap']
  readonly clock?: Clock
  /** Default: none is kept. */
  readonly log?: Log
  /** Looks at the database's rules in a process of its own, as the daemon does: where that process is the subject. */
  readonly forks_rules?: boolean
}

/** The least that a house in a directory is told; also for one in a process of its own. */
export const envIn = (directory: string): Record<string, string> => ({
  PLUMBLINE_LISTEN: '127.0.0.1:0',
  PLUMBLINE_DATA_DIR: directory,
  PLUMBLINE_ENTRYPOINTS: 'web=80,websecure=443,ssh=2222,smtp=25',
  PLUMBLINE_CERT_RESOLVER: 'letsencrypt',
  // DNS has houses of its own (dns-house.ts).
  PLUMBLINE_DNS_PROVIDER: 'none',
  // Nor is there a proxy to be asked but where that is the subject (proven-house.ts).
  PLUMBLINE_SSO_UNPROVEN: 'accept',
  // Nor are the backends, which are addresses of nobody (history.test.ts).
  PLUMBLINE_BACKEND_LOOKS: 'off',
})

export async function openTestHouse(options: TestHouseOptions = {}): Promise<TestHouse> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'plumbline-flow-'))
  await layInstallation(directory, options.clock)
  const provider = await wellProvider(options.env)
  const config = loadConfig({ ...envIn(directory), ...provider, ...options.env })
  const house = await buildDaemon(config, {
    log: options.log ?? silentLog,
    check_replies: true,
    invariants: options.forks_rules === true ? sqliteInvariants : inProcessRules,
    ...(options.wrap && { wrap: options.wrap }),
    clock: patient(options.clock ?? systemClock),
  })
  if (options.opened !== false) await house.open()
  let closed = false
  const close = async () => {
    if (!closed) await house.close()
    closed = true
  }
  return {
    house,
    call: options.wrap === undefined ? proving(clientOf(house)) : clientOf(house),
    directory,
    routes: () => readFileSync(house.routes_path, 'utf8'),
    reopen: async () => {
      await close()
      return openTestHouse({ ...options, directory })
    },
    [Symbol.asyncDispose]: async () => {
      await close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const PATIENCE_MS = 90_000

/**
 * On a busy machine a call may take so long that it would go on as an operation: whoever calls in a test waits for its end.
 * A clock with a `sleep` of its own has its own waits.
 */
function patient(clock: Clock): Clock {
  if (clock.sleep !== systemClock.sleep) return clock
  return {
    now: () => clock.now(),
    elapsed: () => clock.elapsed(),
    sleep: (ms, signal) => systemClock.sleep(ms === ANSWER_TIMEOUT_MS ? PATIENCE_MS : ms, signal),
  }
}

/** Kinds of calls that the gate has looked at again, by the file that made them. */
const proven = new Set<string>()

/** In depth every deploy is proven, in the gate the first of its kind in each file: a look costs as much as the deploy. */
function isToBeProven(method: string, path: string): boolean {
  const kind = `${expect.getState().testPath} ${method} ${path.replaceAll(/\d+/g, '0')}`
  const is_first = !proven.has(kind)
  proven.add(kind)
  return is_first || TIER !== 'gate'
}

/** After a call that deployed, a second look must find nothing to do. */
const proving =
  (call: Client): Client =>
  async (method, path, options) => {
    const answer = await call(method, path, options)
    // Other bodies than JSON objects are text.
    const { body }: { body: unknown } = answer
    const json = typeof body === 'object' && body !== null
    if (answer.status !== 200 || !json || !('components' in body && 'release' in body)) return answer
    if (!isToBeProven(method, path)) return answer
    const results = (body as { readonly components: readonly { readonly component: string }[] }).components
    for (const component of new Set(results.map((result) => result.component))) {
      const plan = await call('POST', '/api/plans', { body: { component } })
      expect(plan.body, `${component} after ${method} ${path}`).toMatchObject({
        plan: { rows: [], actions: [], complete: true },
      })
    }
    return answer
  }

export const APP = {
  domain: 'app.example.com',
  service_type: 'http',
  environment: 'production',
  backend_host: '10.0.0.5',
  backend_port: 8080,
} as const

/** Creates a record and answers its id. */
export async function create(call: Client, fields: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const answer = await call('POST', '/api/domains', { body: { ...APP, ...fields } })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body['domain_id'] as unknown as number
}

export async function createActive(
  call: Client,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const id = await create(call, fields)
  await expectDone(call, await call('POST', `/api/domains/${id}/activate`))
  return id
}

/** As so many calls of `createActive`, in one release. */
export async function createAllActive(call: Client, domains: readonly string[]): Promise<void> {
  const records: { readonly id: number }[] = []
  for (const domain of domains) records.push({ id: await create(call, { domain }) })
  await expectDone(
    call,
    await call('POST', '/api/domains/changes', { body: { records, action: 'activate' } }),
  )
}

async function expectDone(call: Client, answer: Awaited<ReturnType<Client>>): Promise<void> {
  const status = answer.status === 202 ? await endOf(call, answer.headers.get('location')!) : answer.status
  expect(status, JSON.stringify(answer.body)).toBe(200)
}

/** Of what takes so long on a busy machine that it goes on as an operation. Also in a hook, where `expect.poll` is refused. */
async function endOf(call: Client, location: string): Promise<unknown> {
  const view = async () => (await call('GET', location)).body
  await vi.waitFor(async () => expect((await view())['state']).not.toBe('running'), { timeout: 60_000 })
  return ((await view())['answer'] as unknown as { readonly status: number } | null)?.status
}

/** Waits until the routes file is what was deployed, as the drift endpoint says. */
export async function expectHealed(call: Client): Promise<void> {
  const drift = async () => (await call('GET', '/api/domains/drift')).body['drift']
  await vi.waitFor(async () => expect(await drift()).toBe(false), { timeout: 30_000 })
}
