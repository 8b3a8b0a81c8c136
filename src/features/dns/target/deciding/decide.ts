/** From the judgement of a set to what is done about it, or to what stands in the way. Pure. */
import type { RefusedRepair } from '../../../../model/report.ts'
import { rrsetItem, rrsetKey } from '../../../../model/network/dns.ts'
import { sameValues } from '../writing/fit.ts'
import type { Deed } from '../writing/deed.ts'
import type { DnsDesired } from '../desire.ts'
import { judge, type Judged } from './judge.ts'
import { forgetDeed, goneDeed, isDisputed, noteDeed, releaseDeed } from '../leaving/leave-deeds.ts'
import { markName, marksBy } from '../marks/marker.ts'
import { isAskedFor } from './matrix.ts'
import { plain, setText } from '../marks/set-text.ts'
import { createDeed, takeOverDeed, updateDeed } from '../writing/write-deeds.ts'
import type { ZoneState } from '../zones/zone-state.ts'

export interface Decision {
  readonly judged: Judged
  readonly deed: Deed | null
  /** Only a person can move it out of the way; nothing is written then. */
  readonly obstacle: RefusedRepair | null
}

const DECISIONS = new WeakMap<ZoneState, WeakMap<DnsDesired, readonly Decision[]>>()

/** Ordered by name and type. Kept, because differences, obstacles and explanations all ask for the same. */
export function decide(desired: DnsDesired, state: ZoneState): readonly Decision[] {
  const of_state = DECISIONS.get(state) ?? new WeakMap<DnsDesired, readonly Decision[]>()
  DECISIONS.set(state, of_state)
  const kept = of_state.get(desired)
  if (kept !== undefined) return kept
  const all = judge(desired, state)
  const takes = marksToTake(all)
  const decisions = waitingForNames(all.map((judged) => decideOne(state, judged, takes)))
  of_state.set(desired, decisions)
  return decisions
}

/** Of a record whose new name somebody else holds the old set stays. */
function waitingForNames(decisions: readonly Decision[]): readonly Decision[] {
  const hindered = new Set(
    decisions.flatMap(({ judged, obstacle }) =>
      judged.wanted === null || obstacle === null ? [] : [judged.name],
    ),
  )
  if (hindered.size === 0) return decisions
  return decisions.map((one) => (hindered.has(one.judged.successor ?? '') ? { ...one, deed: null } : one))
}

function decideOne(state: ZoneState, judged: Judged, takes: TakesMark): Decision {
  if (judged.wanted === null && judged.row === null)
    return { judged, deed: null, obstacle: refusal('foreign_owner', unaccountedFor(judged)) }
  const { row } = judged
  if (row !== null && isDisputed({ ...judged, row }))
    return { judged, deed: null, obstacle: refusal('foreign_owner', disputed(judged)) }
  const detail = inTheWay(judged)
  if (detail !== null)
    return { judged, deed: lostClaim(state, judged, takes), obstacle: refusal('foreign_owner', detail) }
  const deed = deedFor(state, judged, takes)
  if (deed === null || state.read_only === null) return { judged, deed, obstacle: null }
  const message = `${rrsetItem(judged)}: the zone ${state.zone} cannot be written: ${state.read_only}.`
  return { judged, deed: null, obstacle: refusal('provider_refused', message) }
}

/**
 * A mark beside a name is for all of its sets. Were a set that somebody replaced still in the ledger, the next mark for
 * another set of the name would make theirs look like ours. So the claim is given up before any mark is put there.
 */
function lostClaim(state: ZoneState, judged: Judged, takes: TakesMark): Deed | null {
  const { row, holding } = judged
  if (row === null || holding !== 'foreign' || marksBy(state.traits) === 'comment') return null
  return forgetDeed(state, { ...judged, row }, takes(judged))
}

function deedFor(state: ZoneState, judged: Judged, takes: TakesMark): Deed | null {
  const { row, wanted, listed, holding, gone } = judged
  if (row !== null && holding === 'releasing') return releaseDeed(state, { ...judged, row }, takes(judged))
  if (wanted === null)
    return row === null || gone === null
      ? (lostClaim(state, judged, takes) ?? settled(state, judged, takes))
      : goneDeed(state, { ...judged, row }, takes(judged))
  if (holding === 'adopted') return takeOverDeed(state, { ...judged, wanted })
  return listed === null
    ? createDeed(state, { ...judged, wanted })
    : updateDeed(state, { ...judged, wanted, listed })
}

/** Nobody asks for it any more, neither to change nor to go: what stands there by now is what stays. */
function settled(state: ZoneState, judged: Judged, takes: TakesMark): Deed | null {
  const { row, holding, listed } = judged
  if (row === null || !isAskedFor(row) || (holding !== row.state && holding !== 'unmarked')) return null
  if (listed !== null || row.state === 'applying') return noteDeed(state, { ...judged, row })
  return forgetDeed(state, { ...judged, row }, takes(judged))
}

function unaccountedFor({ type, name, holding, listed, mark, beside }: Judged): string {
  const item = `${rrsetItem({ type, name })} (${setText(listed!)})`
  if (holding === 'orphan')
    return (
      `${item} bears the mark of this installation, and no record in the database accounts for it, as after a restored backup. ` +
      `Deploy a record that wants it and adopt it, or take it away: plumbline dns remove ${type} ${name}.`
    )
  if (beside === null) return disputed({ type, name, listed, mark })
  const whose =
    holding === 'other_installation'
      ? `belongs to another installation of Plumbline (${plain(mark.installation ?? 'unknown')})`
      : 'was not made by Plumbline'
  return (
    `${item} ${whose} and stands beside ours: clients that prefer ${FAMILIES[type]} are served by another machine. ` +
    `It is left alone; remove it at the provider, or give ${beside.name} an address of that family and adopt it.`
  )
}

/** Our mark stands there, and another's or somebody's text with it. */
const disputed = ({
  type,
  name,
  listed,
  mark,
}: Pick<Judged, 'type' | 'name' | 'listed' | 'mark'>): string => {
  const who =
    mark.installation === null
      ? 'a text of somebody else'
      : `the mark of another installation of Plumbline (${plain(mark.installation)})`
  return (
    `${rrsetItem({ type, name })} (${setText(listed!)}) bears our mark, and ${who} stands beside it (in its comments, or in ` +
    `the TXT ${markName(name) ?? name}), so it is left alone. Remove at the provider whichever of the two is wrong.`
  )
}

const FAMILIES = { A: 'IPv4', AAAA: 'IPv6' } as const

/** Null where we may go on. */
function inTheWay(judged: Judged): string | null {
  const { wanted, holding, conflict } = judged
  if (wanted === null || holding === 'releasing') return null
  const item = rrsetItem(judged)
  if (conflict !== null && !isHandedOver(judged))
    return `${item} cannot stand there: ${plain(conflict.detail)}.`
  return strangerAt(judged, item)
}

/** An alias was taken over as what it was: the row's values are its target. */
function isHandedOver({ holding, conflict, row }: Judged): boolean {
  const alias = conflict?.alias ?? null
  return holding === 'adopted' && alias !== null && sameValues(row!.values, alias.values)
}

function strangerAt({ holding, listed, mark, name, row }: Judged, item: string): string | null {
  const shown = listed === null ? 'nothing' : setText(listed)
  const left = 'is left alone'
  if (holding === 'foreign')
    return row === null
      ? `${item} (${shown}) was not made by Plumbline and ${left}. Adopt it, or remove it at the provider.`
      : `${item} was replaced by somebody (${shown}), has lost its mark and ${left}. Adopt it, or remove it at the provider.`
  if (holding === 'orphan')
    return `${item} (${shown}) bears the mark of this installation, but its ledger does not know it, as after a restored backup. Adopt it.`
  if (holding === 'other_installation')
    return `${item} belongs to another installation of Plumbline (${plain(mark.installation ?? 'unknown')}) and ${left}.`
  if (holding === 'blocked')
    return `${item} cannot be marked as ours: something else stands at the TXT beside ${name}. Remove that at the provider.`
  return null
}

const refusal = (code: RefusedRepair['code'], message: string): RefusedRepair => ({
  code,
  message,
  retry_after_ms: 0,
})

/** True for the set with which the mark beside its name goes. */
type TakesMark = (judged: Judged) => boolean

/** The mark beside a name goes with the last set of ours at it. Pure. */
function marksToTake(all: readonly Judged[]): TakesMark {
  const staying = new Set<string>()
  const last = new Map<string, string>()
  for (const judged of all) {
    if (stays(judged)) staying.add(judged.name)
    else if (judged.row !== null) last.set(judged.name, rrsetKey(judged))
  }
  return (judged) => !staying.has(judged.name) && last.get(judged.name) === rrsetKey(judged)
}

function stays({ holding, row, gone, wanted, conflict }: Judged): boolean {
  if (holding === 'releasing' || (holding === 'foreign' && row !== null)) return false
  if (row !== null) return gone === null
  if (holding === 'orphan') return true
  return wanted !== null && holding === 'absent' && conflict === null
}
