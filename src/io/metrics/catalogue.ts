/**
 * Every metric: what it says, which labels it has, how its durations are cut. Label values come from
 * closed sets (targets, outcomes, route patterns); domain names never, they would make a series each.
 */
import type { CounterName, DurationName, GaugeName, Labels } from '../../kernel/metrics.ts'

interface Described {
  readonly help: string
  readonly labels: readonly string[]
}

interface Counted extends Described {
  /** Where callers choose the labels: after so many different ones, these values stand for all others. */
  readonly limit?: { readonly series: number; readonly beyond: Labels }
}

export const COUNTERS: Readonly<Record<CounterName, Counted>> = {
  plumbline_reconcile_total: {
    help: 'Passes over a component by their outcome.',
    labels: ['component', 'result'],
  },
  plumbline_reconcile_panics_total: {
    help: 'Passes that ended in an error nobody expected.',
    labels: ['component'],
  },
  plumbline_plan_actions_total: {
    help: 'Changes made to the world.',
    labels: ['component', 'verb'],
  },
  plumbline_guard_hits_total: {
    help: 'Changes that a guard refused.',
    labels: ['component', 'rule'],
  },
  plumbline_http_requests_total: {
    help: 'Answered requests by route pattern; refused: of callers who may not call it; other: beyond the first 200.',
    labels: ['method', 'route', 'status'],
    limit: { series: 200, beyond: { method: 'other', route: 'other' } },
  },
  plumbline_http_identity_dropped_total: {
    help: 'Requests whose identity headers came without proof and were not believed.',
    labels: [],
  },
  plumbline_releases_total: { help: 'Releases made.', labels: [] },
  plumbline_notifications_total: {
    help: 'Tries to tell somebody what is wrong: sent, failed (tried again), refused or given_up.',
    labels: ['channel', 'result'],
  },
}

export const GAUGES: Readonly<Record<GaugeName, Described>> = {
  plumbline_drift: {
    help: 'Differences found by the last look, by cause; absent while unknown.',
    labels: ['component', 'cause'],
  },
  plumbline_last_success_timestamp_seconds: {
    help: 'When a component was last found or made true, in seconds since 1970.',
    labels: ['component'],
  },
  plumbline_queue_depth: { help: 'Keys that are due and wait for their pass.', labels: [] },
  plumbline_queue_oldest_seconds: { help: 'How long the oldest due key has waited.', labels: [] },
  plumbline_journal_open_steps: { help: 'Steps whose result is not written yet.', labels: [] },
  plumbline_domains: { help: 'Domain records by status.', labels: ['status'] },
  plumbline_component_ok: {
    help: 'Whether a component is known to be as it should be: 1 or 0. Unknown is 0.',
    labels: ['component'],
  },
  plumbline_component_unknown: {
    help: 'How many parts of a component are not known to be as they should be, or not to be.',
    labels: ['component'],
  },
  plumbline_component_age_seconds: {
    help: 'Age of what is known of a component; of its oldest part where it has many. Absent before the first look.',
    labels: ['component'],
  },
  plumbline_invariant_holds: {
    help: 'Whether a rule of the database holds: 1 or 0. Absent while unknown.',
    labels: ['invariant'],
  },
  plumbline_open_troubles: {
    help: 'What is wrong and has lasted, by kind, whether or not anybody is told of it.',
    labels: ['kind'],
  },
}

interface Timed extends Described {
  /** Upper bounds in seconds. */
  readonly buckets: readonly number[]
}

export const DURATIONS: Readonly<Record<DurationName, Timed>> = {
  plumbline_reconcile_duration_seconds: {
    help: 'How long passes took.',
    labels: ['component'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  plumbline_queue_wait_seconds: {
    help: 'How long keys waited for their pass after they were due.',
    labels: [],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
  },
  plumbline_http_request_duration_seconds: {
    help: 'How long requests took, from the first byte read to the answer.',
    // Seventeen series for each value: routes would make thousands. The log has them with the time that each took.
    labels: ['method'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
}
