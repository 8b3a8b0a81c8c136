/** Numbers in use, in order: what lies in a range and where the first gap is are found by halving, however many there are. */

export interface NumbersInUse {
  /** Both ends within. */
  countIn(range: { readonly first: number; readonly last: number }): number
  /** The lowest at or above `from` that is not among them. */
  firstGap(from: number): number
}

export class SortedNumbers implements NumbersInUse {
  /** Ascending, each once. */
  readonly #all: Float64Array
  /** Added to each number that is asked about. */
  readonly #origin: number

  private constructor(all: Float64Array, origin: number) {
    this.#all = all
    this.#origin = origin
  }

  static of(numbers: Iterable<number>): SortedNumbers {
    return new SortedNumbers(Float64Array.from(new Set(numbers)).sort(), 0)
  }

  get size(): number {
    return this.#all.length
  }

  countIn({ first, last }: { readonly first: number; readonly last: number }): number {
    return this.#below(last + 1) - this.#below(first)
  }

  firstGap(from: number): number {
    const start = this.#below(from)
    const first = from + this.#origin
    // As long as nothing is missing, a number is as far from the first as its place is.
    return from - start + lowest(start, this.size, (at) => this.#all[at]! - first > at - start)
  }

  /** Which of `base`, `base + step`, `base + 2 * step` … are among them, by their places in that row. */
  every(step: number, base: number): NumbersInUse {
    if (step === 1) return new SortedNumbers(this.#all, this.#origin + base)
    const origin = this.#origin + base
    const row = this.#all.filter((number) => (number - origin) % step === 0)
    return new SortedNumbers(
      row.map((number) => (number - origin) / step),
      0,
    )
  }

  /** How many are below. */
  #below(number: number): number {
    const least = number + this.#origin
    return lowest(0, this.size, (at) => this.#all[at]! >= least)
  }
}

/** The lowest from `low` to `high` of which it is true; it is true of all above it, and taken to be so of `high`. */
function lowest(low: number, high: number, isTrue: (at: number) => boolean): number {
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isTrue(middle)) high = middle
    else low = middle + 1
  }
  return low
}
