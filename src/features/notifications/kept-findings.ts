/**
 * From what is known of one key that is kept true to its troubles, as its conditions are advised on. Pure.
 *
 * The id names the key and the domain, so a drift that cannot be looked at any more stays the same trouble. While a key is
 * not right as a whole, no trouble of its domains is over: the row of a domain falls away where everybody shares one.
 */
import { isAllIgnored } from '../../engine/status/key-status.ts'
import { type KeyConditions, differingConditions, sharedOf } from '../../engine/status/key-conditions.ts'
import type { Instant } from '../../kernel/clock.ts'
import type { Condition } from '../../model/condition.ts'
import type { Mode } from '../../model/mode.ts'
import { adviceOnKept } from '../health/advice.ts'
import type { Advice, Finding, FindingAsk, Findings, KeptWords } from '../../core/finding.ts'

export interface KeptFacts extends Pick<FindingAsk, 'now' | 'awake_since' | 'overview'> {
  /** Names of domains by id. */
  readonly names: ReadonlyMap<number, string>
  readonly modeOf: (component: string) => Mode
  /** Items of a key that a person has said may stay: nobody is told of them before their end. */
  readonly ignoredAt: (key: string) => ReadonlySet<string>
  /** By component. */
  readonly words: Readonly<Record<string, KeptWords>>
}

export function keptFindings(of_key: KeyConditions, facts: KeptFacts): Findings {
  const shared = sharedOf(of_key, facts.now)
  const rows = [shared, ...differingConditions(of_key, [], facts.now)]
  const all_known = shared.status === 'true' && rows.every(({ status }) => status !== 'unknown')
  return {
    findings: rows.flatMap((row) => findingOf(row, of_key, facts) ?? []),
    indeterminate: all_known ? [] : [`condition/${of_key.key}/`],
  }
}

function findingOf(row: Condition, of_key: KeyConditions, facts: KeptFacts): Finding | null {
  const { component, key } = of_key
  const advice = adviceOf(row, of_key, facts)
  if (advice === null) return null
  const { domain_id, message } = row
  const { kind, severity, alert_after_ms, remedy } = advice
  return {
    id: `condition/${key}/${domain_id}`,
    kind,
    severity,
    component,
    key,
    domains: domain_id === 0 ? [] : [facts.names.get(domain_id) ?? `domain ${domain_id}`],
    since: sinceOf(row, facts),
    message,
    remedy,
    alert_after_ms,
  }
}

function adviceOf(
  { status, reason }: Condition,
  { component, key, found }: KeyConditions,
  { words, modeOf, ignoredAt, overview }: KeptFacts,
): Advice | null {
  if (status === 'true') return null
  if (reason === 'drifting' && found !== null) {
    const { differences } = found
    if (isAllIgnored({ counts: found.causes.values(), differences }, ignoredAt(key))) return null
  }
  const own = words[component]
  const causes = [...(found?.causes.keys() ?? [])]
  const advice = adviceOnKept({ reason, causes, mode: modeOf(component), words: own })
  if (advice === null || advice.is_reported_apart) return null
  return advice.kind === 'unknown_lasting' && own?.isBlindedBy?.(overview) === true ? null : advice
}

const sinceOf = ({ reason, last_transition_at }: Condition, { awake_since }: KeptFacts): Instant =>
  reason === 'stale' ? Math.max(last_transition_at, awake_since) : last_transition_at
