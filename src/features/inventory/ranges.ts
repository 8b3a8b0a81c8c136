/** Ranges of whole numbers, both ends within. Pure. */
export interface Range {
  readonly first: number
  readonly last: number
}

/** In order, and none touches another. */
export function merged(ranges: readonly Range[]): readonly Range[] {
  const all: Range[] = []
  for (const range of ranges.toSorted((a, b) => a.first - b.first)) {
    const before = all.at(-1)
    if (before === undefined || range.first > before.last + 1) all.push(range)
    else all[all.length - 1] = { first: before.first, last: Math.max(before.last, range.last) }
  }
  return all
}

/** Which numbers from 0 on were marked, and how many: a byte each where that is bearable, for it is many times faster. */
export interface Marks {
  has(number: number): boolean
  add(number: number): void
  readonly count: number
}

const MAX_BYTES = 16 * 1024 * 1024

export function marksUpTo(last: number): Marks {
  if (last >= MAX_BYTES) return new MarkedSet()
  return new MarkedBytes(last + 1)
}

class MarkedBytes implements Marks {
  readonly #bytes: Uint8Array
  #count = 0

  constructor(size: number) {
    this.#bytes = new Uint8Array(size)
  }

  get count(): number {
    return this.#count
  }

  has(number: number): boolean {
    return this.#bytes[number] === 1
  }

  add(number: number): void {
    if (this.#bytes[number] === 1) return
    this.#bytes[number] = 1
    this.#count++
  }
}

class MarkedSet implements Marks {
  readonly #all = new Set<number>()

  get count(): number {
    return this.#all.size
  }

  has(number: number): boolean {
    return this.#all.has(number)
  }

  add(number: number): void {
    this.#all.add(number)
  }
}

export const isWithinAny = (ranges: readonly Range[], number: number): boolean => {
  for (const { first, last } of ranges) if (number >= first && number <= last) return true
  return false
}
