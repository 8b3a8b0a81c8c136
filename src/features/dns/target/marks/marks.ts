/** The mark of a set as it stands in a listing, and the change that puts it right. Pure. */
import type { ListedRrset } from '../../../../model/network/dns.ts'
import type { RrsetChange } from '../../providers/port.ts'
import { fit, sameValues } from '../writing/fit.ts'
import { type Mark, markName, marksBy, markText, readMark, withoutNumber } from './marker.ts'
import type { MarkState } from '../deciding/ownership.ts'
import { listingOf, type ZoneState } from '../zones/zone-state.ts'

export interface MarkReading {
  readonly state: MarkState
  /** The record that the mark names. */
  readonly domain_id: number | null
  /** Whose the mark is, when it is not ours. */
  readonly installation: string | null
  /** The name is too long for a mark beside it. */
  readonly unplaceable: boolean
  /** Our mark stands there, but not alone. */
  readonly shared: boolean
}

const NO_MARK: MarkReading = {
  state: 'none',
  domain_id: null,
  installation: null,
  unplaceable: false,
  shared: false,
}
/** Seconds. Nobody but us and our like reads a mark. */
const MARK_TTL = 3600

/** As much of a zone as its marks are read from. */
type Marked = Pick<ZoneState, 'rrsets' | 'traits' | 'installation_id'>

export function markOf(state: Marked, name: string, listed: ListedRrset | null): MarkReading {
  if (marksBy(state.traits) === 'text') return textMark(state, name)
  const marks = (listed?.comment ?? '').split('\n').map((line) => readMark(line, state.installation_id))
  const [first = null] = marks
  if (first !== null) return ofComment(first, marks)
  // Another installation may know this zone by another way, where it has no comments.
  const beside = textMark(state, name)
  return beside.state === 'other' ? beside : NO_MARK
}

/** A set of several records may bear several marks; one that another installation claims is not ours alone. */
function ofComment(first: Mark, marks: readonly (Mark | null)[]): MarkReading {
  const other = marks.find((mark) => mark?.kind === 'other') ?? null
  return other === null
    ? reading(first, 'ours')
    : { ...reading(other, 'other'), shared: marks.some((mark) => mark?.kind === 'ours') }
}

const reading = (mark: Mark, ours: MarkState): MarkReading =>
  mark.kind === 'ours'
    ? { ...NO_MARK, state: ours, domain_id: mark.domain_id }
    : { ...NO_MARK, state: 'other', installation: mark.installation }

function textMark(state: Marked, name: string): MarkReading {
  const at = markName(name)
  if (at === null) return { ...NO_MARK, unplaceable: true }
  const listing = listingOf(state)
  if (listing.has(at, 'CNAME')) return { ...NO_MARK, state: 'blocked' }
  const values = listing.set(at, 'TXT')?.values ?? []
  if (values.length === 0) return NO_MARK
  const marks = values.map((value) => readMark(value, state.installation_id))
  const other = marks.find((mark) => mark?.kind === 'other')
  const shared = marks.some((mark) => mark?.kind === 'ours')
  if (other !== undefined && other !== null) return { ...reading(other, 'other'), shared }
  if (marks.includes(null)) return { ...NO_MARK, state: 'blocked', shared }
  return reading(marks[0]!, 'beside')
}

/** True when the mark says what it should, or cannot stand anywhere. People may have written more behind a comment. */
export function isMarked(state: ZoneState, name: string, mark: MarkReading, domain_id: number): boolean {
  if (marksBy(state.traits) === 'comment') return mark.state === 'ours' && mark.domain_id === domain_id
  const at = markName(name)
  if (at === null) return true
  const values = listingOf(state).set(at, 'TXT')?.values ?? []
  const marks = values.map((value) => withoutNumber(value, state.installation_id))
  return sameValues(marks, [markText(state.installation_id, domain_id)])
}

/** Puts the TXT beside a name right; null where it is, and where comments do its work. */
export function textMarkChange(state: ZoneState, name: string, domain_id: number): RrsetChange | null {
  const at = markName(name)
  if (marksBy(state.traits) === 'comment' || at === null || isMarked(state, name, NO_MARK, domain_id))
    return null
  const content = {
    ttl: MARK_TTL,
    values: [markText(state.installation_id, domain_id)],
    comment: null,
    proxied: null,
  }
  return {
    name: at,
    type: 'TXT',
    wanted: fit(state.traits, content),
    seen: listingOf(state).set(at, 'TXT'),
  }
}

/** Takes the TXT beside a name away, when it says nothing but that the name is ours. */
export function textMarkRemoval(state: ZoneState, name: string): RrsetChange | null {
  const at = markName(name)
  const seen = at === null ? null : listingOf(state).set(at, 'TXT')
  if (at === null || seen === null || textMark(state, name).state !== 'beside') return null
  return { name: at, type: 'TXT', wanted: null, seen }
}
