/**
 * One edition in memory: what the last commit holds, plus what the open transaction has changed.
 *
 * Rows are frozen and ordered by domain, then id (in the released edition rows that are not live may share a name).
 * Arrays are never changed, only replaced, so an answer that was given stays as it was.
 */
import type { Intent, IntentRow } from '../../model/intent.ts'

type RowChanges = ReadonlyMap<number, IntentRow | null>

export class EditionMemory {
  #committed: Intent
  readonly #by_id = new Map<number, IntentRow>()
  #staged = new Map<number, IntentRow | null>()
  #view: Intent

  constructor(rows: readonly IntentRow[]) {
    this.#committed = orderedIntent(rows)
    this.#view = this.#committed
    for (const row of this.#committed.rows) this.#by_id.set(row.domain_id, row)
  }

  /** As of the last commit. */
  committed(): Intent {
    return this.#committed
  }

  /** As the open transaction sees it. */
  staged(): Intent {
    if (this.#view === this.#committed && this.#staged.size > 0)
      this.#view = intentOf(patchRows(this.#committed.rows, this.#by_id, this.#staged))
    return this.#view
  }

  /** One row as the open transaction sees it, or null. */
  row(domain_id: number): IntentRow | null {
    const staged = this.#staged.get(domain_id)
    return staged === undefined ? (this.#by_id.get(domain_id) ?? null) : staged
  }

  /** What the open transaction makes of a row; null removes it. */
  stage(domain_id: number, row: IntentRow | null): void {
    this.#staged.set(domain_id, row && frozen(row))
    this.#view = this.#committed
  }

  publish(): void {
    const next = this.staged()
    for (const [id, row] of this.#staged) {
      if (row === null) this.#by_id.delete(id)
      else this.#by_id.set(id, row)
    }
    this.#committed = next
    this.#staged = new Map()
  }

  discard(): void {
    this.#staged = new Map()
    this.#view = this.#committed
  }
}

/** Frozen and in the order above, as every answer of the store is. */
export const orderedIntent = (rows: readonly IntentRow[]): Intent => intentOf(rows.map(frozen).sort(order))

const order = (a: IntentRow, b: IntentRow): number =>
  a.fields.domain < b.fields.domain ? -1 : a.fields.domain > b.fields.domain ? 1 : a.domain_id - b.domain_id

interface Edit {
  /** Position in the old rows. */
  readonly at: number
  /** The row to put before that position; null drops the row that stands there. */
  readonly row: IntentRow | null
}

/** The rows after the changes. `by_id` holds the present rows; changes of rows that are not there only add. */
function patchRows(
  rows: readonly IntentRow[],
  by_id: ReadonlyMap<number, IntentRow>,
  changes: RowChanges,
): readonly IntentRow[] {
  const edits: Edit[] = []
  for (const [id, row] of changes) {
    const present = by_id.get(id)
    if (present !== undefined) edits.push({ at: position(rows, present), row: null })
    if (row !== null) edits.push({ at: position(rows, row), row })
  }
  edits.sort((a, b) => a.at - b.at || orderEdits(a, b))
  const next: IntentRow[] = []
  let from = 0
  for (const { at, row } of edits) {
    while (from < at) next.push(rows[from++]!)
    if (row === null) from++
    else next.push(row)
  }
  while (from < rows.length) next.push(rows[from++]!)
  return next
}

/** At one position: additions in their order, then the row that goes. */
function orderEdits(a: Edit, b: Edit): number {
  if (a.row === null) return 1
  return b.row === null ? -1 : order(a.row, b.row)
}

/** Index of the first row that is not before `row`. */
function position(rows: readonly IntentRow[], row: IntentRow): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (order(rows[middle]!, row) < 0) low = middle + 1
    else high = middle
  }
  return low
}

const intentOf = (rows: readonly IntentRow[]): Intent => Object.freeze({ rows: Object.freeze(rows) })

function frozen(row: IntentRow): IntentRow {
  const { fields } = row
  Object.freeze(fields.middleware_config.extra_middlewares)
  Object.freeze(fields.middleware_config)
  Object.freeze(fields.tags)
  Object.freeze(fields)
  return Object.freeze(row)
}
