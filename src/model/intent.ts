/**
 * Intent and its two editions. *Working* is what was saved, *released* is what was deployed. A deploy moves the rows
 * that it names from working to released; the reconciler heals the world towards released.
 */
import type { CarriedOver } from './domain/address-sources.ts'
import { type DomainFields, type DomainRecord, isLive } from './domain/record.ts'

export type Edition = 'working' | 'released'

/** Parts of the intent that a target may depend on; a change of a part wakes the targets that read it. */
export type IntentPart = 'domains' | 'addresses'

/**
 * One record as it stands in an edition. `live` means: meant to be reachable. `retired` means: disabled or deleted, so
 * that nothing of it shall remain outside. Only retired rows let anything be taken away; the absence of a row never does.
 */
export interface IntentRow {
  readonly domain_id: number
  readonly revision: number
  readonly live: boolean
  readonly retired: boolean
  readonly fields: DomainFields
  /** Only of a row on its way into the released edition: what is published for it until its gateway reports. */
  readonly carried?: CarriedOver
}

/** Everything a target derives its desired state from. Rows are ordered by domain (code units). */
export interface Intent {
  readonly rows: readonly IntentRow[]
}

/** What is not retired, off line first: in a map by name the live row of two is the one that counts. */
export const liveLast = ({ rows }: Intent): readonly IntentRow[] => [
  ...rows.filter(({ live, retired }) => !live && !retired),
  ...rows.filter(({ live }) => live),
]

export const rowOf = (record: DomainRecord): IntentRow => ({
  domain_id: record.id,
  revision: record.revision,
  live: isLive(record),
  retired: record.status === 'disabled',
  fields: pickFields(record),
})

export const byDomain = (a: IntentRow, b: IntentRow): number =>
  a.fields.domain < b.fields.domain ? -1 : a.fields.domain > b.fields.domain ? 1 : 0

/** In the order of the store: a deleted record and its successor share a name, and the older comes first. */
export const asStored = (a: IntentRow, b: IntentRow): number => byDomain(a, b) || a.domain_id - b.domain_id

function pickFields(record: DomainRecord): DomainFields {
  const {
    id: _,
    status: _s,
    status_reason: _r,
    revision: _v,
    created_at: _c,
    updated_at: _u,
    activated_at: _a,
    ...fields
  } = record
  return fields
}
