/** Those who want to be told that they should look. */

export class Hints {
  readonly #hints = new Set<() => void>()

  /** Two watchers may pass the same function. */
  watch(hint: () => void): { close(): void } {
    const own = () => hint()
    this.#hints.add(own)
    return { close: () => void this.#hints.delete(own) }
  }

  tell(): void {
    for (const hint of this.#hints) hint()
  }
}
