/**
 * How far a call has come that brings the world to a release. It lives in memory alone: a write to the database for every
 * record would cost more than the record, and once the call has ended its answer says what was done.
 */
import type { ConvergeProgress, KeyProgress, ProofEnd } from '../../engine/progress.ts'
import { passWords } from '../../engine/pass/pass-words.ts'
import { type Clock, systemClock } from '../../kernel/clock.ts'
import {
  endOf,
  type KeyState,
  type ProgressView,
  progressOf,
  PROOF,
  stepOf,
  type StepView,
  type Timed,
  UNTIMED,
} from '../../model/operation/progress.ts'

export class OperationProgress implements ConvergeProgress {
  readonly #keys = new Map<string, KeyState>()
  readonly #proofs = new Map<string, KeyState>()
  readonly #clock: Clock
  #changed: (step: StepView) => void = () => undefined

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  /** Calls `listener` with every step that begins or ends. */
  onStep(listener: (step: StepView) => void): void {
    this.#changed = listener
  }

  expects(targets: readonly { readonly name: string; readonly key: string }[]): void {
    for (const { name, key } of targets) {
      const before = this.#keys.get(key)?.done ?? 0
      this.#keys.set(key, { ...UNTIMED, name, before, state: 'waiting', done: before, total: before })
    }
  }

  of(key: string): KeyProgress {
    const set = (change: (one: KeyState) => void) => {
      const one = this.#keys.get(key)
      if (one === undefined) return
      const before = one.state
      change(one)
      if (one.state !== before) this.#changed(stepOf([key, one]))
    }
    return {
      looks: () => set((one) => Object.assign(one, { ...this.#begun(one), state: 'looking' })),
      writes: (items) =>
        set((one) => Object.assign(one, { state: 'writing', done: one.before, total: one.before + items })),
      wrote: (items) => set((one) => (one.done = Math.min(one.total, one.done + items))),
      ended: (report) =>
        set((one) =>
          Object.assign(one, endOf(one, report), this.#ended(one), { message: passWords(report) }),
        ),
      left: () =>
        set((one) =>
          Object.assign(one, { state: 'done', ...this.#ended(one), message: 'Nothing is left to do here.' }),
        ),
    }
  }

  proves(name: string): (end: ProofEnd) => void {
    const one: KeyState = { ...UNTIMED, name: PROOF, before: 0, state: 'looking', done: 0, total: 0 }
    Object.assign(one, this.#begun(one))
    this.#proofs.set(name, one)
    this.#changed(stepOf([name, one]))
    return (end) => {
      Object.assign(one, end, this.#ended(one))
      this.#changed(stepOf([name, one]))
    }
  }

  /** In the order of work, the proofs at the end. */
  steps(): readonly StepView[] {
    return [...this.#keys, ...this.#proofs].map(stepOf)
  }

  /** One that looks again goes on. */
  #begun({ started_at }: Timed): Partial<Timed> {
    return started_at === null ? { started_at: this.#clock.now(), started_ms: this.#clock.elapsed() } : {}
  }

  #ended({ started_at, started_ms }: Timed): Partial<Timed> {
    return { took_ms: started_at === null ? null : Math.round(this.#clock.elapsed() - started_ms) }
  }

  /** Null before anything is to be brought anywhere. */
  view(): ProgressView | null {
    return progressOf([...this.#keys.values()])
  }
}
