/**
 * The table of faults: what is broken, whom the health page must name for it and in which words, and how it is mended. A
 * part that is not listed must stay as it should be.
 */
import type { DriftState } from '../../src/model/drift.ts'
import type { HealthFinding } from '../../src/model/health.ts'
import type { HealthWorld } from './health-world.ts'

export type Expected = Pick<HealthFinding, 'drift' | 'reason' | 'cause'>

export interface Fault {
  readonly title: string
  /** The part that is broken first, then those that truly depend on it. */
  readonly blames: Readonly<Record<string, Expected>>
  /** What depends on it, too, and may learn of it only by its own next look. */
  readonly later?: Fault['blames']
  /** Rules of the database that no longer hold, or are unknown. */
  readonly rules?: Readonly<Record<string, boolean | null>> | 'unknown'
  readonly break: (world: HealthWorld) => Promise<void> | void
  /** Left out: the reconciler undoes it as soon as it may; until then it only watches. */
  readonly mend?: (world: HealthWorld) => Promise<void> | void
}

export const unknown = (reason: Expected['reason'] = 'unreachable'): Expected => ({
  drift: null,
  cause: null,
  reason,
})
export const drifts = (cause: string, reason: Expected['reason'] = 'drifting'): Expected => ({
  drift: true,
  cause,
  reason,
})
export const impaired = (cause: string): Expected => ({ drift: false, cause, reason: 'impaired' })

/** Of the whole: what is known to differ goes before what is not known. */
export const overallDrift = (all: readonly Expected[]): DriftState =>
  all.some(({ drift }) => drift === true) || (all.some(({ drift }) => drift === null) ? null : false)

/** All of them at once; each is blamed for its own. */
export function together(...faults: readonly Fault[]): Fault {
  const by_hand = faults.filter(({ mend }) => mend !== undefined)
  return {
    title: faults.map(({ title }) => title).join(', and '),
    blames: Object.assign({}, ...faults.map(({ blames }) => blames)) as Fault['blames'],
    later: Object.assign({}, ...faults.map(({ later }) => later)) as Fault['blames'],
    async break(world) {
      for (const fault of faults) await fault.break(world)
    },
    ...(by_hand.length > 0 && {
      async mend(world: HealthWorld) {
        for (const fault of by_hand) await fault.mend!(world)
      },
    }),
  }
}
