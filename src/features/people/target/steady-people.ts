/**
 * The people as one pass sees them. People are invited and revoked while a pass is at work; whoever comes in between is
 * for the next one. So the look that follows a write compares with the very people that the write was for, or every
 * pass in a busy hour would find its world changed again.
 */
import type { PeopleReader, Person } from '../records.ts'

export class SteadyPeople {
  readonly #store: Pick<PeopleReader, 'people'>
  readonly #edition: () => number
  #seen: { readonly people: readonly Person[]; readonly edition: number } | null = null
  #pinned = false

  /** @param edition grows with every change of the people */
  constructor(store: Pick<PeopleReader, 'people'>, edition: () => number) {
    this.#store = store
    this.#edition = edition
  }

  async people(): Promise<readonly Person[]> {
    if (this.#pinned && this.#seen !== null) {
      this.#pinned = false
      return this.#seen.people
    }
    const edition = this.#edition()
    const people = await this.#store.people()
    this.#seen = { people, edition }
    return people
  }

  /** A write was made for the people of the last look. */
  pin(): void {
    this.#pinned = true
  }

  /** The edition that was looked at last; null where there is a newer one. */
  edition(): number | null {
    const now = this.#edition()
    return this.#seen?.edition === now ? now : null
  }
}
