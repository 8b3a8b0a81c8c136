/**
 * Keys of dynamic DNS that a person has to see to. Pure. No other key of ours ends by itself.
 *
 *   older than the quarter, no successor                     rotation_due, notice
 *   has a successor, and its router still uses the old one   key_ending, warning once half of its grace is over
 *   has ended so                                             key_ending, urgent: the router is shut out
 */
import { type Instant, isoTime } from '../../../kernel/clock.ts'
import type { DdnsToken } from '../records.ts'
import { latestRotation } from '../../../kernel/quarterly.ts'
import { type Finding, type FindingSource, known } from '../../../core/finding.ts'
import type { Ddns } from '../ddns.ts'
import { isDue } from './rotate-by-schedule.ts'
import { hasEnded } from '../../../kernel/issued-secret.ts'

export const keyFindings =
  ({ tokens }: Pick<Ddns, 'tokens'>): FindingSource =>
  ({ now }) =>
    known(evaluateKeys(tokens.list(), now))

/** At most one for a host. @param tokens ended ones, too */
export function evaluateKeys(tokens: readonly DdnsToken[], now: Instant): readonly Finding[] {
  return [...Map.groupBy(tokens, ({ host }) => host).values()].flatMap((of_host) => {
    // A successor has the label of the key that it follows; others are keys of other routers.
    const by_label = [...Map.groupBy(of_host, ({ label }) => label).values()]
    const ending = by_label.flatMap((lineage) => endingIn(lineage, now) ?? [])
    return [...ending, ...by_label.flatMap((lineage) => rotationDue(lineage, now) ?? [])].slice(0, 1)
  })
}

const base = { component: 'ddns', key: 'ddns' } as const
const idOf = (host: string): string => `ddns-key/${host}/0`

function rotationDue(lineage: readonly DdnsToken[], now: Instant): Finding | null {
  const going = lineage.filter(({ expires_at }) => expires_at === null)
  const [old] = going
  if (old === undefined || !going.every((token) => isDue(token, now))) return null
  const since = latestRotation(now)
  return {
    ...base,
    id: idOf(old.host),
    kind: 'rotation_due',
    severity: 'notice',
    domains: [old.host],
    since,
    message: 'Its key is older than the quarter and has no successor; until it has one, it stays valid.',
    remedy:
      '"plumbline token list" shows the keys; "plumbline token rotate ID" makes the next one for the router.',
    alert_after_ms: 0,
  }
}

/** Whether its router knows the new key is seen only by its calls: one that is silent says nothing. */
function endingIn(lineage: readonly DdnsToken[], now: Instant): Finding | null {
  const successor = lineage.findLast(({ expires_at }) => expires_at === null)
  const used = lineage.filter(({ last_used_at }) => last_used_at !== null)
  const latest = used.toSorted((a, b) => b.last_used_at! - a.last_used_at!)[0]
  if (successor === undefined || latest === undefined || latest.expires_at === null) return null
  if (latest.created_at > successor.created_at || latest.last_used_at! < successor.created_at) return null
  const { host, expires_at } = latest
  const is_over = hasEnded(latest, now)
  return {
    ...base,
    id: idOf(host),
    kind: 'key_ending',
    severity: is_over ? 'urgent' : 'warning',
    domains: [host],
    since: successor.created_at,
    message: is_over
      ? `Its old key ended at ${isoTime(expires_at)}, and its router was never seen with the new one.`
      : `Its old key ends at ${isoTime(expires_at)}, and its router still uses it.`,
    remedy: 'Put the new key into the router; "plumbline token rotate ID" makes another where it was lost.',
    alert_after_ms: (expires_at - successor.created_at) / 2,
  }
}
