/** Something that is wrong now and that a person would want to hear of. */
import type { Instant } from '../kernel/clock.ts'

/** Closed, so that receivers can be written against it. */
export const ALERT_KINDS = [
  'route_open',
  'invariant_broken',
  'certificate_expired',
  'certificate_due',
  'edge_lost',
  'heartbeat_silent',
  'not_loaded',
  'dns_not_in_place',
  'consent_needed',
  'key_ending',
  'rotation_due',
  'repair_refused',
  'contested',
  'failing',
  'drift_lasting',
  'unfinished_lasting',
  'unknown_lasting',
] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** From the lightest to the worst: what gets worse is told again. */
export const SEVERITIES = ['notice', 'warning', 'urgent', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

export interface Alert {
  /** Of what is in trouble and not of how: a drift that becomes a failure is the same trouble, so only its end is one. */
  readonly id: string
  readonly kind: AlertKind
  readonly severity: Severity
  readonly component: string
  /** The part of it that is meant, such as `dns:example.com`. */
  readonly key: string
  /** Names concerned; none where it is everybody's. */
  readonly domains: readonly string[]
  readonly since: Instant
  /** A sentence that stays the same while nothing changes. */
  readonly message: string
  /** What would help. */
  readonly remedy: string
}

export const isWorse = (a: Severity, b: Severity): boolean => SEVERITIES.indexOf(a) > SEVERITIES.indexOf(b)
