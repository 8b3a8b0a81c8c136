/**
 * A call that has no answer yet: a daemon that lives is given its time, one that hangs is not. Which of them it is, its
 * `/health` says, which waits for nothing.
 */
import type { Clock, Milliseconds } from '../kernel/clock.ts'

const EVERY_MS: Milliseconds = 500
const ASK_AFTER_MS: Milliseconds = 1000
const SHOW_AFTER_MS: Milliseconds = 2000

export interface Silence {
  readonly clock: Clock
  /** Never rejects. */
  readonly isAlive: (signal: AbortSignal) => Promise<boolean>
  /** Without any sign of life. */
  readonly max_silent_ms: Milliseconds
  readonly max_ms: Milliseconds
  /** How long it is waited for still; null once it has shown that it lives. */
  readonly onSilence: (left_ms: Milliseconds | null) => void
}

/** Resolves when there is no point in waiting any longer. Rejects as soon as the signal aborts. */
export async function silenceEnds(
  { clock, isAlive, max_silent_ms, max_ms, onSilence }: Silence,
  signal: AbortSignal,
): Promise<'silent' | 'late'> {
  const began = clock.elapsed()
  let heard = began
  let is_asking = false
  const ask = async () => {
    is_asking = true
    if (await isAlive(signal)) {
      heard = clock.elapsed()
      onSilence(null)
    }
    is_asking = false
  }
  for (;;) {
    await clock.sleep(EVERY_MS, signal)
    const now = clock.elapsed()
    const silent_ms = now - heard
    if (now - began >= max_ms) return 'late'
    if (silent_ms >= max_silent_ms) return 'silent'
    if (silent_ms >= SHOW_AFTER_MS) onSilence(max_silent_ms - silent_ms)
    if (silent_ms >= ASK_AFTER_MS && !is_asking) void ask()
  }
}
