/** How well a text answers a search, and the best of many. Pure. */

/** 3: it is the word; 2: it begins with it; 1: a part of it does, as after a dot; 0: it is somewhere in it; null: it is not. */
export function rankOf(text: string, word: string): number | null {
  const at = text.indexOf(word)
  if (at === -1) return null
  if (at === 0) return text.length === word.length ? 3 : 2
  return isPartBefore(text, at) ? 1 : 0
}

const isPartBefore = (text: string, at: number): boolean => /[^a-z0-9]/.test(text[at - 1]!)

/** The best of what is found, each made only where there is room for it. Of one rank the first stay, so ask in order. */
export class Best<T> {
  readonly #max: number
  readonly #by_rank = new Map<number, T[]>()

  constructor(max: number) {
    this.#max = max
  }

  /** @param rank null: it is not found */
  add(rank: number | null, make: () => T): void {
    if (rank === null) return
    const group = this.#by_rank.get(rank)
    if (group === undefined) this.#by_rank.set(rank, [make()])
    else if (group.length < this.#max) group.push(make())
  }

  get items(): readonly T[] {
    return [...this.#by_rank]
      .toSorted(([a], [b]) => b - a)
      .flatMap(([, group]) => group)
      .slice(0, this.#max)
  }
}
