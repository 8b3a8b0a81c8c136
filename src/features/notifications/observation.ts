/** What is wrong at one moment, and what cannot be told. */
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import type { Alert } from '../../model/alert.ts'
import type { Finding, Findings } from '../../core/finding.ts'

export interface DueAlert extends Alert {
  /** Since when it has lasted long enough to be told. */
  readonly due_at: Instant
}

export interface Observation {
  readonly alerts: readonly DueAlert[]
  /** Beginnings of ids of which nothing is known now: what is not seen there is not over. */
  readonly indeterminate: readonly string[]
}

export const joined = (found: readonly Findings[]): Findings => ({
  findings: found.flatMap(({ findings }) => findings),
  indeterminate: found.flatMap(({ indeterminate }) => indeterminate),
})

/** @param after_ms what the installation says of whatever says nothing itself */
export const withDueTime = (finding: Finding, after_ms: Milliseconds): DueAlert => ({
  ...plain(finding),
  due_at: finding.since + (finding.alert_after_ms ?? after_ms),
})

export const isIndeterminate = ({ indeterminate }: Pick<Observation, 'indeterminate'>, id: string): boolean =>
  indeterminate.some((beginning) => id.startsWith(beginning))

/** What begins while a look is under way begins after it. */
const MAX_LOOK_MS: Milliseconds = 60_000

/** A clock that was set back lets nothing wait. */
export const isDue = ({ due_at, since }: DueAlert, now: Instant): boolean =>
  due_at <= now || since > now + MAX_LOOK_MS

/** As it is remembered. */
export const plain = (of: Alert): Alert => {
  const { id, kind, severity, component, key, domains, since, message, remedy } = of
  return { id, kind, severity, component, key, domains, since, message, remedy }
}
