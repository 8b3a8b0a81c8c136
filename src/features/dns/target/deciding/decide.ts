/** From the judgement of a set to what is done about it, or to what stands in the way. Pure. */
import type { RefusedRepair } from '../../../../model/report.ts'
import { rrsetItem, rrsetKey, rrsetWords } from '../../../../model/network/dns.ts'
import { sameValues } from '../writing/fit.ts'
import type { PlannedChange } from '../writing/planned-change.ts'
import type { DnsDesired } from '../desire.ts'
import type { Conflict } from './conflict.ts'
import { evaluate, type EvaluatedSet } from './evaluate.ts'
import { planForget, planRemoval, isDisputed, planNote, planRelease } from '../leaving/plan-removal.ts'
import { FAMILIES, isUnclaimed, unclaimedWords } from '../leaving/unclaimed.ts'
import { markName, marksBy } from '../marks/marker.ts'
import { isAskedFor } from './ownership.ts'
import { plain, setText } from '../marks/set-text.ts'
import { planCreate, planTakeOver, planUpdate } from '../writing/plan-upsert.ts'
import type { ZoneState } from '../zones/zone-state.ts'

export interface Decision {
  readonly evaluated: EvaluatedSet
  readonly planned: PlannedChange | null
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
  const all = evaluate(desired, state)
  const takes = marksToTake(all)
  const decisions = waitingForNames(all.map((evaluated) => decideOne(state, evaluated, takes)))
  of_state.set(desired, decisions)
  return decisions
}

/** Of a record whose new name somebody else holds the old set stays. */
function waitingForNames(decisions: readonly Decision[]): readonly Decision[] {
  const hindered = new Set(
    decisions.flatMap(({ evaluated, obstacle }) =>
      evaluated.wanted === null || obstacle === null ? [] : [evaluated.name],
    ),
  )
  return decisions.map((one) =>
    hindered.has(one.evaluated.successor ?? '') ? { ...one, planned: null } : one,
  )
}

function decideOne(state: ZoneState, evaluated: EvaluatedSet, takes: TakesMark): Decision {
  if (evaluated.wanted === null && evaluated.row === null)
    return { evaluated, planned: null, obstacle: refusal('foreign_owner', unaccountedFor(evaluated)) }
  const { row } = evaluated
  if (row !== null && isDisputed({ ...evaluated, row }))
    return { evaluated, planned: null, obstacle: refusal('foreign_owner', disputed(evaluated)) }
  const detail = inTheWay(evaluated)
  if (detail !== null)
    return {
      evaluated,
      planned: lostClaim(state, evaluated, takes),
      obstacle: refusal('foreign_owner', detail),
    }
  const planned = planFor(state, evaluated, takes)
  if (planned === null && isUnclaimed(evaluated))
    return {
      evaluated,
      planned,
      obstacle: refusal('foreign_owner', unclaimedWords(evaluated, setText(evaluated.listed))),
    }
  if (planned === null || state.read_only === null) return { evaluated, planned, obstacle: null }
  const message = `${rrsetItem(evaluated)}: the zone ${state.zone} cannot be written: ${state.read_only}.`
  return { evaluated, planned: null, obstacle: refusal('provider_refused', message) }
}

/**
 * A mark beside a name is for all of its sets. Were a set that somebody replaced still in the ledger, the next mark for
 * another set of the name would make theirs look like ours. So the claim is given up before any mark is put there.
 */
function lostClaim(state: ZoneState, evaluated: EvaluatedSet, takes: TakesMark): PlannedChange | null {
  const { row, ownership } = evaluated
  if (row === null || ownership !== 'foreign' || marksBy(state.traits) === 'comment') return null
  return planForget(state, { ...evaluated, row }, takes(evaluated))
}

function planFor(state: ZoneState, evaluated: EvaluatedSet, takes: TakesMark): PlannedChange | null {
  const { row, wanted, listed, ownership, removable_because } = evaluated
  if (row !== null && ownership === 'releasing')
    return planRelease(state, { ...evaluated, row }, takes(evaluated))
  if (wanted === null)
    return row === null || removable_because === null
      ? (lostClaim(state, evaluated, takes) ?? settled(state, evaluated, takes))
      : planRemoval(state, { ...evaluated, row }, takes(evaluated))
  if (ownership === 'adopted') return planTakeOver(state, { ...evaluated, wanted })
  return listed === null
    ? planCreate(state, { ...evaluated, wanted })
    : planUpdate(state, { ...evaluated, wanted, listed })
}

/** Nobody asks for it any more, neither to change nor to go: what stands there by now is what stays. */
function settled(state: ZoneState, evaluated: EvaluatedSet, takes: TakesMark): PlannedChange | null {
  const { row, ownership, listed } = evaluated
  if (row === null || !isAskedFor(row) || (ownership !== row.state && ownership !== 'unmarked')) return null
  if (listed !== null || row.state === 'applying') return planNote(state, { ...evaluated, row })
  return planForget(state, { ...evaluated, row }, takes(evaluated))
}

function unaccountedFor({ type, name, ownership, listed, mark, beside }: EvaluatedSet): string {
  const item = `${rrsetItem({ type, name })} (${setText(listed!)})`
  if (ownership === 'orphan')
    return (
      `${item} bears the mark of this installation, and no record in the database accounts for it, as after a restored backup. ` +
      `Deploy a record that wants it and adopt it, or take it away: plumbline dns remove ${rrsetWords({ type, name })}.`
    )
  if (beside === null) return disputed({ type, name, listed, mark })
  const whose =
    ownership === 'other_installation'
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
}: Pick<EvaluatedSet, 'type' | 'name' | 'listed' | 'mark'>): string => {
  const who =
    mark.installation === null
      ? 'a text of somebody else'
      : `the mark of another installation of Plumbline (${plain(mark.installation)})`
  return (
    `${rrsetItem({ type, name })} (${setText(listed!)}) bears our mark, and ${who} stands beside it (in its comments, or in ` +
    `the TXT ${markName(name) ?? name}), so it is left alone. Remove at the provider whichever of the two is wrong.`
  )
}

/** Null where we may go on. */
function inTheWay(evaluated: EvaluatedSet): string | null {
  const { wanted, ownership, conflict } = evaluated
  if (wanted === null || ownership === 'releasing') return null
  const item = rrsetItem(evaluated)
  if (conflict !== null && !isHandedOver(evaluated, conflict))
    return `${item} cannot stand there: ${plain(conflict.detail)}.`
  return strangerAt(evaluated, item)
}

/** An alias was taken over as what it was: the row's values are its target. */
const isHandedOver = ({ ownership, row }: EvaluatedSet, { alias }: Conflict): boolean =>
  ownership === 'adopted' && alias !== null && sameValues(row!.values, alias.values)

function strangerAt({ ownership, listed, mark, name, row }: EvaluatedSet, item: string): string | null {
  const shown = listed === null ? 'nothing' : setText(listed)
  const left = 'is left alone'
  if (ownership === 'foreign') {
    const remedy = 'Adopt it, or remove it at the provider.'
    if (row === null) return `${item} (${shown}) was not made by Plumbline and ${left}. ${remedy}`
    return row.state === 'adopted'
      ? `${item} (${shown}) is not what was adopted (${setText(row)}) and ${left}. ${remedy}`
      : `${item} was replaced by somebody (${shown}), has lost its mark and ${left}. ${remedy}`
  }
  if (ownership === 'orphan')
    return `${item} (${shown}) bears the mark of this installation, but its ledger does not know it, as after a restored backup. Adopt it.`
  if (ownership === 'other_installation')
    return `${item} belongs to another installation of Plumbline (${plain(mark.installation ?? 'unknown')}) and ${left}.`
  if (ownership === 'blocked')
    return `${item} cannot be marked as ours: something else stands at the TXT beside ${name}. Remove that at the provider.`
  return null
}

const refusal = (code: RefusedRepair['code'], message: string): RefusedRepair => ({
  code,
  message,
  retry_after_ms: 0,
})

/** True for the set with which the mark beside its name goes. */
type TakesMark = (evaluated: EvaluatedSet) => boolean

/** The mark beside a name goes with the last set of ours at it. Pure. */
function marksToTake(all: readonly EvaluatedSet[]): TakesMark {
  const staying = new Set<string>()
  const last = new Map<string, string>()
  for (const evaluated of all) {
    if (stays(evaluated)) staying.add(evaluated.name)
    else if (evaluated.row !== null) last.set(evaluated.name, rrsetKey(evaluated))
  }
  return (evaluated) => !staying.has(evaluated.name) && last.get(evaluated.name) === rrsetKey(evaluated)
}

function stays({ ownership, row, removable_because, wanted, conflict, listed }: EvaluatedSet): boolean {
  if (ownership === 'releasing' || (ownership === 'foreign' && row !== null)) return false
  // Its removal was asked for before its record was saved anew, and is seen now.
  if (ownership === 'removing' && listed === null && wanted === null) return false
  if (row !== null) return removable_because === null
  if (ownership === 'orphan') return true
  return wanted !== null && ownership === 'absent' && conflict === null
}
