/**
 * How often a caller without a key may call, and be refused: by class and client.
 *
 *   key                     as often as it likes
 *   sso, session, local, lan  1,200 calls a minute
 *   public                  120 calls a minute
 *   levels ddns and token   never slowed down here: whoever presents a token is counted by the token, and a gateway that is
 *                           refused for coming soon may not come again
 *
 * A burst of a whole minute's calls is fine. One number a client is kept, and a flood of clients pushes out the oldest.
 */
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import type { Caller, CallerClass } from './caller.ts'
import type { Level } from './level.ts'

const MINUTE_MS: Milliseconds = 60_000
const MAX_A_MINUTE: Readonly<Record<CallerClass, number>> = {
  key: Infinity,
  sso: 1200,
  session: 1200,
  local: 1200,
  lan: 1200,
  public: 120,
}
const MAX_CLIENTS = 10_000
/** Levels whose handler proves the caller. */
export const PROVEN_BY_HANDLER: ReadonlySet<Level> = new Set(['ddns', 'token'])

/** Answers how long the caller is to wait, 0 for not at all, and counts the call that need not. */
export function keylessPace(clock: Pick<Clock, 'elapsed'>): (caller: Caller, level: Level) => Milliseconds {
  /** When each client would have used up what it has called so far, at an even pace (GCRA). */
  const used_up = new Map<string, Milliseconds>()
  return (caller, level) => {
    if (caller.class === 'key' || PROVEN_BY_HANDLER.has(level)) return 0
    const name = `${caller.actor} ${caller.holder}`
    // Whole milliseconds: sums of fractions drift.
    const elapsed = Math.floor(clock.elapsed())
    const next = Math.max(used_up.get(name) ?? elapsed, elapsed) + MINUTE_MS / MAX_A_MINUTE[caller.class]
    const wait_ms = next - elapsed - MINUTE_MS
    if (wait_ms > 0) return wait_ms
    used_up.delete(name)
    used_up.set(name, next)
    if (used_up.size > MAX_CLIENTS) used_up.delete(used_up.keys().next().value!)
    return 0
  }
}
