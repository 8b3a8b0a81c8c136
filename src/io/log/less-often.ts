/**
 * A failure that comes again and again is told once, then once an hour with its count; in between it is a line at `debug`.
 * One that was not seen for a quarter of an hour was over, and is news. Lines that tell of no error always pass.
 */
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import type { Facts, Log } from '../../kernel/log.ts'

const REPORT_EVERY_MS: Milliseconds = 3_600_000
/** Longer than any wait between two tries. */
const OVER_AFTER_MS: Milliseconds = 900_000
const MAX_KEPT = 500

interface Failing {
  reported_ms: Milliseconds
  seen_ms: Milliseconds
  repeated: number
}

export function lessOften(log: Log, clock: Pick<Clock, 'elapsed'>): Log {
  const known = new Map<string, Failing>()
  const at =
    (level: 'warn' | 'error') =>
    (message: string, facts: Facts = {}): void => {
      if (!(facts['error'] instanceof Error)) return log[level](message, facts)
      const repeated = repeatsToReport(known, nameOf(message, facts), clock.elapsed())
      if (repeated === null) return log.debug(message, facts)
      log[level](message, repeated === 0 ? facts : { ...facts, repeated })
    }
  return {
    debug: (message, facts) => log.debug(message, facts),
    info: (message, facts) => log.info(message, facts),
    warn: at('warn'),
    error: at('error'),
  }
}

/** How often it came again since it was reported, 0 for news; null where it is not to be reported now. */
function repeatsToReport(known: Map<string, Failing>, name: string, now_ms: Milliseconds): number | null {
  const before = known.get(name)
  known.delete(name)
  if (known.size >= MAX_KEPT) known.delete(known.keys().next().value!)
  const is_news = before === undefined || now_ms - before.seen_ms >= OVER_AFTER_MS
  const repeated = is_news ? 0 : before.repeated + 1
  if (!is_news && now_ms - before.reported_ms < REPORT_EVERY_MS) {
    known.set(name, { ...before, seen_ms: now_ms, repeated })
    return null
  }
  known.set(name, { reported_ms: now_ms, seen_ms: now_ms, repeated: 0 })
  return repeated
}

/** Times are another each time; whatever else is said makes it another failure. */
function nameOf(message: string, facts: Facts): string {
  const said = Object.entries(facts).flatMap(([name, value]) => {
    if (name.endsWith('_ms')) return []
    if (value instanceof Error) return [`${name}=${errorText(value)}`]
    return typeof value === 'object' && value !== null ? [] : [`${name}=${String(value)}`]
  })
  return [message, ...said].join('\n').slice(0, 2000)
}

/** More than any chain of causes of ours has. */
const MAX_CAUSES = 16

/** Words that fit every trouble, such as "not read", tell two failures apart by what was behind them. */
function errorText(error: Error): string {
  const chain: unknown[] = [error]
  // It grows on the way.
  for (let at = 0; at < chain.length && chain.length < MAX_CAUSES; at++) chain.push(...behind(chain[at]))
  return chain.slice(0, MAX_CAUSES).map(ownText).join(' < ')
}

function behind(error: unknown): readonly unknown[] {
  if (!(error instanceof Error)) return []
  const parts = error instanceof AggregateError ? (error.errors as readonly unknown[]) : []
  return error.cause === undefined ? parts : [...parts, error.cause]
}

function ownText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { readonly code?: unknown }
  return `${error.name} ${typeof code === 'string' ? `${code} ` : ''}${error.message}`
}
