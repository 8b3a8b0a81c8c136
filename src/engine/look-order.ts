/**
 * In which order looks began. A look that began before another one says nothing against it, however long it took: what it
 * brings may be older.
 */
import type { AnyTarget, Observation } from './target.ts'

/** Rises with every look that begins. */
export type LookTurn = number

export class LookOrder {
  #last: LookTurn = 0
  /** By key, of the last look that a pass began. */
  readonly #passes = new Map<string, LookTurn>()

  begin(): LookTurn {
    return ++this.#last
  }

  /** A pass's own look. */
  observe(
    target: AnyTarget,
    signal: AbortSignal,
    ask: { readonly afresh: boolean },
  ): Promise<Observation<unknown>> {
    this.#passes.set(target.key, this.begin())
    return target.observe(signal, ask)
  }

  /** Of the last look that a pass began at the key; 0 before the first. */
  ofPass(key: string): LookTurn {
    return this.#passes.get(key) ?? 0
  }
}
