/** One write in flight for each zone. Whoever writes to a zone takes it: the target, and those who answer challenges. */
import { Turns } from '../../../../kernel/async/turns.ts'

export class ZoneLock {
  readonly #turns = new Turns()

  /** Runs `work` when it is its turn. A signal that aborts while waiting gives the place up. */
  run<T>(account: string, zone: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.#turns.run(JSON.stringify([account, zone]), signal, work)
  }
}
