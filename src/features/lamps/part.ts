/** One thing that is known of a lamp, and the lamp of several of them. Pure. */
import type { Instant } from '../../kernel/clock.ts'
import { type LampState, worstFirst } from './states.ts'

export interface LampPart {
  /** Who says it: a key such as `dns:example.org`, or the name of a part of the health page. */
  readonly source: string
  readonly state: LampState
  /** Null for what is as it should be, and for what is not used. */
  readonly cause: string | null
  /** A sentence. */
  readonly message: string
  /** When that was seen; null where it was never looked at. */
  readonly seen_at: Instant | null
}

export interface Lamp extends Omit<LampPart, 'source'> {
  /** What it rests on, the worst first. */
  readonly parts: readonly LampPart[]
}

const NOT_USED: Lamp = { state: 'not_used', cause: null, message: 'Not used.', seen_at: null, parts: [] }

/** The worst of its parts, as old as the oldest of them. @param otherwise where there is none */
export function lampOf(given: readonly (LampPart | null)[], otherwise = NOT_USED.message): Lamp {
  const parts = given.filter((part) => part !== null)
  if (parts.length > 1) parts.sort((a, b) => worstFirst(a.state, b.state))
  const [worst] = parts
  if (worst === undefined) return { ...NOT_USED, message: otherwise }
  const { state, cause, message } = worst
  return { state, cause, message, seen_at: oldest(parts), parts }
}

/** Null where one of them was never seen. */
function oldest(parts: readonly LampPart[]): Instant | null {
  let least = Infinity
  for (const { seen_at } of parts) {
    if (seen_at === null) return null
    least = Math.min(least, seen_at)
  }
  return least
}
