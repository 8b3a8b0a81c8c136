/**
 * What follows from a look at the proxy, whoever asked for it: a record that it did not serve recovers when it is served, and
 * entry points that it lacks are told in log and events, at the start and whenever that changes; at the start alone where its static
 * file is all that is known of it.
 */
import type { ProxyEntrypoint } from '../traefik/port.ts'
import type { Deps } from '../deps.ts'
import type { RecordStatuses } from './record-statuses.ts'
import { entrypointFaults } from '../proxy/entrypoints.ts'

export class ObservationWatch {
  readonly #deps: Deps
  readonly #statuses: Pick<RecordStatuses, 'markRecovered'>
  #detail: string | null = null
  #working: Promise<void> = Promise.resolve()
  #ended = false

  constructor(deps: Deps, statuses: Pick<RecordStatuses, 'markRecovered'>) {
    this.#deps = deps
    this.#statuses = statuses
  }

  start(): void {
    const { watch, static_entrypoints } = this.#deps.proxy
    if (watch === null && static_entrypoints !== null) this.#tellEntrypoints(static_entrypoints)
    watch?.onObserved(() => this.#seen())
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
    await this.#statuses.markRecovered()
  }

  #tellEntrypoints(there: readonly ProxyEntrypoint[]): void {
    const { events, log } = this.#deps
    const { missing, detail } = entrypointFaults(this.#deps, there)
    const before = this.#detail
    this.#detail = detail
    if (detail === null || detail === before) return
    const has = there.map(({ name }) => name)
    log.warn('the entry points of the proxy are not those of PLUMBLINE_ENTRYPOINTS', { missing, has, detail })
    events.note('entrypoints_missing', detail, { missing })
  }
}
