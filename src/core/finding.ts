/**
 * A finding: one thing that is wrong or not known, with who is concerned, how bad it is, how long it may last before people
 * are told, and what would help. Whoever keeps the thing classifies it; status page, alerts and doctor only tell it.
 */
import type { Instant, Milliseconds } from '../kernel/clock.ts'
import type { HealthComponent } from '../model/health.ts'
import type { Alert } from '../model/alert.ts'

export interface Finding extends Alert {
  /** How long it lasts before people are told; null: as long as the installation says. */
  readonly alert_after_ms: Milliseconds | null
}

/** How something that is wrong is told, whatever it is. */
export type Advice = Pick<Finding, 'kind' | 'severity' | 'alert_after_ms' | 'remedy'>

/** What a check may say of its own findings. */
export interface PartAdvice extends Advice {
  /** Its things or keys are told one by one; or it is no alert. */
  readonly is_reported_apart: boolean
}

export interface Findings {
  readonly findings: readonly Finding[]
  /** Beginnings of ids of which nothing is known now: what is not found there is not over. */
  readonly indeterminate: readonly string[]
}

/** Where everything is known: what is not among them is over. */
export const known = (findings: readonly Finding[]): Findings => ({ findings, indeterminate: [] })

/** What each finding of one moment is judged from. */
export interface FindingAsk {
  readonly now: Instant
  /** Since when this process has run without a gap: while the host slept, nobody could look. */
  readonly awake_since: Instant
  readonly signal: AbortSignal
  readonly overview: Overview
}

/** Nothing outside is asked by it: it is called every few seconds. Ordered by id. */
export type FindingSource = (ask: FindingAsk) => Findings | Promise<Findings>

/** What else is known at that moment: what only follows from something else is told by that alone. */
export interface Overview {
  /** As the last look left it; undefined where there is no such part. */
  readonly part: (name: string) => HealthComponent | undefined
  /** Whether a part is unknown for so long that people are told. */
  readonly isBlind: (name: string) => boolean
  /**
   * Whether the world is known not to be what was released.
   * @param key of the engine @param domain_id 0: for all who have no condition of their own
   */
  readonly differs: (key: string, domain_id: number) => boolean
}

/** What a target that is kept true says otherwise than the others do. */
export interface KeptWords {
  /** Of what only a person can let be repaired. */
  readonly refused?: Advice
  /** Whether it is unknown only because something else is, which is told by itself. */
  readonly isBlindedBy?: (overview: Overview) => boolean
}
