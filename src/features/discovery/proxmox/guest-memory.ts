/** What guests told before this start, and writing down what is new of it. Read once; only what differs is written. */
import { Failure } from '../../../kernel/failure.ts'
import type { GuestMemory, RememberedGuest } from '../model/guest-memory-port.ts'

/** A guest may claim as many as it likes. */
const MAX_ADDRESSES = 256

export class KeptGuests {
  readonly #rows: GuestMemory
  #kept: Map<string, RememberedGuest> | null = null

  constructor(rows: GuestMemory) {
    this.#rows = rows
  }

  /** By guest. Throws what the store throws: what is not read is not nothing. */
  async all(): Promise<ReadonlyMap<string, RememberedGuest>> {
    this.#kept ??= new Map((await this.#rows.all()).map((row) => [row.guest, row]))
    return this.#kept
  }

  /**
   * Keeps what is told now. Who is not listed is forgotten where the list is whole; elsewhere it may come back.
   * What cannot be written now is written in the next round.
   */
  async keep(now: readonly RememberedGuest[], listed: ReadonlySet<string> | null): Promise<void> {
    const known = this.#kept
    if (known === null) return
    const cut = now.map((row) => ({ ...row, reported: row.reported.slice(0, MAX_ADDRESSES) }))
    const rows = cut.filter((row) => !isEmpty(row) && !isSame(row, known.get(row.guest)))
    const empty = new Set(cut.filter(isEmpty).map(({ guest }) => guest))
    const removed = [...known.keys()].filter((id) => empty.has(id) || (listed !== null && !listed.has(id)))
    if (rows.length + removed.length === 0) return
    try {
      await this.#rows.keep(rows, removed)
    } catch (error) {
      if (error instanceof Failure) return
      throw error
    }
    for (const row of rows) known.set(row.guest, row)
    for (const guest of removed) known.delete(guest)
  }
}

/** What its settings say now is read again. */
const isEmpty = ({ reported, replaced }: RememberedGuest): boolean =>
  reported.length === 0 && replaced === null

const isSame = (a: RememberedGuest, b: RememberedGuest | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b)
