/**
 * What stands between a difference and its repair. Each guard is a predicate over facts; the first hit is the answer. A
 * hit is a refusal that names the rule, the figures and what would lift it. A failed read needs no guard: it never
 * becomes a difference. Guards over what a release moves stand in `release-guards.ts`.
 */
import type { GuardHit } from '../../model/plan.ts'
import type { Fight } from './fight.ts'
import type { AnyTarget, Difference } from '../target.ts'

export interface GuardFacts {
  readonly target: Pick<AnyTarget, 'name' | 'key' | 'whole' | 'read_in'>
  readonly differences: readonly Difference<unknown>[]
  /** True once we have written this key. */
  readonly written_before: boolean
  /** Digest of the release that the differences were computed for, and of the newest one right now. */
  readonly computed_for: string
  readonly newest: string | null
  /** A caller asks for this pass. */
  readonly asked: boolean
  /** Over the very state that is there now. */
  readonly fight: Fight | null
  /** What is there lets in more than what was released. */
  readonly opens: boolean
  /** Fingerprint of what is there. */
  readonly observed: string
}

type Guard = (facts: GuardFacts) => GuardHit | null

/** What stood at a path before our first write belongs to somebody else. */
export function notOurs({
  target,
  differences,
  written_before,
}: Pick<GuardFacts, 'target' | 'differences' | 'written_before'>): GuardHit | null {
  const occupied = differences.find((difference) => difference.verb !== 'create')
  if (!target.whole || written_before || occupied === undefined) return null
  const { read_in } = target
  const first = read_in === undefined ? 'Move it away' : `Read it in with "${read_in}", then move it away`
  return {
    rule: 'not_ours',
    message:
      `${occupied.item} was there before Plumbline first wrote to it and is left alone. ` +
      `${first}; the next pass writes the released one.`,
    confirmable: false,
  }
}

/** An older plan must never be applied over a newer release. */
const staleRelease: Guard = ({ computed_for, newest, target }) =>
  computed_for === newest
    ? null
    : {
        rule: 'stale_release',
        message: `A newer release of ${target.name} came in between; it is looked at again.`,
        confirmable: false,
      }

/**
 * Somebody else keeps putting the same thing back. Going on would only make both write for ever; but where giving way leaves
 * a door open, the stricter side goes on.
 */
const contested: Guard = ({ target, asked, fight, opens, observed, computed_for }) =>
  asked || opens || fight === null
    ? null
    : {
        rule: 'contested',
        message:
          `Somebody put the same state of ${target.name} back ${fight.times} times within an hour: ` +
          `${short(observed)} instead of ${short(computed_for)}. Find out who. The repair is taken up again an hour ` +
          'after the last such change, and at once by a deploy.',
        confirmable: false,
      }

const short = (digest: string): string => digest.slice(0, 12)

const GUARDS: readonly Guard[] = [notOurs, staleRelease, contested]

export function guardHit(facts: GuardFacts): GuardHit | null {
  for (const guard of GUARDS) {
    const hit = guard(facts)
    if (hit !== null) return hit
  }
  return null
}
