/**
 * `Prefer: respond-async` (RFC 7240 §4.1): what can be refused at once is refused at once; the rest goes on as an
 * operation, whose address is the answer. Under an Idempotency-Key that answer is remembered, so that a repeat is led to
 * the same operation, however that ended.
 */
import { type Background, type BackgroundAnswer, MAX_WAIT_MS } from '../core/background/background.ts'
import type { OperationProgress } from '../core/background/progress.ts'
import type { Reader } from '../core/shares.ts'
import type { Subjects } from '../core/subjects.ts'
import type { Milliseconds } from '../kernel/clock.ts'
import type { Actor } from '../model/actor.ts'
import { headerValues, type RequestFacts, splitTarget } from './access/request-facts.ts'
import type { Endpoint } from './contract.ts'
import type { Plain } from './plain.ts'
import { problemOf } from './problem.ts'

const PREFERENCE = 'respond-async'

export function answersLater(endpoint: Endpoint, facts: RequestFacts): boolean {
  const { respond_async } = endpoint
  return (
    respond_async === 'always' ||
    (respond_async === 'asked' && prefers(facts, PREFERENCE) && (preferredWait(facts) ?? 0) === 0)
  )
}

export interface LaterCall {
  readonly background: Background
  readonly facts: RequestFacts
  readonly actor: Actor
  readonly reader: Reader
  readonly progress: OperationProgress
  readonly subjects: Subjects
  /** Told of what was thrown and is not meant for callers. */
  readonly surprised: (error: unknown) => void
  /** Told why the call could not become an operation: its caller waits on. */
  readonly staysCall: (error: unknown) => void
}

/** 202 as soon as the operation is durable; `work` runs on and its answer is kept, a problem like any other. */
export async function respondLater(
  { background, facts, actor, reader, surprised, progress, subjects }: Omit<LaterCall, 'staysCall'>,
  work: (signal: AbortSignal) => Promise<Plain>,
): Promise<Plain> {
  const { name, request_id } = actor
  const { path } = splitTarget(facts.target)
  const operation = await background.start(
    { actor: name, reader, request_id, method: facts.method, path, progress, subjects },
    (signal) => keptAnswer(() => work(signal), { surprised, request_id }),
  )
  const honoured = appliedOf(facts)
  const applied = honoured === '' ? {} : { 'preference-applied': honoured }
  const location = `/api/operations/${operation.id}`
  const headers = { 'content-type': 'application/json', location, ...applied }
  return { status: 202, headers, body: JSON.stringify(operation) }
}

async function keptAnswer(
  work: () => Promise<Plain>,
  { surprised, request_id }: Pick<LaterCall, 'surprised'> & Pick<Actor, 'request_id'>,
): Promise<BackgroundAnswer> {
  try {
    const { status, body } = await work()
    return { status, body: textOf(body) }
  } catch (error) {
    surprised(error)
    const { status, body } = problemOf(error, request_id)
    return { status, body: JSON.stringify(body) }
  }
}

/** A wait that is longer than ours is not honoured as it stands. */
function appliedOf(facts: RequestFacts): string {
  const wait_ms = preferredWait(facts)
  const is_kept = wait_ms !== null && wait_ms <= MAX_WAIT_MS
  return [prefers(facts, PREFERENCE) ? PREFERENCE : [], is_kept ? `wait=${wait_ms / 1000}` : []]
    .flat()
    .join(', ')
}

/**
 * The answer, where it comes in time: within the time that the caller would wait, or within ours where it does not say. What
 * takes longer goes on as an operation, and does not mind any more when its caller leaves. Until then, and where it cannot
 * become an operation, the end of the caller is its end, and so is the end of the daemon.
 */
export async function respondInTime<T extends Plain | Response>(
  later: LaterCall,
  caller: AbortSignal,
  { work, settled }: { work: (signal: AbortSignal) => Promise<T>; settled: (reply: T) => Promise<Plain> },
): Promise<T | Plain> {
  const ends = new AbortController()
  const unlink = endsWith(caller, ends)
  const working = work(ends.signal)
  try {
    const reply = await inTime(later, working)
    if (reply !== null) return reply
  } finally {
    unlink()
  }
  try {
    return await respondLater(later, (signal) => {
      const unlink_end = endsWith(signal, ends)
      return working.then(settled).finally(unlink_end)
    })
  } catch (error) {
    later.staysCall(error)
  }
  const unlinks = [caller, later.background.ending].map((signal) => endsWith(signal, ends))
  return working.finally(() => unlinks.forEach((unlink_one) => unlink_one()))
}

/** Null when the caller has waited long enough. */
async function inTime<T>({ background, facts }: LaterCall, working: Promise<T>): Promise<T | null> {
  const over = new AbortController()
  const late = background.answerTimeout(over.signal, preferredWait(facts)).then(
    () => null,
    () => working,
  )
  try {
    return await Promise.race([working, late])
  } finally {
    over.abort()
  }
}

/** Also where the signal has ended already. Gives what undoes it. */
function endsWith(signal: AbortSignal, work: AbortController): () => void {
  const end = () => work.abort(signal.reason)
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  return () => signal.removeEventListener('abort', end)
}

const textOf = (body: Plain['body']): string =>
  typeof body === 'string' ? body : Buffer.from(body).toString()

// What a caller prefers (`Prefer`, RFC 7240), in any of its lines and beside any others.

const NUMBER = /^"(\d+)"$/

/** Without their parameters. */
const preferences = (facts: RequestFacts): readonly string[] =>
  unquoted(headerValues(facts, 'prefer').join(','))
    .split(',')
    .map((preference) => preference.split(';', 1)[0]!.trim().toLowerCase())

/**
 * What is quoted may hold commas, and nothing that is asked for here but a number. Each character is looked at once: a
 * quote that is never closed is a character like any other.
 */
function unquoted(text: string): string {
  const parts: string[] = []
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at)
    const end = quote < 0 ? -1 : endOfQuoted(text, quote)
    if (end < 0) {
      parts.push(text.slice(at))
      break
    }
    const quoted = text.slice(quote, end)
    parts.push(text.slice(at, quote), NUMBER.exec(quoted)?.[1] ?? '""')
    at = end
  }
  return parts.join('')
}

/** Behind its last quote; -1 where there is none, and then there is none for any later start either. */
function endOfQuoted(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return -1
}

export const prefers = (facts: RequestFacts, name: string): boolean => preferences(facts).includes(name)

/** How long the caller would wait for an answer (§4.3: the first one counts); null where it does not say. */
export function preferredWait(facts: RequestFacts): Milliseconds | null {
  for (const preference of preferences(facts)) {
    const seconds = /^wait\s*=\s*(\d{1,9})$/.exec(preference)?.[1]
    if (seconds !== undefined) return Number(seconds) * 1000
  }
  return null
}
