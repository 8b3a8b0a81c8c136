/** Keeps one name that comes again and again from drowning everything else: a burst, then now and then one that counts the rest. */
import type { Milliseconds } from '../clock.ts'

export const BURST = 25
export const THEN_EVERY_MS: Milliseconds = 5 * 60_000

interface Bucket {
  /** How many may still pass, with the part of the next one that has grown back. */
  left: number
  at: Milliseconds
  merged: number
}

/** A bucket per name; names come from keys, kinds and codes, so there are few. */
export class Merger {
  readonly #buckets = new Map<string, Bucket>()

  /**
   * How many were held back since the last that passed, or null when this one is held back, too.
   * @param now monotonic
   */
  admit(name: string, now: Milliseconds): number | null {
    const bucket = this.#buckets.get(name) ?? { left: BURST, at: now, merged: 0 }
    this.#buckets.set(name, bucket)
    bucket.left = Math.min(BURST, bucket.left + (now - bucket.at) / THEN_EVERY_MS)
    bucket.at = now
    if (bucket.left < 1) {
      bucket.merged++
      return null
    }
    const { merged } = bucket
    bucket.left--
    bucket.merged = 0
    return merged
  }
}
