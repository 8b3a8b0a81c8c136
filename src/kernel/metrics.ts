/** Counting without knowing who collects. Labels come from closed sets; a domain name is never a label. */
export type Labels = Readonly<Record<string, string>>

export interface Metrics {
  /** Adds to a counter that only grows. */
  count(name: CounterName, labels?: Labels, by?: number): void
  /** Sets a gauge to what is true now. */
  gauge(name: GaugeName, value: number, labels?: Labels): void
  /** Takes a gauge back: what was true is not known any more. */
  forget(name: GaugeName, labels?: Labels): void
  /** Records one duration in seconds. */
  observe(name: DurationName, seconds: number, labels?: Labels): void
}

export type CounterName =
  | 'plumbline_reconcile_total'
  | 'plumbline_reconcile_panics_total'
  | 'plumbline_plan_actions_total'
  | 'plumbline_guard_hits_total'
  | 'plumbline_http_requests_total'
  | 'plumbline_http_identity_dropped_total'
  | 'plumbline_releases_total'
  | 'plumbline_notifications_total'

export type GaugeName =
  | 'plumbline_drift'
  | 'plumbline_last_success_timestamp_seconds'
  | 'plumbline_queue_depth'
  | 'plumbline_queue_oldest_seconds'
  | 'plumbline_journal_open_steps'
  | 'plumbline_domains'
  | 'plumbline_component_ok'
  | 'plumbline_component_unknown'
  | 'plumbline_component_age_seconds'
  | 'plumbline_invariant_holds'
  | 'plumbline_open_troubles'

export type DurationName =
  | 'plumbline_reconcile_duration_seconds'
  | 'plumbline_queue_wait_seconds'
  | 'plumbline_http_request_duration_seconds'
