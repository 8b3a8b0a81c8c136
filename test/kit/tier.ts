/**
 * How deep a run goes, chosen by `RUNS`: the gate before every commit, the deep tier in CI, the nightly one on demand.
 * A file named `*.deep.test.ts` is left out of the gate (vitest.config.ts); every other one runs in all tiers and asks
 * here how far to go.
 */
export type Tier = 'gate' | 'deep' | 'nightly'

const TIERS: readonly Tier[] = ['gate', 'deep', 'nightly']

function tierOf(asked: string | undefined): Tier {
  const tier = TIERS.find((name) => name === (asked ?? 'gate'))
  if (tier === undefined) throw new Error(`RUNS=${asked} is no tier. Use one of: ${TIERS.join(', ')}.`)
  return tier
}

export const TIER = tierOf(process.env['RUNS'])

/** One value a tier; nightly takes the deep one where it has none of its own. */
export function byTier<T>(gate: T, deep: T, nightly: T = deep): T {
  return { gate, deep, nightly }[TIER]
}

/** Cases of a property: at most 200 in the gate, `full` in the deep tier, ten times as many at night. */
export const runs = (full: number): number => byTier(Math.min(full, 200), full, full * 10)

/** Of `full` cases that are counted as they come, the part that this tier tries. */
export const share = (full: number, count: number): number => Math.ceil((count * runs(full)) / full)

/** All of them in depth; in the gate one in `nth`, beginning with the first. */
export const sample = <T>(items: readonly T[], nth: number): readonly T[] =>
  TIER === 'gate' ? items.filter((_, i) => i % nth === 0) : items

/** Declares tests of the deep tier. In the gate they are not there, which is not the same as skipped. */
export function inDepth(declare: () => void): void {
  if (TIER !== 'gate') declare()
}

/** The same for what takes so long that only the nightly tier has the time. */
export function atNight(declare: () => void): void {
  if (TIER === 'nightly') declare()
}

/** Of all randomness that is not the subject: the same in every run unless `SEED` says otherwise. */
export const SEED = Number(process.env['SEED'] ?? 20_261_122)
