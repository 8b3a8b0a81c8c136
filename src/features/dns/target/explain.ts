/** Why a zone differs, set by set, for people. Pure. */
import { causeOf } from '../../../engine/cause.ts'
import type { Explanation, Sides } from '../../../engine/target.ts'
import type { DriftCause, ExplainedDifference } from '../../../model/drift.ts'
import { type ListedRrset, type OwnedRrset, rrsetItem, rrsetKey } from '../../../model/network/dns.ts'
import { type Decision, decide } from './deciding/decide.ts'
import type { DnsDesired } from './desire.ts'
import { sameValues } from './writing/fit.ts'
import { isAskedFor } from './deciding/matrix.ts'
import { setText } from './marks/set-text.ts'
import { sidewaysIn } from './writing/sideways.ts'
import { wantedSets } from './deciding/wanted.ts'
import { contentOf } from './writing/write-deeds.ts'
import type { ZoneState } from './zones/zone-state.ts'

const MAX_LISTED = 500
/** So many names are told in a note. */
const MAX_NAMED = 10

type DnsSides = Sides<DnsDesired, ZoneState>

export function explainZone(sides: DnsSides): Explanation {
  const { working, released, observed } = sides
  const now = new Map(decide(working, observed).map((decision) => [rrsetKey(decision.judged), decision]))
  const then = new Map(
    (released === null ? [] : decide(released, observed)).map((decision) => [
      rrsetKey(decision.judged),
      decision,
    ]),
  )
  const names = namesOf(sides)
  const of_sets = [...new Set([...now.keys(), ...then.keys()])].sort().flatMap((key) => {
    const found = explainSet(
      { working: now.get(key) ?? null, released: then.get(key) ?? null },
      { observed, rows_moved: sides.rows_moved, was_released: released !== null },
    )
    return found === null ? [] : [{ ...found.told, domains: domainsOf(found.ids, names) }]
  })
  const { place_fault } = observed
  const of_place =
    place_fault === undefined ? [] : [{ ...place_fault, cause: 'access' as const, domains: [] }]
  const aside = sidewaysIn(released ?? working, observed).map(({ item, domain_id, detail }) => ({
    item,
    cause: 'foreign_owner' as const,
    detail,
    domains: domainsOf([domain_id], names),
  }))
  const differences = [...of_place, ...of_sets, ...aside]
  const beyond = differences.length - MAX_LISTED
  const notes = [
    beyond > 0 ? `${beyond} further differences are not listed.` : null,
    unaddressedNote(working, observed),
  ]
  return {
    differences: differences.slice(0, MAX_LISTED),
    unified_diff: null,
    note: notes.filter((note) => note !== null).join(' ') || null,
  }
}

interface Editions {
  readonly working: Decision | null
  readonly released: Decision | null
}

interface Facts {
  readonly observed: ZoneState
  readonly rows_moved: boolean
  readonly was_released: boolean
}

interface Found {
  readonly told: Omit<ExplainedDifference, 'domains'>
  readonly ids: readonly number[]
}

function explainSet({ working, released }: Editions, facts: Facts): Found | null {
  const { judged } = (working ?? released)!
  const item = rrsetItem(judged)
  const ids = [judged.wanted?.row.domain_id, judged.row?.domain_id, judged.beside?.domain_id].filter(
    (id) => id !== undefined,
  )
  const obstacle = (working ?? released)!.obstacle
  const owner = judged.holding === 'orphan' ? 'orphan' : 'foreign_owner'
  if (obstacle !== null) return { told: { item, cause: owner, detail: obstacle.message }, ids }
  const texts = textsOf({ working, released }, facts)
  const deed = working?.deed ?? null
  const settled = settledCause(texts, facts)
  const unaccepted = facts.observed.unaccepted?.get(rrsetKey(judged)) ?? null
  const cause =
    unaccepted === null && isUnheeded(texts, settled)
      ? 'not_loaded'
      : (settled ?? (deed === null ? null : quietCause(deed.payload.changes.length)))
  if (cause === null) return null
  const detail =
    unaccepted === null || settled === null
      ? detailOf(cause, texts, deed)
      : `${detailOf(cause, { ...texts, is_asked_for: false }, deed)}. The provider did not accept it: ${unaccepted} It is tried again.`
  return { told: { item, cause, detail }, ids }
}

interface Texts {
  readonly working: string | null
  readonly released: string | null
  readonly observed: string | null
  /** It stands there as we last sent it. */
  readonly is_as_sent: boolean
  /** The provider was asked for it, or was about to be, and no listing has shown it. */
  readonly is_asked_for: boolean
}

function textsOf({ working, released }: Editions, { observed, was_released }: Facts): Texts {
  const { listed, row } = (working ?? released)!.judged
  return {
    working: sideText(working, observed, listed),
    released: was_released ? sideText(released, observed, listed) : null,
    observed: listed === null ? null : setText(listed),
    is_as_sent: listed !== null && row !== null && !isAskedFor(row) && isAsSent(listed, row),
    is_asked_for: row !== null && (isAskedFor(row) || row.state === 'sending'),
  }
}

const isAsSent = (listed: ListedRrset, row: OwnedRrset): boolean =>
  sameValues(listed.values, row.values) && listed.ttl === row.ttl && listed.proxied === row.proxied

/** What an edition asks for: a set, its absence, or nothing, and then whatever is there is right. */
function sideText(decision: Decision | null, state: ZoneState, listed: ListedRrset | null): string | null {
  const there = listed === null ? null : setText(listed)
  if (decision === null) return there
  const { judged } = decision
  if (judged.holding === 'releasing') return there
  if (judged.wanted !== null) return setText(contentOf(state, { ...judged, wanted: judged.wanted }))
  return judged.gone === null ? there : null
}

/**
 * By the table of causes. A set that stands as we sent it was touched by nobody: when neither edition asks for that any
 * more, an address moved or a setting did, and what was sent takes the place of the released side.
 */
function settledCause(texts: Texts, { rows_moved }: Facts): DriftCause | null {
  const { working, observed, is_as_sent } = texts
  const untouched = is_as_sent && working !== observed
  const released = untouched ? observed : texts.released
  return causeOf({ working, released, observed }, rows_moved && working !== texts.released)
}

/** The provider was asked for what the editions say, and lists something else: nobody else need have been there. */
const isUnheeded = ({ is_asked_for, observed, working }: Texts, cause: DriftCause | null): boolean =>
  is_asked_for && observed !== working && (cause === 'edited' || cause === 'lost')

/** The set itself is right, but the mark is not, or the ledger does not know. */
const quietCause = (changes: number): DriftCause => (changes > 0 ? 'edited' : 'applied_unrecorded')

function detailOf(cause: DriftCause, texts: Texts, deed: Decision['deed']): string {
  const { working, observed } = texts
  const there = observed ?? 'nothing'
  const wanted = working ?? 'nothing'
  if (texts.is_asked_for && observed !== working)
    return `asked of the provider and not listed yet: ${there} becomes ${wanted}; it is tried again`
  switch (cause) {
    case 'pending_deploy':
      return `saved but not deployed: ${there} becomes ${wanted}`
    case 'renderer_changed':
      return `no record changed, but its address or a setting did: ${there} becomes ${wanted}`
    case 'lost':
      return `not there: ${wanted} is missing`
    case 'edited':
      return working === observed
        ? `${deed?.after ?? there}: the mark that says whose it is was missing or wrong`
        : `changed by somebody: ${there} instead of ${wanted}`
    case 'applied_unrecorded':
      return `already stands there as saved (${there}), though it is not on record`
    case 'edited_and_pending':
      return `changed by somebody (${there}), and saved but not deployed is ${wanted}`
    case 'foreign_owner':
    case 'orphan':
    case 'not_loaded':
    case 'rejected':
    case 'access':
    case 'neighbour':
    case 'shadowed':
    case 'not_served':
      return there
  }
}

/** Of both editions, so that a renamed record is found under the name that it has now. */
function namesOf({ working, released }: DnsSides): ReadonlyMap<number, string> {
  const rows = (edition: DnsDesired | null) =>
    edition === null ? [] : [...edition.retired, ...edition.unpublished, ...edition.kept, ...edition.wanted]
  return new Map([...rows(released), ...rows(working)].map(({ domain_id, name }) => [domain_id, name]))
}

const domainsOf = (ids: readonly number[], names: ReadonlyMap<number, string>): string[] => [
  ...new Set(ids.flatMap((id) => names.get(id) ?? [])),
]

function unaddressedNote(desired: DnsDesired, state: ZoneState): string | null {
  const names = wantedSets(desired, state).unaddressed.map(({ name }) => name)
  if (names.length === 0) return null
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
  return (
    `No address is known for ${names.slice(0, MAX_NAMED).join(', ')}${more}: nothing is created. ` +
    'Give the record a static_ip, let a gateway report one, or set PLUMBLINE_PUBLIC_IP.'
  )
}
