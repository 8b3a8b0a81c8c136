/** Every set of a zone that neither a wish nor the ledger accounts for, for people: it is shown and never touched. Pure. */
import type { ChallengeRecord } from '../challenges/port.ts'
import { holdsName, type ZoneState } from './zones/zone-state.ts'
import { readMark } from './marks/marker.ts'
import type { DnsRecordView, OtherRecord } from '../views.ts'

/**
 * @param records what is shown of already
 * @param domains names of all saved records
 * @param challenges what we put there for an order that is under way
 */
export function othersIn(
  state: ZoneState,
  records: readonly DnsRecordView[],
  domains: ReadonlySet<string>,
  challenges: readonly ChallengeRecord[] = [],
): readonly OtherRecord[] {
  const own = new Set(challenges.map(({ name, value }) => `${name} ${value}`))
  const shown = new Set(records.filter(({ observed }) => observed !== null).map(keyOf))
  return state.rrsets
    .filter((set) => !shown.has(keyOf(set)) && !isOwnMark(set, state))
    .map((set) => (set.type === 'TXT' ? withoutOwn(set, own) : set))
    .filter((set) => set.values.length > 0)
    .map((set) => shownOther(set, state, domains))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

const shownOther = (
  { name, type, values, ttl, proxied, comment }: ZoneState['rrsets'][number],
  state: ZoneState,
  domains: ReadonlySet<string>,
): OtherRecord => ({
  zone: state.zone,
  account: state.account,
  name,
  type,
  values: [...values],
  ttl,
  proxied,
  comment,
  domain: domains.has(name) && holdsName(state, name) ? name : null,
})

const keyOf = ({ name, type }: { readonly name: string; readonly type: string }): string => `${name} ${type}`

/** Beside a value of ours somebody else may have put one for an order of theirs. */
const withoutOwn = <T extends { readonly name: string; readonly values: readonly string[] }>(
  set: T,
  own: ReadonlySet<string>,
): T => ({ ...set, values: set.values.filter((value) => !own.has(`${set.name} ${value}`)) })

/** The TXT that says of the name beside it that it is ours. */
const isOwnMark = ({ type, values }: ZoneState['rrsets'][number], { installation_id }: ZoneState): boolean =>
  type === 'TXT' &&
  values.length > 0 &&
  values.every((value) => readMark(value, installation_id)?.kind === 'ours')
