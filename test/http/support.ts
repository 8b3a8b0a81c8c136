/** What the façade's tests share: settings, requests as plain data, a small set of endpoints, and recorders. */
import { z } from 'zod'
import { systemClock } from '../../src/kernel/clock.ts'
import type { Facts, Log } from '../../src/kernel/log.ts'
import type { Labels, Metrics } from '../../src/kernel/metrics.ts'
import { Secret } from '../../src/kernel/secret.ts'
import type { FoundSession } from '../../src/http/access/session.ts'
import type { AccessSettings } from '../../src/http/access/settings.ts'
import { type App, type AppOptions, buildApp } from '../../src/http/app.ts'
import type { Endpoint } from '../../src/http/contract.ts'
import { systemEndpoints } from '../../src/features/system/endpoints.ts'
import type { AnswerMemory, RememberedAnswer } from '../../src/http/idempotency.ts'
import type { RequestFacts } from '../../src/http/access/request-facts.ts'

export const KEY = 'a-key-of-more-than-24-characters'
export const PROXY_SECRET = 'the-proxy-knows-this'
export const HOST = 'localhost:8080'

export const SESSION = 'S'.repeat(43)
export const READING_SESSION = 'R'.repeat(43)
/** What the pages of both keep. */
export const SESSION_SECRET = 'P'.repeat(43)

const LASTING = new AbortController().signal

const isProvenBy = (secret: string): boolean => secret === SESSION_SECRET

const session = (reads_only: boolean): FoundSession => ({
  id: '1f3c000000000000',
  actor: 'session:1f3c',
  way: 'key',
  reads_only,
  expires_at: 0,
  ended: LASTING,
  isProvenBy,
})

export const SETTINGS: AccessSettings = {
  sessions: {
    find: (token) =>
      token === SESSION || token === READING_SESSION ? session(token === READING_SESSION) : null,
  },
  api_key: new Secret(KEY),
  listen: ['127.0.0.1', '10.1.1.5'],
  allowed_hosts: ['plumbline.example.com'],
  allowed_origins: ['https://console.example.com'],
  trusted_networks: ['10.1.0.0/16', 'fd00:1::/32'],
  trusted_proxies: ['10.9.9.9', '127.0.0.9'],
  proxy_secret: new Secret(PROXY_SECRET),
  trusts_loopback: true,
  sso_change_groups: [],
  sso_read_groups: [],
}

export type HeaderLines = readonly (readonly [string, string])[]

export function factsOf(overrides: Partial<RequestFacts> = {}, more: HeaderLines = []): RequestFacts {
  const facts = {
    method: 'GET',
    http_version: '1.1',
    target: '/',
    peer: '127.0.0.1',
    headers: [['Host', HOST]] as HeaderLines,
    has_body: false,
  }
  return { ...facts, ...overrides, headers: [...(overrides.headers ?? facts.headers), ...more] }
}

/** Lines and counts as they were written, for assertions. */
export function recorder() {
  const lines: { level: keyof Log; message: string; facts: Facts }[] = []
  const counts: { name: string; labels: Labels }[] = []
  const line =
    (level: keyof Log) =>
    (message: string, facts: Facts = {}) =>
      void lines.push({ level, message, facts })
  const log: Log = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
  const metrics: Metrics = {
    count: (name, labels = {}) => void counts.push({ name, labels }),
    gauge: () => undefined,
    forget: () => undefined,
    observe: (name, _seconds, labels = {}) => void counts.push({ name, labels }),
  }
  return { lines, counts, log, metrics }
}

/** An answer memory in a map, with the contract of the store's. */
export function mapMemory(): AnswerMemory & { readonly kept: Map<string, RememberedAnswer> } {
  const kept = new Map<string, RememberedAnswer>()
  return {
    kept,
    find: async (key) => kept.get(key) ?? null,
    reserve: async (key, request_digest) => {
      if (kept.has(key)) return false
      kept.set(key, { request_digest, answer: null })
      return true
    },
    save: async (key, answer) =>
      void kept.set(key, { request_digest: kept.get(key)!.request_digest, answer }),
    drop: async (key) => void kept.delete(key),
  }
}

export const systemParts = {
  version: '0.0.0-test',
  uptime: () => 1.5,
  settings: async () => [],
  newestBackup: () => null,
  copying: {
    lastTrial: () => null,
    findings: () => [],
    start: () => undefined,
    stop: () => Promise.resolve(),
  },
  examined: async () => ({ at: 0, findings: [] }),
  check: async () => undefined,
  metrics: async () => ({ content_type: 'text/plain; version=0.0.4; charset=utf-8', text: 'up 1\n' }),
}

export function appOf(endpoints: readonly Endpoint[], overrides: Partial<AppOptions> = {}): App {
  const { log, metrics } = recorder()
  return buildApp({
    endpoints,
    access: SETTINGS,
    answers: null,
    background: null,
    admit: null,
    keys: null,
    check_replies: true,
    log,
    metrics,
    clock: systemClock,
    ...overrides,
  })
}

/** The system endpoints beside `more`, as an installation has them. */
export function withSystem(
  more: readonly Endpoint[],
  parts: Partial<typeof systemParts> = {},
): readonly Endpoint[] {
  const all: readonly Endpoint[] = [
    ...systemEndpoints({ ...systemParts, ...parts, endpoints: () => all }),
    ...more,
  ]
  return all
}

export interface Ask {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly peer?: string | null
  /** The raw request target, where it is not the path of a well-formed address. */
  readonly target?: string
}

/** One in-process call; a body that is no text or bytes is sent as JSON. */
export async function ask(
  app: App,
  path: string,
  { method = 'GET', headers = {}, body, peer = '127.0.0.1', target }: Ask = {},
) {
  const sent =
    body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const request = new Request(`http://${HOST}${path}`, {
    method,
    headers: { ...json, ...headers },
    ...(sent === undefined ? {} : { body: sent as string }),
  })
  return app.request(request, undefined, { peer, ...(target === undefined ? {} : { target }) })
}

export const withKey = { 'x-api-key': KEY }

/** A problem body as a caller sees it. */
const Problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  code: z.string(),
  request_id: z.string(),
  errors: z
    .array(
      z.strictObject({
        loc: z.array(z.union([z.string(), z.number()])),
        msg: z.string(),
        type: z.string(),
        hint: z.string().optional(),
      }),
    )
    .optional(),
})

export async function problemIn(response: Response) {
  return Problem.parse(await response.json())
}

/** Lets what is written after a response be written. */
export const afterAnswer = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Mulberry32: small, seeded, good enough to pick from lists. */
export function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
