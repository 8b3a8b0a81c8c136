/** What a query answered, for as long as no commit has changed it. Looks come often, and their answers are large. */
export class KeptRead<T extends object> {
  #kept: T | null = null
  #staged = false
  /** Raised by every change: an answer that was read before is not kept. */
  #era = 0

  /** The same object until something changes; whoever gets it must not change it. */
  async read(query: () => Promise<T>): Promise<T> {
    if (this.#kept !== null) return this.#kept
    const era = this.#era
    const answer = Object.freeze(await query())
    if (era === this.#era) this.#kept = answer
    return answer
  }

  /** The open transaction changes what is read. */
  stage(): void {
    this.#staged = true
  }

  publish(): void {
    if (!this.#staged) return
    this.#staged = false
    this.#kept = null
    this.#era++
  }

  discard(): void {
    this.#staged = false
  }
}
