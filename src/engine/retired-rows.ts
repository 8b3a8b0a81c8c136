/**
 * The working edition has no row of a deleted record, while the released one keeps it as retired until everything of it
 * is gone. Comparing the two must not show that as an edit that waits, so the working side is read with those rows.
 */
import { byDomain, type Intent, type IntentRow } from '../model/intent.ts'

export class RetiredRows {
  #working: Intent | null = null
  #released: Intent | null = null
  #retired: readonly IntentRow[] = []
  #answer: Intent = { rows: [] }

  /** The same object as long as nothing that matters has changed: what is derived from it is kept by identity. */
  addedTo(working: Intent, released: Intent): Intent {
    if (working === this.#working && released === this.#released) return this.#answer
    const retired = deletedIn(working, released)
    if (working !== this.#working || !isSame(retired, this.#retired))
      this.#answer = retired.length === 0 ? working : { rows: [...working.rows, ...retired].sort(byDomain) }
    this.#working = working
    this.#released = released
    this.#retired = retired
    return this.#answer
  }
}

function deletedIn(working: Intent, released: Intent): readonly IntentRow[] {
  const retired = released.rows.filter((row) => row.retired)
  if (retired.length === 0) return retired
  const present = new Set(working.rows.map(({ domain_id }) => domain_id))
  return retired.filter(({ domain_id }) => !present.has(domain_id))
}

const isSame = (a: readonly IntentRow[], b: readonly IntentRow[]): boolean =>
  a.length === b.length && a.every((row, index) => row === b[index])
