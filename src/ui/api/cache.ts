/** One store of answers by URL, each a signal: what is shown is fetched once, and again when an event names it. */
import { signal, type Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call } from './client.ts'
import { daemonTime } from './clock.ts'
import type { Fault } from './fault.ts'

export interface Loaded<T> {
  /** The last good answer; it stays while a newer one cannot be had. */
  readonly value: T | undefined
  /** When that answer came, by the daemon's clock. */
  readonly fetched_at: number
  readonly fault: Fault | null
  readonly loading: boolean
  readonly etag: string | null
}

interface Entry {
  readonly state: Signal<Loaded<unknown>>
  watchers: number
  /** Its answer is on its way. */
  asked: boolean
  /** What is on its way is older than what was heard since. */
  again: boolean
}

const EMPTY: Loaded<unknown> = { value: undefined, fetched_at: 0, fault: null, loading: true, etag: null }

const entries = new Map<string, Entry>()
/** Answers that nobody looks at are kept for going back, at most so many. */
const MAX_KEPT = 60

/** The one entry of an address, for as long as somebody may show it: what was used last is forgotten last. */
function entryOf(url: string): Entry {
  const known = entries.get(url)
  const entry = known ?? { state: signal(EMPTY), watchers: 0, asked: false, again: false }
  entries.delete(url)
  entries.set(url, entry)
  if (known === undefined) forgetOldest()
  return entry
}

function forgetOldest(): void {
  for (const [url, { watchers }] of entries) {
    if (entries.size <= MAX_KEPT) return
    if (watchers === 0) entries.delete(url)
  }
}

export async function refresh(url: string): Promise<void> {
  const entry = entryOf(url)
  if (entry.asked) {
    entry.again = true
    return
  }
  entry.asked = true
  const before = entry.state.peek()
  entry.state.value = { ...before, loading: true }
  const etag = before.value === undefined ? null : before.etag
  const answer = await call<unknown>({ path: url, ...(etag !== null && { if_none_match: etag }) })
  entry.asked = false
  entry.state.value = settled(before, answer)
  if (entry.again) {
    entry.again = false
    void refresh(url)
  }
}

function settled(
  before: Loaded<unknown>,
  answer: Awaited<ReturnType<typeof call<unknown>>>,
): Loaded<unknown> {
  if (!answer.ok) return { ...before, fault: answer.fault, loading: false }
  // "As you have it", to somebody who has nothing: no answer.
  if (answer.status === 304 && before.value === undefined)
    return { ...before, fault: { kind: 'unreadable', status: 304 }, loading: false }
  const value = answer.status === 304 ? before.value : answer.body
  return { value, fetched_at: daemonTime(), fault: null, loading: false, etag: answer.etag }
}

/** What is at that address, fetched when it is first shown. An empty address asks for nothing. */
export function useResource<T>(url: string): Loaded<T> {
  const entry = entryOf(url)
  useEffect(() => {
    if (url === '') return undefined
    entry.watchers += 1
    if (!entry.asked && (entry.state.peek().value === undefined || isOld(entry.state.peek())))
      void refresh(url)
    return () => {
      entry.watchers -= 1
    }
  }, [url])
  return entry.state.value as Loaded<T>
}

const FRESH_MS = 1000
const isOld = ({ fetched_at }: Loaded<unknown>): boolean => daemonTime() - fetched_at > FRESH_MS

/**
 * Fetches again what is shown and begins with one of these. The answer of what is not shown is forgotten, its entry is not: a page
 * that is drawn just now would wait for an entry that nobody fills.
 */
export function invalidate(prefixes: readonly string[] | 'all'): void {
  // Asking moves an entry to the end.
  const all = [...entries]
  for (const [url, entry] of all) {
    if (url === '' || (prefixes !== 'all' && !prefixes.some((prefix) => url.startsWith(prefix)))) continue
    if (entry.watchers > 0 || entry.asked) void refresh(url)
    else entry.state.value = EMPTY
  }
}
