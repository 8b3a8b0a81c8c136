/**
 * What becomes of a release that the proxy did not load, decided once for each release: by the deploy that waited for it,
 * or by the watch where nobody waits any more. Whoever comes second is told what was decided.
 */
import type { ReleaseHead } from '../../../ports/records/trails.ts'
import type { Deps } from '../deps.ts'
import {
  type Decision,
  type GoingBack,
  keptDecision,
  PROXY_RESULT,
  type ReleaseDecisions,
  type Stay,
  staysEvent,
} from './decision-record.ts'
import { goBack } from './go-back.ts'
import type { LoadedState } from '../loaded/loaded-state.ts'

export class Decisions implements ReleaseDecisions {
  readonly #deps: () => Deps
  #left: number | null = null
  readonly #listeners: (() => void)[] = []
  #last: { readonly release: number; readonly outcome: Promise<GoingBack> } | null = null

  /** @param deps asked for at the first use: they hold these decisions themselves */
  constructor(deps: () => Deps) {
    this.#deps = deps
  }

  /**
   * The newest release was not loaded. Throws what the store or the proxy throws; nothing is decided then. So it is with
   * an answer that is only `for_now`.
   */
  async decide(head: ReleaseHead, state: LoadedState): Promise<GoingBack> {
    if (this.#last?.release === head.number) return this.#last.outcome
    const outcome = decideOnce(this.#deps(), head, state)
    const mine = { release: head.number, outcome }
    this.#last = mine
    const forget = () => {
      if (this.#last === mine) this.#last = null
    }
    outcome.then((done) => 'for_now' in done && done.for_now && forget(), forget)
    return outcome
  }

  /** The proxy was seen to run it, at once or after somebody cured what kept it from that. */
  async loaded(head: ReleaseHead): Promise<void> {
    const { store } = this.#deps()
    const kept = await keptDecision(store, head)
    if (kept === null || kept === 'not_loaded' || kept === 'superseded')
      await store.write((tx) => tx.recordResults(head.number, { [PROXY_RESULT]: 'loaded' }))
  }

  leave({ number }: ReleaseHead): void {
    this.#left = number
    for (const left of this.#listeners) left()
  }

  isLeft({ number }: ReleaseHead): boolean {
    return this.#left === number
  }

  onLeft(left: () => void): void {
    this.#listeners.push(left)
  }
}

async function decideOnce(deps: Deps, head: ReleaseHead, state: LoadedState): Promise<GoingBack> {
  const { store, clock, proxy } = deps
  const kept = await keptDecision(store, head)
  if (kept !== null) return { stays_because: KEPT[kept], for_now: false }
  // What does not stand on disk was refused by nobody.
  if (state.on_disk !== 'newest')
    return { stays_because: 'the newest one does not stand on disk', for_now: true }
  const going = await goBack(deps, head, state, proxy.watch!.closing)
  if ('stays_because' in going && !going.for_now) await keepStay(going)
  return going

  async function keepStay({ stays_because }: Stay): Promise<void> {
    await store.write(async (tx) => {
      await tx.recordResults(head.number, { [PROXY_RESULT]: 'not_loaded' })
      await tx.addEvent(staysEvent(clock.now(), head, stays_because))
    })
    deps.events.added()
  }
}

const KEPT: Readonly<Record<Decision, string>> = {
  loaded: 'the proxy did load it before, so the cause is not the file',
  not_loaded: 'so it was decided before',
  went_back: 'another release came meanwhile',
  superseded: 'another release came meanwhile',
}
