/** Rules of the database that do not hold, each told at once; and that they cannot be looked at, told when it lasts. Pure. */
import type { Finding, FindingAsk, Findings, FindingSource } from '../../core/finding.ts'
import type { InvariantWatch, StandingInvariant } from './rounds/invariant-watch.ts'

const COMPONENT = 'database'

export const ruleFindings =
  (watch: Pick<InvariantWatch, 'standing'>): FindingSource =>
  (ask) =>
    evaluateRules(watch.standing(), ask)

export function evaluateRules(
  rules: readonly StandingInvariant[],
  ask: Pick<FindingAsk, 'awake_since'>,
): Findings {
  const unknown = rules.filter(({ holds }) => holds === null)
  const blind = unknown.length === 0 ? [] : [blindTo(unknown, ask)]
  return {
    findings: [...rules.filter(({ holds }) => holds === false).map(broken), ...blind],
    indeterminate: [
      ...(blind.length > 0 ? ['invariants/'] : []),
      // Before the first answer of a look, nobody knows which rules there are.
      ...(unknown.length === rules.length ? ['invariant/'] : unknown.map(({ name }) => `invariant/${name}/`)),
    ],
  }
}

const broken = ({ name, promise, detail, since }: StandingInvariant): Finding => ({
  id: `invariant/${name}/0`,
  kind: 'invariant_broken',
  severity: 'critical',
  component: COMPONENT,
  key: name,
  domains: [],
  since,
  message: `A rule of the database does not hold: ${promise} ${detail ?? ''}`.trim(),
  remedy: 'Keep a copy of the data directory; "plumbline status" says what breaks it and what helps.',
  alert_after_ms: 0,
})

/** One for all of them: it is one look. */
function blindTo(
  unknown: readonly StandingInvariant[],
  { awake_since }: Pick<FindingAsk, 'awake_since'>,
): Finding {
  const since = Math.max(awake_since, Math.min(...unknown.map((rule) => rule.since)))
  return {
    id: 'invariants/0',
    kind: 'unknown_lasting',
    severity: 'notice',
    component: COMPONENT,
    key: 'rules',
    domains: [],
    since,
    message: `Whether the rules of the database hold is not known: ${unknown[0]!.detail ?? 'it does not say why'}`,
    remedy:
      'See that the data directory can be read and that this host has room and memory; the log says more.',
    alert_after_ms: null,
  }
}
