/**
 * The last report of each name that was refused, until one is taken: whoever asks why an address is old finds it here. Kept in
 * memory, for names that are known alone, so that no stranger makes it grow.
 */
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
import { Failure, type FailureCode } from '../../../kernel/failure.ts'
import type { EventLog } from '../../../core/events/event-log.ts'
import { asSentence } from '../../../kernel/text/sentence.ts'
import { parseDomainName } from '../../../model/domain/hostname.ts'

export interface RefusedReport {
  readonly at: Instant
  readonly code: FailureCode
  readonly detail: string
}

export interface RefusedReportsParts {
  readonly clock: Clock
  readonly events: Pick<EventLog, 'note'>
  /** Whether reports of it are expected: it has a key, or an address. */
  readonly isKnown: (host: string) => boolean
}

/** What a repeat, or the daemon's own recovery, mends: no fault of the report. */
const PASSING: ReadonlySet<FailureCode> = new Set(['rate_limited', 'storage_full', 'storage_unwritable'])

/** Of a name that somebody made up. */
const MAX_SHOWN = 80

/** Whatever reports name, they tell of a host and a code no oftener: one key must not push out the events of others. */
const REPORTED_EVERY_MS: Milliseconds = 10 * 60_000

interface ReportedRefusal {
  /** On the monotonic clock. */
  readonly at_ms: Milliseconds
  readonly detail: string
  /** A report was taken since. */
  readonly is_over: boolean
}

export class RefusedReports {
  readonly #parts: RefusedReportsParts
  readonly #last = new Map<string, RefusedReport>()
  /** By host and code. */
  readonly #reported = new Map<string, Map<FailureCode, ReportedRefusal>>()

  constructor(parts: RefusedReportsParts) {
    this.#parts = parts
  }

  of(host: string): RefusedReport | null {
    return this.#last.get(host) ?? null
  }

  /** A report of it was taken. */
  taken(host: string): void {
    this.#last.delete(host)
    const reported = this.#reported.get(host)
    for (const [code, one] of reported ?? []) reported!.set(code, { ...one, is_over: true })
  }

  /**
   * What the work throws is remembered.
   * @param own the name of the token that it came with, which stands for it; null where it came with none
   * @param asked the name as the report spells it
   */
  async noting<T>(own: string | null, asked: string, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Failure) this.#refused(own, asked, error)
      throw error
    }
  }

  #refused(own: string | null, asked: string, { code, message, details }: Failure): void {
    const { clock, events, isKnown } = this.#parts
    const parsed = parseDomainName(asked)
    const host = own ?? (parsed.ok ? parsed.value : asked)
    if (PASSING.has(code) || !isKnown(host)) return
    const [field] = details.errors ?? []
    const detail =
      code === 'token_not_for_name'
        ? `its key was used for another name: ${asked.slice(0, MAX_SHOWN)}`
        : field === undefined
          ? message
          : `${field.loc.at(-1)}: ${field.msg}`
    // Of a wrong key nobody knows whose it is: no stranger's takes the place of what the host's own report was refused for.
    const is_unproven = code === 'wrong_key'
    const known = this.#last.get(host)?.code ?? 'wrong_key'
    if (!is_unproven || known === 'wrong_key') this.#last.set(host, { at: clock.now(), code, detail })
    if (is_unproven || !this.#isNews(host, code, detail)) return
    events.note('address', `${host}: a report was refused: ${asSentence(detail)}`, { host, refused: code })
  }

  /** A gateway repeats itself every few minutes. */
  #isNews(host: string, code: FailureCode, detail: string): boolean {
    const at_ms = this.#parts.clock.elapsed()
    const reported = this.#reported.get(host) ?? new Map<FailureCode, ReportedRefusal>()
    const before = reported.get(code)
    if (before !== undefined) {
      if (at_ms - before.at_ms < REPORTED_EVERY_MS) return false
      if (before.detail === detail && !before.is_over) return false
    }
    this.#reported.set(host, reported.set(code, { at_ms, detail, is_over: false }))
    return true
  }
}
