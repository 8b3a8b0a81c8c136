/** The mark of a set as it stands in a listing, and the change that puts it right. Pure. */
import type { ListedRrset } from '../../model/dns.ts'
import type { RrsetChange } from '../../ports/dns-provider.ts'
import { fit, sameValues } from './fit.ts'
import { type Mark, markName, marksBy, markText, readMark } from './marker.ts'
import type { MarkState } from './matrix.ts'
import { listingOf, type ZoneState } from './zone-state.ts'

export interface MarkReading {
  readonly state: MarkState
  /** The record that the mark names. */
  readonly domain_id: number | null
  /** Whose the mark is, when it is not ours. */
  readonly installation: string | null
  /** The name is too long for a mark beside it. */
  readonly unplaceable: boolean
}

const NO_MARK: MarkReading = { state: 'none', domain_id: null, installation: null, unplaceable: false }
/** Seconds. Nobody but us and our like reads a mark. */
const MARK_TTL = 3600

export function markOf(state: ZoneState, name: string, listed: ListedRrset | null): MarkReading {
  if (marksBy(state.traits) === 'text') return textMark(state, name)
  const mark = readMark(listed?.comment ?? '', state.installation_id)
  if (mark !== null) return reading(mark, 'ours')
  // Another installation may know this zone by another way, where it has no comments.
  const beside = textMark(state, name)
  return beside.state === 'other' ? beside : NO_MARK
}

const reading = (mark: Mark, ours: MarkState): MarkReading =>
  mark.kind === 'ours'
    ? { ...NO_MARK, state: ours, domain_id: mark.domain_id }
    : { ...NO_MARK, state: 'other', installation: mark.installation }

function textMark(state: ZoneState, name: string): MarkReading {
  const at = markName(name)
  if (at === null) return { ...NO_MARK, unplaceable: true }
  const listing = listingOf(state)
  if (listing.has(at, 'CNAME')) return { ...NO_MARK, state: 'blocked' }
  const values = listing.set(at, 'TXT')?.values ?? []
  if (values.length === 0) return NO_MARK
  const marks = values.map((value) => readMark(value, state.installation_id))
  const other = marks.find((mark) => mark?.kind === 'other')
  if (other !== undefined && other !== null) return reading(other, 'other')
  if (marks.includes(null)) return { ...NO_MARK, state: 'blocked' }
  return reading(marks[0]!, 'beside')
}

/** True when the mark says what it should, or cannot stand anywhere. People may have written more behind a comment. */
export function isMarked(state: ZoneState, name: string, mark: MarkReading, domain_id: number): boolean {
  if (marksBy(state.traits) === 'comment') return mark.state === 'ours' && mark.domain_id === domain_id
  const at = markName(name)
  if (at === null) return true
  const values = listingOf(state).set(at, 'TXT')?.values ?? []
  return sameValues(values, [markText(state.installation_id, domain_id)])
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
