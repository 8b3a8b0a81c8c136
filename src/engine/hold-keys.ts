/** Keeps the keys' own ticks away while a caller works through them in order: bounded, so that nothing waits for ever. */
import type { Milliseconds } from '../kernel/clock.ts'
import type { KeyQueue } from './queue.ts'

interface HoldTerms {
  readonly most_ms: Milliseconds
  /** Called once, when they are free again. */
  readonly freed: () => void
}

/** The answer lets them go. */
export function holdKeys(
  queue: KeyQueue,
  keys: readonly string[],
  { most_ms, freed }: HoldTerms,
): () => void {
  for (const key of keys) queue.hold(key)
  let timer: NodeJS.Timeout | null = null
  let is_held = true
  const letGo = () => {
    if (!is_held) return
    is_held = false
    if (timer !== null) clearTimeout(timer)
    for (const key of keys) queue.letGo(key)
    freed()
  }
  timer = setTimeout(letGo, most_ms).unref()
  return letGo
}
