/**
 * Something that is looked at in rounds, and the words in which a look answers.
 *
 * A look only reads. Trouble that is expected is a finding; a thrown Failure is unknown too, with its message. It should
 * heed its signal; one that does not is left behind, and the part is unknown until it has ended.
 */
import type { Instant, Milliseconds } from '../kernel/clock.ts'
import type { Overview, PartAdvice } from './finding.ts'
import {
  type HealthComponent,
  type HealthDifference,
  type HealthFinding,
  type HealthKind,
  type HealthReason,
  MAX_DIFFERENCES,
} from '../model/health.ts'
import { firstNames } from '../kernel/text/first-names.ts'

/** What stands in files here is looked at so often that a change is shown within five seconds. */
export const FILES_EVERY_MS: Milliseconds = 3_000

export interface HealthCheck {
  readonly name: string
  /** Its family; left out: the name itself. Never with a domain's name in it. */
  readonly component?: string
  readonly kind: Exclude<HealthKind, 'kept'>
  /** False: it is never looked at. What only data can tell is said by `notConfigured`. */
  readonly configured: boolean
  /** How often it is looked at. */
  readonly every_ms: Milliseconds
  /** The look reads what is known already, and asks nobody: it is made for each page as well. */
  readonly reads_kept?: true
  /** How old may be what a look tells; left out: three times as often. */
  readonly stale_after_ms?: Milliseconds
  readonly look: (ask: LookAsk) => Promise<LookedAt>
  /**
   * A cheap stamp of what the look reads, compared at each tick: another one, or null, and the part is looked at although it
   * is not its time. Left out: its time alone decides.
   */
  readonly glance?: () => string | null
  /** What it knows better of what it finds than what follows from the state (`adviceOn`). Pure. */
  readonly advises?: (found: HealthFinding) => Partial<PartAdvice>
  /** Whether it is as it is only because something else is, which is told by itself. Meanwhile nothing of it is over. */
  readonly follows?: (own: HealthComponent, overview: Overview) => boolean
}

/** A check, and how what it looks at is by now. */
export interface Watched {
  readonly check: HealthCheck
  readonly part: HealthComponent
}

/** Of a check whose things or keys are told one by one. */
export const reportedApart = (remedy: string) => (): Partial<PartAdvice> => ({
  remedy,
  is_reported_apart: true,
})

export interface LookAsk {
  readonly signal: AbortSignal
  /** Somebody wants to know how it is now: what others keep for a while is to be asked anew. */
  readonly afresh: boolean
}

export interface LookedAt extends HealthFinding {
  /** When what is told was seen, if not by this look. */
  readonly observed_at?: Instant
  readonly next_attempt_at?: Instant | null
}

interface Extra {
  readonly details?: HealthFinding['details']
  readonly differences?: readonly HealthDifference[]
  readonly causes?: Readonly<Record<string, number>>
  readonly observed_at?: Instant
  readonly next_attempt_at?: Instant | null
}

export const healthy = (message: string, extra: Extra = {}): LookedAt =>
  finding({ ok: true, drift: false, cause: null, reason: 'healthy', message }, extra)

/** It is as it should be as far as it can be by now. */
export const onItsWay = (message: string, extra: Extra = {}): LookedAt => ({
  ...healthy(message, extra),
  reason: 'propagating',
})

/** @param extra `details.settings` are the settings that would set it up, where there are any */
export const notConfigured = (message: string, extra: Extra = {}): LookedAt => ({
  ...healthy(message, extra),
  reason: 'not_configured',
})

/** It is not what the database says. */
export const drifting = (cause: string, message: string, extra: Extra = {}): LookedAt =>
  finding({ ok: false, drift: true, cause, reason: 'drifting', message }, extra)

/** It is known to be wrong, and it is no drift. */
export const impaired = (cause: string, message: string, extra: Extra = {}): LookedAt =>
  finding({ ok: false, drift: false, cause, reason: 'impaired', message }, extra)

export const unknown = (reason: HealthReason, message: string, extra: Extra = {}): LookedAt =>
  finding({ ok: false, drift: null, cause: null, reason, message }, extra)

type Core = Pick<HealthFinding, 'ok' | 'drift' | 'cause' | 'reason' | 'message'>

function finding(core: Core, extra: Extra): LookedAt {
  const { details = {}, differences = [], causes, ...times } = extra
  return {
    ...core,
    causes: causes ?? (core.cause === null ? {} : { [core.cause]: Math.max(1, differences.length) }),
    differences: differences.slice(0, MAX_DIFFERENCES),
    details,
    ...times,
  }
}

/** Counts by cause; a cause that is not there is not in it. */
export const countsOf = (differences: readonly Pick<HealthDifference, 'cause'>[]): Record<string, number> =>
  countsBy(differences, ({ cause }) => cause)

export function countsBy<T>(all: readonly T[], keyOf: (one: T) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const one of all) counts[keyOf(one)] = (counts[keyOf(one)] ?? 0) + 1
  return counts
}

/** Names for a sentence: the first few of them. */
export const named = (names: readonly string[]): string => firstNames(names, MAX_NAMED)

const MAX_NAMED = 5

/** Whether what a look gave is an answer at all: a part must not be taken for clean because its look is broken. */
export function isFinding(value: unknown): value is LookedAt {
  if (typeof value !== 'object' || value === null) return false
  const { ok, drift, reason, message, differences, causes, details, observed_at } = value as Partial<LookedAt>
  const says =
    typeof ok === 'boolean' &&
    (drift === null || typeof drift === 'boolean') &&
    typeof reason === 'string' &&
    typeof message === 'string'
  const shows = Array.isArray(differences) && typeof causes === 'object' && typeof details === 'object'
  const is_dated = observed_at === undefined || Number.isFinite(observed_at)
  return says && shows && is_dated && (!ok || drift === false)
}
