/**
 * The stream of events. An event names what to fetch again, never the new state; what comes within 100 ms is one batch. A
 * hidden tab lets go after 30 s, so that many tabs do not use up the connections of the browser.
 */
import { signal } from '@preact/signals'
import { invalidate } from './cache.ts'
import { call, whenReached } from './client.ts'
import { daemonTime } from './clock.ts'
import { staleBy } from './stale-by.ts'

export type LineState =
  | { readonly kind: 'starting' | 'live' | 'hidden' | 'restarting' }
  | { readonly kind: 'behind' | 'offline'; readonly since: number; readonly next_try_at: number }

export const line = signal<LineState>({ kind: 'starting' })
/** The version that the daemon named, and the one that this page was loaded with. */
export const version = signal<string | null>(null)
export const newVersion = signal<string | null>(null)

const BATCH_MS = 100
const LET_GO_MS = 30_000
const FIRST_RETRY_MS = 2000
const MAX_RETRY_MS = 30_000
const HIDDEN_LOOK_MS = 60_000

let source: EventSource | null = null
let last = 0
let retry = FIRST_RETRY_MS
let retryTimer: ReturnType<typeof setTimeout> | undefined
let hiddenTimer: ReturnType<typeof setTimeout> | undefined
let lookTimer: ReturnType<typeof setInterval> | undefined
let batching: ReturnType<typeof setTimeout> | undefined
let prefixes = new Set<string>()
let everything = false
let reached = true

export function startLive(): void {
  whenReached((answered) => {
    reached = answered
  })
  document.addEventListener('visibilitychange', seen)
  window.addEventListener('pagehide', close)
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) open()
  })
  open()
}

/** Now, whatever the wait. */
export function tryNow(): void {
  retry = FIRST_RETRY_MS
  open()
  invalidate('all')
}

function seen(): void {
  clearTimeout(hiddenTimer)
  if (!document.hidden) {
    clearInterval(lookTimer)
    if (source === null) {
      open()
      invalidate('all')
    }
    return
  }
  hiddenTimer = setTimeout(() => {
    close()
    line.value = { kind: 'hidden' }
    lookTimer = setInterval(() => invalidate(['/api/overview']), HIDDEN_LOOK_MS)
  }, LET_GO_MS)
}

function close(): void {
  clearTimeout(retryTimer)
  source?.close()
  source = null
}

const KINDS: readonly string[] = (
  'hello missed saved health lamps step certificate dns session edge ignored started stopping release mode operation ' +
  'token user ssh_client address flapping not_loaded went_back entrypoints_missing wrong_keys edge_online edge_offline ' +
  'heartbeat_alive heartbeat_silent rotation_due repaired drift refused failed unreadable suspended recovered'
).split(' ')

function open(): void {
  close()
  const stream = new EventSource(last > 0 ? `/api/events?after=${last}` : '/api/events')
  source = stream
  stream.addEventListener('open', () => {
    if (line.peek().kind === 'behind' || line.peek().kind === 'offline') invalidate('all')
    line.value = { kind: 'live' }
    retry = FIRST_RETRY_MS
  })
  stream.addEventListener('error', () => {
    if (source === stream) void lost()
  })
  for (const kind of KINDS) stream.addEventListener(kind, (event) => received(kind, event))
}

async function lost(): Promise<void> {
  close()
  const before = line.peek()
  const since = 'since' in before ? before.since : daemonTime()
  // Who said that it stops is waited for; one that stays away is offline.
  const restarting = before.kind === 'restarting' && retry < MAX_RETRY_MS
  // The stream does not say why it ended; an ordinary call does.
  const answer = await call({ path: '/api/session' })
  if (!answer.ok && (answer.fault.kind === 'signed_out' || answer.fault.kind === 'proxy')) return
  // Somebody pressed meanwhile: it is open anew.
  if (source !== null) return
  clearTimeout(retryTimer)
  const next_try_at = daemonTime() + retry
  line.value = restarting && !reached ? before : { kind: reached ? 'behind' : 'offline', since, next_try_at }
  retryTimer = setTimeout(open, retry)
  retry = Math.min(retry * 2, MAX_RETRY_MS)
}

function received(kind: string, event: Event): void {
  const { lastEventId, data } = event as MessageEvent<string>
  const id = Number(lastEventId)
  // Doubled or out of order: the higher number counts.
  if (id > last) last = id
  if (kind === 'stopping') line.value = { kind: 'restarting' }
  if (kind === 'hello' || kind === 'started') greeted(factsOf(data))
  if (kind === 'missed' || kind === 'started') everything = true
  for (const prefix of staleBy(kind)) prefixes.add(prefix)
  batching ??= setTimeout(flush, BATCH_MS)
}

function flush(): void {
  batching = undefined
  invalidate(everything ? 'all' : [...prefixes])
  prefixes = new Set()
  everything = false
}

function greeted(facts: Readonly<Record<string, unknown>>): void {
  const named = facts['version']
  if (typeof named !== 'string') return
  if (version.peek() === null) version.value = named
  else if (version.peek() !== named) newVersion.value = named
}

function factsOf(data: string): Readonly<Record<string, unknown>> {
  try {
    const body = JSON.parse(data) as Readonly<Record<string, unknown>>
    const { facts } = body
    return typeof facts === 'object' && facts !== null ? { ...body, ...facts } : body
  } catch {
    return {}
  }
}
