/** What one rule is, and the short words that the rules are written in. */
export const JOB_ROLES = ['prometheus', 'alertmanager', 'grafana', 'traefik', 'node', 'blackbox'] as const
export type JobRole = (typeof JOB_ROLES)[number]

/** The job names of the scrape configuration. */
export type Jobs = Readonly<Record<JobRole, string>>

export const RULE_SEVERITIES = ['warning', 'high', 'critical'] as const
export type RuleSeverity = (typeof RULE_SEVERITIES)[number]

export interface Rule {
  readonly alert: string
  /** PromQL. */
  readonly expr: string
  /** So long the condition must hold; null: it is told at once. */
  readonly lasting: string | null
  readonly severity: RuleSeverity
  /** Where the series has none that people read. */
  readonly instance?: string
  readonly summary: string
  readonly description: string
}

export interface RuleGroup {
  readonly name: string
  readonly rules: readonly Rule[]
}

/** What stands in a regular expression for itself; within a PromQL string, where a backslash would be one more. */
export const literally = (text: string): string =>
  text.replaceAll(/[.+*?()|[\]{}^$\\]/g, (char) => `[${char}]`)

/** Series of one job. */
export const ofJob = (job: string): string => `{job="${job}"}`
/** The job does not answer, or is no longer there. */
export const isDown = (job: string): string => `up${ofJob(job)} == 0 or absent(up${ofJob(job)})`
