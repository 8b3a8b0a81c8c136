/**
 * Rows of the released edition with which the working one is read, because nothing of them waits to be deployed:
 *
 *   deleted and retired   the working edition has no row of it, the released one until everything of it is gone
 *   live on neither side  what was saved of it, such as another name, goes out when it is activated, and not before
 *
 * Comparing the editions must not show these as edits that wait. What a deploy would carry over stands with the others.
 */
import { byDomain, type Intent, type IntentRow } from '../../model/intent.ts'
import { carryingRows } from './carry-over.ts'

export class RowsAtRest {
  #working: Intent | null = null
  #released: Intent | null = null
  #at_rest: readonly IntentRow[] = []
  #answer: Intent = { rows: [] }

  /** The same object as long as nothing that matters has changed: what is derived from it is kept by identity. */
  readInto(working: Intent, released: Intent): Intent {
    if (working === this.#working && released === this.#released) return this.#answer
    const at_rest = [...rowsAtRest(working, released), ...carryingRows(working, released)]
    if (working !== this.#working || !isSame(at_rest, this.#at_rest))
      this.#answer = at_rest.length === 0 ? working : replaced(working, at_rest)
    this.#working = working
    this.#released = released
    this.#at_rest = at_rest
    return this.#answer
  }
}

function rowsAtRest(working: Intent, released: Intent): readonly IntentRow[] {
  const gone = released.rows.filter(({ live }) => !live)
  if (gone.length === 0) return gone
  const saved = new Map(working.rows.map((row) => [row.domain_id, row]))
  return gone.filter((row) => {
    const now = saved.get(row.domain_id)
    return now === undefined ? row.retired : !now.live && now.retired === row.retired
  })
}

function replaced(working: Intent, at_rest: readonly IntentRow[]): Intent {
  const ids = new Set(at_rest.map(({ domain_id }) => domain_id))
  const others = working.rows.filter(({ domain_id }) => !ids.has(domain_id))
  return { rows: [...others, ...at_rest].sort(byDomain) }
}

const isSame = (a: readonly IntentRow[], b: readonly IntentRow[]): boolean =>
  a.length === b.length && a.every((row, index) => row === b[index])
