/** Chance that can be repeated: same seed, same life. */

/** A whole number from 0 to below `below`. */
export type Random = (below: number) => number

/** mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

export const oneOf = <T>(random: Random, items: readonly T[]): T => items[random(items.length)]!
