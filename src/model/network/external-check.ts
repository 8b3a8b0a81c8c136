/** What a look at the hub from outside found. The result is the specification's, field by field. */

export const EXTERNAL_CHECKS = ['dns', 'connectivity', 'prometheus', 'grafana'] as const
export type ExternalCheckName = (typeof EXTERNAL_CHECKS)[number]

export const EXTERNAL_PROBES = ['dns', 'ping', 'https', 'prometheus', 'grafana'] as const
export type ExternalProbe = (typeof EXTERNAL_PROBES)[number]

export interface ExternalResult {
  /** ISO 8601, UTC. */
  readonly timestamp: string
  /** Seconds since 1970-01-01. */
  readonly unix_timestamp: number
  readonly status: 'up' | 'degraded' | 'down'
  /** 20 for each probe that passed. */
  readonly connectivity_score: number
  readonly checks: Readonly<Record<ExternalCheckName, 'up' | 'down'>>
}

export interface ProbeOutcome {
  readonly passed: boolean
  /** Somebody is there, though it did not pass. */
  readonly answers: boolean
  /** What was seen, as a sentence without its end. */
  readonly detail: string
  /** Another try would find the same. */
  readonly is_final: boolean
}

export type ExternalProbes = Readonly<Record<ExternalProbe, ProbeOutcome>>

export interface ExternalReport {
  readonly hub: string
  /** Null where the hub could not be judged. */
  readonly result: ExternalResult | null
  readonly probes: ExternalProbes | null
  /** What went otherwise than it should, a sentence each. */
  readonly warnings: readonly string[]
  /** What people were sent by this run. */
  readonly mailed: 'loss' | 'recovery' | 'both' | null
  /** What was found could not be kept. */
  readonly is_unsaved: boolean
}
