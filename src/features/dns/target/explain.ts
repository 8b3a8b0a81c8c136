/** Why a zone differs, set by set, for people. Pure. */
import type { Explanation, Sides } from '../../../engine/target.ts'
import { type DriftCause, type ExplainedDifference, unlistedNote } from '../../../model/drift.ts'
import type { Sides as SideTexts } from '../../../model/sides/sides.ts'
import { rrsetItem, rrsetKey } from '../../../model/network/dns.ts'
import { type Decision, decide } from './deciding/decide.ts'
import { elsewhereIn } from './leaving/elsewhere.ts'
import { isUnclaimed } from './leaving/unclaimed.ts'
import type { DnsDesired } from './desire.ts'
import { causeOfSet, type Editions, type Facts, refusalOf, type Texts, textsOf } from './set-cause.ts'
import { isNote, type PlannedChange } from './writing/planned-change.ts'
import { sidewaysIn } from './writing/sideways.ts'
import { wantedSets } from './deciding/wanted.ts'
import type { ZoneState } from './zones/zone-state.ts'
import { firstNames } from '../../../kernel/text/first-names.ts'

const MAX_LISTED = 500
/** So many names are told in a note. */
const MAX_NAMED = 10

type DnsSides = Sides<DnsDesired, ZoneState>

export function explainZone(sides: DnsSides): Explanation {
  const { working, released, observed } = sides
  const names = namesOf(sides)
  const texts = new Map<string, Texts>()
  const of_sets = explainedSets(sides).map(({ difference, ids, texts: of_set }) => {
    texts.set(difference.item, of_set)
    return { ...difference, domains: domainsOf(ids, names) }
  })
  const aside = sidewaysDifferences(released ?? working, observed, names)
  const elsewhere = elsewhereDifferences(observed, names)
  const differences = [...placeDifferences(observed), ...of_sets, ...aside, ...elsewhere]
  return {
    differences: differences.slice(0, MAX_LISTED),
    unified_diff: null,
    note: noteOf(differences.length, unaddressedNote(working, observed)),
    sidesOf: (item) => sidesIn(texts.get(item)),
  }
}

/** In the order of their keys. */
function explainedSets({ working, released, observed, rows_moved }: DnsSides): readonly SetExplanation[] {
  const now = decisionsByKey(decide(working, observed))
  const then = decisionsByKey(released === null ? [] : decide(released, observed))
  const facts = { observed, rows_moved, was_released: released !== null }
  return [...new Set([...now.keys(), ...then.keys()])]
    .sort()
    .flatMap(
      (key) => explainSet({ working: now.get(key) ?? null, released: then.get(key) ?? null }, facts) ?? [],
    )
}

const decisionsByKey = (decisions: readonly Decision[]): ReadonlyMap<string, Decision> =>
  new Map(decisions.map((decision) => [rrsetKey(decision.evaluated), decision]))

const placeDifferences = ({ place_fault }: ZoneState): readonly ExplainedDifference[] =>
  place_fault === undefined ? [] : [{ ...place_fault, cause: 'access', domains: [] }]

const sidewaysDifferences = (
  desired: DnsDesired,
  state: ZoneState,
  names: ReadonlyMap<number, string>,
): readonly ExplainedDifference[] =>
  sidewaysIn(desired, state).map(({ item, domain_id, detail }) => ({
    item,
    cause: 'foreign_owner',
    detail,
    domains: domainsOf([domain_id], names),
  }))

const elsewhereDifferences = (
  state: ZoneState,
  names: ReadonlyMap<number, string>,
): readonly ExplainedDifference[] =>
  elsewhereIn(state).map(({ item, domain_ids, detail }) => ({
    item,
    cause: 'removing',
    detail,
    domains: domainsOf(domain_ids, names),
  }))

function sidesIn(texts: Texts | undefined): SideTexts | null {
  if (texts === undefined) return null
  const { working: saved, released, observed: there } = texts
  return { saved, released, there, line: null, noise: false }
}

interface SetExplanation {
  readonly texts: Texts
  readonly difference: Omit<ExplainedDifference, 'domains'>
  readonly ids: readonly number[]
}

function explainSet({ working, released }: Editions, facts: Facts): SetExplanation | null {
  const { evaluated, obstacle } = (working ?? released)!
  const item = rrsetItem(evaluated)
  const ids = idsOf(evaluated)
  const texts = textsOf({ working, released }, facts)
  const owner = evaluated.ownership === 'orphan' ? 'orphan' : 'foreign_owner'
  // What is released says whether anything asks for it: a plan warns of what a deploy would leave there.
  const in_force = (released ?? working)!
  if (isUnclaimed(in_force.evaluated))
    return { difference: { item, cause: 'removing', detail: in_force.obstacle?.message ?? '' }, ids, texts }
  if (isUnclaimed(evaluated)) return null
  if (obstacle !== null) return { difference: { item, cause: owner, detail: obstacle.message }, ids, texts }
  if ([working, released].every((decision) => decision === null || isNoted(decision))) return null
  const planned = working?.planned ?? null
  const refusal = refusalOf(facts.observed.unaccepted?.get(rrsetKey(evaluated)), texts)
  const settled = causeOfSet(texts, facts, refusal)
  const cause = settled ?? (planned === null ? null : quietCause(planned, released))
  if (cause === null) return null
  const detail = detailOf(cause, texts, planned)
  const why = settled === null || refusal === null ? '' : `. ${refusal.why}`
  return { difference: { item, cause, detail: `${detail}${why}` }, ids, texts }
}

const idsOf = ({ wanted, row, beside }: Decision['evaluated']): readonly number[] =>
  [wanted?.row.domain_id, row?.domain_id, beside?.domain_id].filter((id) => id !== undefined)

/** Nothing of ours is there, and nothing of ours is to be: only the ledger still has it. */
const isNoted = ({ planned }: Decision): boolean => planned !== null && isNote(planned.payload)

/**
 * The set itself is right, but the mark is not, or the ledger does not know. Where nothing is to be done for what is released,
 * the mark is as it was put there, and what is saved gives the set to another record.
 */
function quietCause({ payload }: PlannedChange, released: Decision | null): DriftCause {
  if (released !== null && released.planned === null) return 'pending_deploy'
  return payload.changes.length > 0 ? 'edited' : 'applied_unrecorded'
}

function detailOf(cause: DriftCause, texts: Texts, planned: Decision['planned']): string {
  const { working, observed } = texts
  const there = observed ?? 'nothing'
  const wanted = working ?? 'nothing'
  switch (cause) {
    case 'rejected':
      return `deployed and not in place: ${there} is to become ${texts.released ?? 'nothing'}`
    case 'not_loaded':
      return `asked of the provider and not listed yet: ${there} becomes ${wanted}; it is tried again`
    case 'pending_deploy':
      return `saved but not deployed: ${there} ${working === observed ? 'becomes that of another record' : `becomes ${wanted}`}`
    case 'renderer_changed':
      return `no record changed, but its address or a setting did: ${there} becomes ${wanted}`
    case 'removing':
      return `still there and to go: ${there} becomes ${wanted}`
    case 'lost':
      return `not there: ${wanted} is missing`
    case 'edited':
      return working === observed
        ? `${planned?.after ?? there}: the mark that says whose it is was missing or wrong`
        : `changed by somebody: ${there} instead of ${wanted}`
    case 'applied_unrecorded':
      return `already stands there as saved (${there}), though it is not on record`
    case 'edited_and_pending':
      return `changed by somebody (${there}), and saved but not deployed is ${wanted}`
    case 'foreign_owner':
    case 'orphan':
    case 'access':
    case 'neighbour':
    case 'shadowed':
    case 'not_served':
      return there
  }
}

/** Of both editions, so that a renamed record is found under the name that it has now. */
function namesOf({ working, released }: DnsSides): ReadonlyMap<number, string> {
  const names = new Map<number, string>()
  for (const edition of [released, working])
    for (const rows of [edition?.retired, edition?.unpublished, edition?.kept, edition?.wanted])
      for (const { domain_id, name } of rows ?? []) names.set(domain_id, name)
  return names
}

const domainsOf = (ids: readonly number[], names: ReadonlyMap<number, string>): string[] => [
  ...new Set(ids.flatMap((id) => names.get(id) ?? [])),
]

const noteOf = (found: number, unaddressed: readonly string[]): string | null =>
  [unlistedNote(found, MAX_LISTED) ?? [], unaddressed].flat().join(' ') || null

function unaddressedNote(desired: DnsDesired, state: ZoneState): readonly string[] {
  const names = wantedSets(desired, state).unaddressed.map(({ name }) => name)
  if (names.length === 0) return []
  return [
    `No address is known for ${firstNames(names, MAX_NAMED)}: nothing is created. ` +
      'Give the record a static_ip, let a gateway report one, or set PLUMBLINE_PUBLIC_IP.',
  ]
}
