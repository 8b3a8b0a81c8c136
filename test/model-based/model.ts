/**
 * The service as a few pure functions: records, what of them is released, and what each deed makes of the two. It knows
 * nothing of files, plans, journals or databases, and shares no code with what it is held against.
 */
import type { DomainFields, Status } from '../../src/model/domain/record.ts'
import type { GuardRule } from '../../src/model/plan.ts'

export interface ModelRecord {
  readonly id: number
  readonly revision: number
  readonly status: Status
  readonly fields: DomainFields
}

export interface ReleasedRow {
  readonly revision: number
  readonly fields: DomainFields
}

export interface Model {
  readonly next_id: number
  readonly records: ReadonlyMap<number, ModelRecord>
  /** What is meant to be reachable right now, by id. */
  readonly released: ReadonlyMap<number, ReleasedRow>
}

export const NOTHING: Model = { next_id: 1, records: new Map(), released: new Map() }

export interface Entry {
  readonly fields: DomainFields
  readonly status: 'active' | 'inactive' | 'disabled'
}

export type StatusVerb = 'activate' | 'deactivate' | 'disable'

export type Deed =
  | { readonly kind: 'create'; readonly fields: DomainFields }
  | { readonly kind: 'update'; readonly id: number; readonly change: Partial<DomainFields> }
  | { readonly kind: StatusVerb; readonly id: number }
  | { readonly kind: 'delete'; readonly id: number }
  | { readonly kind: 'deploy'; readonly id: number }
  | { readonly kind: 'deploy-all' }
  | { readonly kind: 'estate'; readonly entries: readonly Entry[] }

export type Outcome =
  | {
      readonly accepted: true
      readonly next: Model
      /** Rules that refuse it until its plan's hash is typed back. */
      readonly guards: readonly GuardRule[]
      /** Ids whose released row it moves. */
      readonly moved: readonly number[]
    }
  /** Any of the codes is right: what is looked at first is nobody's business. */
  | { readonly accepted: false; readonly codes: readonly string[] }

class Refusal extends Error {
  readonly codes: readonly string[]

  constructor(...codes: readonly string[]) {
    super(codes.join(' or '))
    this.codes = codes
  }
}

/** @param protected_name the one name that does not go by accident. */
export function outcomeOf(model: Model, deed: Deed, protected_name: string): Outcome {
  const draft: Draft = { next_id: model.next_id, records: new Map(model.records) }
  try {
    const touched = carryOut(model, draft, deed)
    const released = new Map(model.released)
    for (const id of touched) moveRow(released, id, draft.records.get(id))
    assertEachOnce(released)
    const moved = touched.filter((id) => !sameRow(model.released.get(id), released.get(id)))
    const guards = guardsOver(model.released, released, protected_name)
    return { accepted: true, next: { ...draft, released }, guards, moved }
  } catch (error) {
    if (error instanceof Refusal) return { accepted: false, codes: error.codes }
    throw error
  }
}

/** Ids whose saved state is not the deployed one. */
export const pendingIds = ({ records, released }: Model): number[] =>
  [...new Set([...records.keys(), ...released.keys()])].filter(
    (id) => !sameRow(released.get(id), rowOf(records.get(id))),
  )

export const isLive = ({ status }: ModelRecord): boolean => status === 'active' || status === 'error'

interface Draft {
  next_id: number
  readonly records: Map<number, ModelRecord>
}

/** Ids whose saved state is to be released. */
function carryOut(model: Model, draft: Draft, deed: Deed): readonly number[] {
  switch (deed.kind) {
    case 'create':
      insert(draft, deed.fields)
      return []
    case 'update':
      revise(draft, deed.id, deed.change)
      return []
    case 'activate':
    case 'deactivate':
    case 'disable':
      moveStatus(draft, deed.id, deed.kind)
      return [deed.id]
    case 'delete':
      find(draft, deed.id)
      draft.records.delete(deed.id)
      return [deed.id]
    case 'deploy':
      if (!isLive(find(draft, deed.id))) throw new Refusal('conflict')
      return [deed.id]
    case 'deploy-all':
      return pendingIds(model)
    case 'estate':
      return deed.entries.map((entry) => take(draft, entry))
  }
}

function find({ records }: Draft, id: number): ModelRecord {
  const record = records.get(id)
  if (record === undefined) throw new Refusal('not_found')
  return record
}

function insert(draft: Draft, fields: DomainFields): number {
  const id = draft.next_id++
  save(draft, { id, revision: 1, status: 'inactive', fields })
  return id
}

function revise(draft: Draft, id: number, change: Partial<DomainFields>): void {
  const record = find(draft, id)
  const fields = { ...record.fields, ...change }
  if (JSON.stringify(fields) === JSON.stringify(record.fields)) return
  save(draft, { ...record, fields, revision: record.revision + 1 })
}

function moveStatus(draft: Draft, id: number, verb: StatusVerb): void {
  const record = find(draft, id)
  if (record.status === 'disabled' && verb !== 'disable') throw new Refusal('record_disabled')
  const status = ({ activate: 'active', deactivate: 'inactive', disable: 'disabled' } as const)[verb]
  if (status !== record.status) save(draft, { ...record, status, revision: record.revision + 1 })
}

function take(draft: Draft, { fields, status }: Entry): number {
  const present = [...draft.records.values()].find((record) => record.fields.domain === fields.domain)
  const id = present?.id ?? insert(draft, fields)
  revise(draft, id, fields)
  const record = find(draft, id)
  const there = status === record.status || (status === 'active' && isLive(record))
  const verb = ({ active: 'activate', inactive: 'deactivate', disabled: 'disable' } as const)[status]
  if (!there) moveStatus(draft, id, verb)
  return id
}

/** A name belongs to one record for as long as the record is there; a plain entrypoint to one that is not disabled. */
function save({ records }: Draft, record: ModelRecord): void {
  const others = [...records.values()].filter(({ id }) => id !== record.id)
  const codes = [
    ...(others.some(({ fields }) => fields.domain === record.fields.domain) ? ['name_taken'] : []),
    ...(record.status !== 'disabled' &&
    plainEntrypoint(record.fields) !== null &&
    others.some(
      ({ fields, status }) =>
        status !== 'disabled' && plainEntrypoint(fields) === plainEntrypoint(record.fields),
    )
      ? ['entrypoint_taken']
      : []),
  ]
  if (codes.length > 0) throw new Refusal(...codes)
  records.set(record.id, record)
}

const plainEntrypoint = ({ protocol, ssl_enabled, tcp_entrypoint }: DomainFields): string | null =>
  protocol === 'tcp' && !ssl_enabled ? tcp_entrypoint : null

const rowOf = (record: ModelRecord | undefined): ReleasedRow | undefined =>
  record !== undefined && isLive(record) ? { revision: record.revision, fields: record.fields } : undefined

/** A note and tags are nobody's business outside. */
function sameRow(a: ReleasedRow | undefined, b: ReleasedRow | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.revision === b.revision || outward(a) === outward(b)
}

const outward = ({ fields }: ReleasedRow): string => JSON.stringify({ ...fields, note: null, tags: null })

function moveRow(released: Map<number, ReleasedRow>, id: number, record: ModelRecord | undefined): void {
  const row = rowOf(record)
  if (row === undefined) released.delete(id)
  else if (!sameRow(released.get(id), row)) released.set(id, row)
}

function assertEachOnce(released: ReadonlyMap<number, ReleasedRow>): void {
  const held = [...released.values()].flatMap(({ fields }) => [
    `name ${fields.domain}`,
    ...(plainEntrypoint(fields) === null ? [] : [`entrypoint ${fields.tcp_entrypoint}`]),
  ])
  if (new Set(held).size < held.length) throw new Refusal('conflict')
}

function guardsOver(
  before: ReadonlyMap<number, ReleasedRow>,
  after: ReadonlyMap<number, ReleasedRow>,
  protected_name: string,
): readonly GuardRule[] {
  // By name: a rename takes the old name's route as a deletion does. What is managed elsewhere is served by nobody here.
  const served = (edition: typeof before): Set<string> =>
    new Set(
      [...edition.values()].flatMap(({ fields }) =>
        fields.service_type === 'manual' ? [] : [fields.domain],
      ),
    )
  const [names, left] = [served(before), served(after)]
  const removed = [...names].filter((name) => !left.has(name))
  const share = removed.length > 1 && names.size >= 10 && removed.length * 10 > names.size * 3
  return [
    ...(removed.length > 1 && left.size === 0 ? (['emptied_edition'] as const) : []),
    ...(removed.length > 5 || share ? (['bulk_removal'] as const) : []),
    ...(removed.includes(protected_name) ? (['protected_name'] as const) : []),
  ]
}
