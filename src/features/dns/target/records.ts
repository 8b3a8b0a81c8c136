/** Every managed set of a zone, and every stranger's at a name that we want, for people. Pure. */
import { type ManagedType, rrsetItem } from '../../../model/network/dns.ts'
import { type Decision, decide } from './deciding/decide.ts'
import type { DnsDesired } from './desire.ts'
import { wantedSets } from './deciding/wanted.ts'
import { contentOf } from './writing/plan-upsert.ts'
import type { Ownership } from './deciding/ownership.ts'
import { setText } from './marks/set-text.ts'
import type { ZoneState } from './zones/zone-state.ts'
import type { DnsRecordView, RecordState } from '../views.ts'

/** Ordered by name and type. */
export function recordViews(desired: DnsDesired, state: ZoneState): readonly DnsRecordView[] {
  const domains = new Map(
    [...desired.retired, ...desired.unpublished, ...desired.kept, ...desired.wanted].map(
      ({ domain_id, name }) => [domain_id, name],
    ),
  )
  const sets = decide(desired, state).map((decision) => viewOf(decision, state, domains))
  return [...sets, ...unaddressedViews(desired, state)].sort((a, b) =>
    a.name === b.name ? compare(a.type, b.type) : compare(a.name, b.name),
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function viewOf(decision: Decision, state: ZoneState, domains: ReadonlyMap<number, string>): DnsRecordView {
  const { evaluated } = decision
  const { name, ownership, wanted, row, conflict, beside } = evaluated
  const content = wanted === null ? null : contentOf(state, { ...evaluated, wanted })
  const there = evaluated.listed ?? conflict?.alias ?? null
  const of_set = wanted?.row.domain_id ?? row?.domain_id ?? beside?.domain_id
  const domain_id = (of_set ?? idAt(evaluated, domains)) || null
  return {
    zone: state.zone,
    account: state.account,
    name,
    type: evaluated.listed === null && there !== null ? there.type : evaluated.type,
    managed_type: evaluated.type,
    state: conflict === null ? stateOf(ownership) : 'conflict',
    domain_id,
    domain: domain_id === null ? null : (domains.get(domain_id) ?? null),
    desired: content?.values ?? null,
    observed: there?.values ?? null,
    ttl: (there ?? content)?.ttl ?? null,
    desired_ttl: content?.ttl ?? null,
    proxied: (there ?? content)?.proxied ?? null,
    comment: there?.comment ?? null,
    detail: detailOf(decision),
  }
}

/** An orphan is that of the record which has the name now, or else of the one that its mark names, known or not. */
function idAt({ name, mark }: Decision['evaluated'], domains: ReadonlyMap<number, string>): number | null {
  const [id] = [...domains].find(([, domain]) => domain === name) ?? []
  return id ?? mark.domain_id
}

/** For people a set that is new and one that changes are the same: no listing has shown yet what was asked for. */
const stateOf = (ownership: Ownership): RecordState => (ownership === 'sending' ? 'applying' : ownership)

function detailOf({ evaluated, planned, obstacle }: Decision): string | null {
  if (obstacle !== null) return obstacle.message
  if (planned === null && evaluated.successor !== null)
    return `${rrsetItem(evaluated)} stays until ${evaluated.successor} stands.`
  if (planned === null) return evaluated.wanted === null ? idleDetail(evaluated) : null
  if (planned.rank === 'forget') return idleDetail(evaluated)
  return `${planned.before ?? 'nothing'} becomes ${planned.after ?? 'nothing'}`
}

/** Of a set that nothing asks for: by what stands there, whatever the ledger says. */
function idleDetail(evaluated: Decision['evaluated']): string {
  const { listed, ownership } = evaluated
  const item = rrsetItem(evaluated)
  if (listed === null) return `${item} is not there any more, and nothing asks for it now.`
  if (ownership === 'foreign')
    return `${item} was replaced by somebody (${setText(listed)}) and is left alone: nothing asks for it now.`
  if (ownership === 'other_installation')
    return `${item} (${setText(listed)}) belongs to another installation of Plumbline and is left alone: nothing asks for it now.`
  return `${item} is kept: nothing asks for it now.`
}

/** A live name without an address has no set; it is shown as the A that it would be. */
const unaddressedViews = (desired: DnsDesired, state: ZoneState): DnsRecordView[] =>
  wantedSets(desired, state)
    .unaddressed.filter(({ name }) => !state.owned.some((row) => row.name === name))
    .map(({ name, domain_id, ttl, proxied }) => ({
      zone: state.zone,
      account: state.account,
      name,
      type: 'A',
      managed_type: 'A' satisfies ManagedType,
      state: 'unaddressed',
      domain_id,
      domain: name,
      desired: null,
      observed: null,
      ttl,
      desired_ttl: null,
      proxied,
      comment: null,
      detail: 'No address is known.',
    }))
