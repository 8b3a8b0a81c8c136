/**
 * What follows from a look at the proxy, whoever asked for it: a record that it did not serve recovers when it is served, and
 * entry points that it lacks are told in log and events, at the start and whenever that changes.
 */
import type { Deps } from '../deps.ts'
import { judgeRecovered } from '../deploy/judge-records.ts'
import { missingEntrypoints, missingWords } from './entrypoints.ts'

export class SightWatch {
  readonly #deps: Deps
  #missing = ''
  #working: Promise<void> = Promise.resolve()
  #ended = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  start(): void {
    this.#deps.proxy.watch?.onSight(() => this.#seen())
  }

  async stop(): Promise<void> {
    this.#ended = true
    await this.#working
  }

  #seen(): void {
    if (this.#ended) return
    this.#working = this.#working
      .then(() => this.#follow())
      .catch((error: unknown) => this.#deps.log.warn('a look at the proxy was not followed', { error }))
  }

  async #follow(): Promise<void> {
    const { watch } = this.#deps.proxy
    const seen = watch?.last ?? null
    if (this.#ended || seen?.known !== true) return
    this.#tellEntrypoints(seen.snapshot.entrypoints)
    await judgeRecovered(this.#deps)
  }

  #tellEntrypoints(there: readonly { readonly name: string }[]): void {
    const { events, log } = this.#deps
    const missing = missingEntrypoints(this.#deps, there)
    const before = this.#missing
    this.#missing = missing.join(' ')
    if (missing.length === 0 || this.#missing === before) return
    log.warn('the proxy lacks entry points', { missing })
    events.note('entrypoints_missing', missingWords(missing, there), { missing })
  }
}
