/**
 * How a single test says in place that it is of the deep tier, or of whose table the gate takes a part. Each file keeps in the
 * gate what would notice first that its promise is broken; the whole of it runs in depth, and so in CI after each gate.
 */
import { describe, it } from 'vitest'
import { sample, TIER } from './tier.ts'

const nothing = Object.assign(() => undefined, {
  each: () => nothing,
  for: () => nothing,
  skipIf: () => nothing,
})

/** `it` of the deep tier: in the gate it declares nothing. */
export const itInDepth = TIER === 'gate' ? (nothing as unknown as typeof it) : it

/** `describe` of the deep tier: in the gate it is not there, nor is what it holds. */
export const describeInDepth = TIER === 'gate' ? (nothing as unknown as typeof describe) : describe

type Each = (rows: readonly unknown[]) => unknown

/** `it`, of whose table the gate takes one row in `nth`, beginning with the first. */
export const itOneIn = (nth: number): Pick<typeof it, 'each'> => {
  const each: Each = (rows) => (it.each as Each)(sample(rows, nth))
  return { each: each as typeof it.each }
}

/** The same for a table of suites. */
export const describeOneIn = (nth: number): Pick<typeof describe, 'each'> => {
  const each: Each = (rows) => (describe.each as Each)(sample(rows, nth))
  return { each: each as typeof describe.each }
}
