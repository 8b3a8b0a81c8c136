/** Where nothing has moved since the last look, its state is the same object: what was worked out from it stays true. */
import type { ZoneState } from './zone-state.ts'

export class LastLook {
  #sources: readonly unknown[] = []
  #state: ZoneState | null = null

  /** @param sources everything that the state is made of, compared by identity */
  stateOf(sources: readonly unknown[], make: () => ZoneState): ZoneState {
    const kept = this.#state
    if (kept !== null && sources.every((source, i) => source === this.#sources[i])) return kept
    this.#sources = sources
    this.#state = make()
    return this.#state
  }
}
