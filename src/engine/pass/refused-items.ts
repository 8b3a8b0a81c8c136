/**
 * Items that were refused alone, each with a wait of its own: one bad name must not keep its neighbours waiting, nor be sent
 * again at each of their looks. Kept in memory: after a restart each is tried once.
 */
import { type BackoffPolicy, nextTry } from '../../kernel/async/backoff.ts'
import { type Instant, isFromAhead } from '../../kernel/clock.ts'
import { digestOf } from '../../kernel/digest.ts'
import type { Refusal } from '../../model/report.ts'
import { isTheirs, type Whose } from '../../model/whose.ts'
import type { Released } from '../editions/editions.ts'
import type { AnyTarget, Difference } from '../target.ts'

interface Waiting {
  /** What was to be done; another wish is another try. */
  readonly digest: string
  readonly failures: number
  readonly refused_at: Instant
  readonly until: Instant
  readonly refusal: Refusal
  /** Whoever released or asked was promised it; see `owed.ts`. */
  readonly owed: boolean
}

/** How often it was tried in vain, and when it is tried again. */
export type RefusedTries = Pick<Waiting, 'failures' | 'until' | 'refusal'>

export interface TryNow {
  readonly now: Instant
  /** The records that callers ask for; null where nobody asks. */
  readonly asked_for: Whose | null
}

/** What is to be done, without whose it is. */
export const wishOf = ({ verb, before, after }: Difference<unknown>): string =>
  digestOf([verb, before, after])

interface Rest {
  readonly portion: string
  readonly released: Released
}

interface Ended {
  readonly untried: ReadonlyMap<string, Refusal>
  readonly now: Instant
  readonly random: number
  /** By the key of the difference. Left out: none is. */
  readonly owed?: ReadonlySet<string>
}

export class RefusedItems {
  readonly #keys = new Map<string, ReadonlyMap<string, Waiting>>()
  readonly #rests = new Map<string, Rest>()

  /**
   * The refusals of those differences that are not to be tried now, by the key of the difference. Whoever asks has their own
   * tried at once, and nobody else's; without a caller those are tried whose time has come.
   */
  waiting(
    { key }: AnyTarget,
    differences: readonly Difference<unknown>[],
    { now, asked_for }: TryNow,
  ): ReadonlyMap<string, Refusal> {
    const isTried = ({ domain_ids }: Difference<unknown>, { until, refused_at }: Waiting): boolean =>
      asked_for === null ? until <= now || isFromAhead(refused_at, now) : isTheirs(asked_for, domain_ids)
    return new Map(
      differences.flatMap((difference) => {
        const one = this.#of(key, difference)
        return one === null || isTried(difference, one) ? [] : [[difference.key, one.refusal] as const]
      }),
    )
  }

  /** Of those of the differences that were refused when they were tried last, the next one to be tried first. */
  tries(key: string, differences: readonly Difference<unknown>[]): readonly RefusedTries[] {
    return differences
      .flatMap((difference) => this.#of(key, difference) ?? [])
      .sort((a, b) => a.until - b.until)
  }

  /** What was refused when the key was tried last, whatever has become of the world since; null for nothing. */
  refusal(key: string): Refusal | null {
    const [first] = this.#keys.get(key)?.values() ?? []
    return first?.refusal ?? null
  }

  /** All else of what was released is in the world. @param portion digest of the key's part of the release */
  noteRest(key: string, portion: string, released: Released): void {
    this.#rests.set(key, { portion, released })
  }

  /** The whole release is: what is refused from now on is of another one, or was edited. */
  dropRest(key: string): void {
    this.#rests.delete(key)
  }

  restStands(key: string, portion: string): boolean {
    return this.#rests.get(key)?.portion === portion
  }

  /** The release of which all else stood last; null where the whole of one did, or that is not known. */
  rest(key: string): Released | null {
    return this.#rests.get(key)?.released ?? null
  }

  /** Whether it was refused when it was tried last, and is still to be done for whoever was promised it. */
  isOwed(key: string, difference_key: string): boolean {
    return this.#keys.get(key)?.get(difference_key)?.owed === true
  }

  /** When the next one of the key is to be tried; null where none waits. */
  nextTry(key: string): Instant | null {
    const untils = [...(this.#keys.get(key)?.values() ?? [])].map(({ until }) => until)
    return untils.length === 0 ? null : Math.min(...untils)
  }

  /** A pass ended. What it did not refuse is forgotten; what it did not try goes on waiting. */
  note(
    target: AnyTarget,
    refused: ReadonlyMap<Difference<unknown>, Refusal>,
    { untried, now, random, owed }: Ended,
  ): void {
    const before = this.#keys.get(target.key)
    const after = new Map([...(before ?? [])].filter(([key]) => untried.has(key)))
    for (const [difference, refusal] of refused) {
      const present = before?.get(difference.key)
      const { failures, at: until } = nextTry(
        present === undefined ? null : { failures: present.failures, next_attempt_at: present.until },
        { policy: policyFor(target, refusal), now, random, retry_after_ms: refusal.failure.retry_after_ms },
      )
      const is_owed = owed?.has(difference.key) === true || this.isOwed(target.key, difference.key)
      const digest = wishOf(difference)
      after.set(difference.key, { digest, failures, refused_at: now, until, refusal, owed: is_owed })
    }
    if (after.size === 0) this.#keys.delete(target.key)
    else this.#keys.set(target.key, after)
  }

  #of(key: string, difference: Difference<unknown>): Waiting | null {
    const one = this.#keys.get(key)?.get(difference.key)
    return one?.digest === wishOf(difference) ? one : null
  }
}

/** Whoever failed may be mended at any time, and nobody tells. What it understood and refused waits as ever. */
function policyFor({ backoff, failed_item_most_ms }: AnyTarget, { failure }: Refusal): BackoffPolicy {
  if (failure.code !== 'component_unavailable' || failed_item_most_ms === undefined) return backoff
  return { ...backoff, max_ms: Math.min(backoff.max_ms, failed_item_most_ms) }
}
