/**
 * Counts of looks by domain, a quarter of an hour a bucket, for the last 96 of them. A domain takes 288 bytes, so ten
 * thousand of them stay below 5 MB. A bucket that the clock has left behind is emptied before it is used again.
 */
import type { Instant, Milliseconds } from '../../kernel/clock.ts'

export const BUCKET_MS: Milliseconds = 900_000
export const BUCKETS = 96

export const LOOK_STATES = ['ok', 'bad', 'unknown'] as const
export type LookState = (typeof LOOK_STATES)[number]

export interface Bucket extends Readonly<Record<LookState, number>> {
  /** When it began. */
  readonly at: Instant
}

/** Domain id, ok, bad, unknown. */
export type BucketRow = readonly [number, number, number, number]

const MAX_COUNT = 255

export class Buckets {
  readonly #counts = new Map<number, Uint8Array>()
  /** Number of the newest bucket since 1970. */
  #newest = 0

  add(domain_id: number, state: LookState, at: Instant): void {
    const number = this.#advanceTo(at)
    if (number <= this.#newest - BUCKETS) return
    const counts = this.#of(domain_id)
    const place = placeOf(number) + LOOK_STATES.indexOf(state)
    counts[place] = Math.min(MAX_COUNT, counts[place]! + 1)
  }

  /** What was kept of one bucket, as after a restart. */
  restore(started_at: Instant, rows: readonly BucketRow[]): void {
    const number = this.#advanceTo(started_at)
    if (number <= this.#newest - BUCKETS) return
    for (const [domain_id, ...counts] of rows) this.#of(domain_id).set(counts, placeOf(number))
  }

  /** The last `count` buckets up to now, the oldest first, also those in which nobody looked. */
  read(domain_id: number, now: Instant, count: number): readonly Bucket[] {
    const last = this.#advanceTo(now)
    const counts = this.#counts.get(domain_id)
    return Array.from({ length: count }, (_, at) => {
      const number = last - count + 1 + at
      const place = placeOf(number)
      const [ok = 0, bad = 0, unknown = 0] = counts?.subarray(place, place + LOOK_STATES.length) ?? []
      return { at: number * BUCKET_MS, ok, bad, unknown }
    })
  }

  /** All domains that were looked at in the bucket of this time. */
  rows(at: Instant): readonly BucketRow[] {
    const place = placeOf(this.#advanceTo(at))
    return [...this.#counts].flatMap(([domain_id, counts]) => {
      const [ok, bad, unknown] = counts.subarray(place, place + LOOK_STATES.length)
      return ok! + bad! + unknown! === 0 ? [] : [[domain_id, ok!, bad!, unknown!] as const]
    })
  }

  /** A domain of which nothing is left is forgotten. */
  #advanceTo(at: Instant): number {
    const number = Math.floor(at / BUCKET_MS)
    if (number <= this.#newest) return number
    const first = Math.max(this.#newest + 1, number - BUCKETS + 1)
    for (const [domain_id, counts] of this.#counts) {
      for (let one = first; one <= number; one++)
        counts.fill(0, placeOf(one), placeOf(one) + LOOK_STATES.length)
      if (counts.every((count) => count === 0)) this.#counts.delete(domain_id)
    }
    this.#newest = number
    return number
  }

  #of(domain_id: number): Uint8Array {
    const counts = this.#counts.get(domain_id) ?? new Uint8Array(BUCKETS * LOOK_STATES.length)
    this.#counts.set(domain_id, counts)
    return counts
  }
}

const placeOf = (number: number): number => (number % BUCKETS) * LOOK_STATES.length

/**
 * Percent of the looks that found something out, to two digits and never rounded up, so that 100 means always; null where
 * none did. Unknown is not up, nor is it down.
 */
export function uptimeOf(buckets: readonly Bucket[]): number | null {
  const { ok, bad } = totalsOf(buckets)
  return ok + bad === 0 ? null : Math.floor((ok * 10_000) / (ok + bad)) / 100
}

export const totalsOf = (buckets: readonly Bucket[]): Readonly<Record<LookState, number>> => ({
  ok: sum(buckets.map(({ ok }) => ok)),
  bad: sum(buckets.map(({ bad }) => bad)),
  unknown: sum(buckets.map(({ unknown }) => unknown)),
})

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
