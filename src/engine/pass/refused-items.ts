/**
 * Items that were refused alone, each with a wait of its own: one bad name must not keep its neighbours waiting, nor be sent
 * again at each of their looks. Kept in memory: after a restart each is tried once.
 */
import { backoffDelay } from '../../kernel/async/backoff.ts'
import type { Instant } from '../../kernel/clock.ts'
import { digestOf } from '../../kernel/digest.ts'
import type { Refusal } from '../../model/report.ts'
import type { AnyTarget, Difference } from '../target.ts'

interface Waiting {
  /** What was to be done; another wish is another try. */
  readonly digest: string
  readonly failures: number
  readonly until: Instant
  readonly refusal: Refusal
}

const wishOf = ({ verb, before, after }: Difference<unknown>): string => digestOf([verb, before, after])

export class RefusedItems {
  readonly #keys = new Map<string, ReadonlyMap<string, Waiting>>()

  /** The refusals of those differences whose time has not come, by the key of the difference. */
  waiting(
    { key }: AnyTarget,
    differences: readonly Difference<unknown>[],
    now: Instant,
  ): ReadonlyMap<string, Refusal> {
    const kept = this.#keys.get(key)
    if (kept === undefined) return new Map()
    return new Map(
      differences.flatMap((difference) => {
        const one = kept.get(difference.key)
        const waits = one !== undefined && one.until > now && one.digest === wishOf(difference)
        return waits ? [[difference.key, one.refusal] as const] : []
      }),
    )
  }

  /** A pass ended. What it did not refuse is forgotten; what it did not try goes on waiting. */
  note(
    target: AnyTarget,
    refused: ReadonlyMap<Difference<unknown>, Refusal>,
    { untried, now, random }: { untried: ReadonlyMap<string, Refusal>; now: Instant; random: number },
  ): void {
    const before = this.#keys.get(target.key)
    const after = new Map([...(before ?? [])].filter(([key]) => untried.has(key)))
    for (const [difference, refusal] of refused) {
      const failures = (before?.get(difference.key)?.failures ?? 0) + 1
      const wait = backoffDelay(target.backoff, failures, random, refusal.failure.retry_after_ms)
      const until = now + wait
      after.set(difference.key, { digest: wishOf(difference), failures, until, refusal })
    }
    if (after.size === 0) this.#keys.delete(target.key)
    else this.#keys.set(target.key, after)
  }
}
