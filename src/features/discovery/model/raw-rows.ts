/**
 * Entries of a list as their source sent them, secrets among them. They are shown nowhere and written nowhere: whoever
 * tells of them names the fields that they take.
 */
import type { Json } from '../../../kernel/text/lenient.ts'

export class RawRows {
  readonly #rows: readonly Json[]
  /** Entries that are none of the form that all have, and are not among the others. */
  readonly unreadable: number

  constructor(rows: readonly Json[], unreadable = 0) {
    this.#rows = rows
    this.unreadable = unreadable
  }

  get count(): number {
    return this.#rows.length
  }

  /** With everything that the source knows of them. */
  reveal(): readonly Json[] {
    return this.#rows
  }
}
