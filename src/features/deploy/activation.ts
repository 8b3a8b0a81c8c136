/**
 * An activation from its acceptance to its verdict. It is open in the database from the transaction that accepts it until
 * its answer is known, so that one which a crash cut off gets its verdict after the next start: without it a record that a
 * component refuses would stay `active` for ever.
 */
import type { CoreParts } from '../../core/parts.ts'
import { SingleFlight } from '../../kernel/async/single-flight.ts'
import { Failure } from '../../kernel/failure.ts'
import { failureFor, type Outcome, type Report } from '../../model/report.ts'
import type { Deps } from './deps.ts'
import type { Renamed } from '../../engine/editions/renamed.ts'
import { answeredAmong, concludeRenames, type Open, openRenames } from './names/renames.ts'
import { markRefused } from './record-status.ts'
import { isOfProxy } from './stages/served-after.ts'

export interface Activation {
  readonly domain_id: number
  /** The record gets another name with it, and it is decided elsewhere which of the two it has. */
  readonly of_name: boolean
}

/** Carries out what was accepted with `openActivation`. What a component refuses is on the record when this throws. */
export async function carryOutActivation<T>(
  deps: Deps,
  { domain_id, of_name }: Activation,
  deploy: () => Promise<T>,
): Promise<T> {
  const done = await deploy().catch(async (error: unknown) => {
    if (!(error instanceof Failure)) throw error
    // Nobody has refused it: it stays open, and what the components say of it when the suspension ends is its verdict.
    if (error.code === 'suspended') {
      if (!of_name) deps.suspended_activations.add(domain_id)
      throw error
    }
    // One that the end of the process cuts off stays open for the next.
    if (error.code !== 'shutting_down')
      await markRefused(deps, domain_id, error.message, {
        open: new Set(of_name ? [domain_id] : []),
        is_unserved: isOfProxy(error),
      })
    throw error
  })
  if (of_name) return done
  // What is done is done: one that stays open is looked at again by the next start, and found to be taken.
  await deps.store
    .write((tx) => tx.closeActivation(domain_id))
    .catch(async (error: unknown) =>
      deps.log.warn('activation not closed', { domain_id, ...(await named(deps, domain_id)), error }),
    )
  return done
}

/** What an earlier process left open, and what a suspension keeps from its end, until each has its result. */
export class InterruptedActivations {
  readonly #deps: Deps
  readonly #open = new Set<number>()
  /** Of these it is decided elsewhere which of two names they have. */
  readonly #of_names = new Set<number>()
  /** Those of which DNS has not said yet whether they can have the new one. */
  #unsettled: readonly Renamed[] = []
  /** Of these a call knew before the start what became of the name. */
  #answered: ReadonlySet<number> = new Set()
  readonly #settling = new SingleFlight(async () => {
    await this.#conclude()
    await this.#settle()
  })

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Before anybody can activate anything. */
  async prepare(): Promise<void> {
    for (const domain_id of await this.#deps.store.openActivations()) this.#open.add(domain_id)
    if (this.#open.size === 0) return
    this.#unsettled = await openRenames(this.#deps)
    this.#answered = await answeredAmong(this.#deps, this.#unsettled)
    for (const { after } of this.#unsettled) this.#of_names.add(after.domain_id)
  }

  /** Renames that are to be brought on. */
  renames(): Open {
    const until_served = this.#deps.proxy.watch !== null
    return { renamed: this.#unsettled, answered: this.#answered, until_served }
  }

  /** A pass has ended: judges what by now everything has reported on. One runs, and all that come meanwhile are the next. */
  settle(): Promise<void> {
    for (const domain_id of this.#deps.suspended_activations) this.#open.add(domain_id)
    this.#deps.suspended_activations.clear()
    return this.#open.size === 0 && this.#unsettled.length === 0 ? Promise.resolve() : this.#settling.afresh()
  }

  async #settle(): Promise<void> {
    const open = new Set(await this.#deps.store.openActivations())
    const unsettled = new Set(this.#unsettled.map(({ after }) => after.domain_id))
    for (const domain_id of this.#open) {
      // One that went back to its old name has its reason already, and one that may do so yet gets it then.
      if (!open.has(domain_id)) this.#open.delete(domain_id)
      if (!open.has(domain_id) || unsettled.has(domain_id)) continue
      const reports = await this.#deps.engine.reportsFor(domain_id)
      if (!isAnswered(reports)) continue
      const failure = reports.map((report) => failureFor(report, [domain_id])).find((one) => one !== null)
      if (failure !== undefined) {
        const reason = `${failure.message} The release stands and is tried again.`
        await markRefused(this.#deps, domain_id, reason, { open: this.#of_names })
      } else if (!this.#of_names.has(domain_id))
        await this.#deps.store.write((tx) => tx.closeActivation(domain_id))
      this.#open.delete(domain_id)
      const summary = { domain_id, ...(await named(this.#deps, domain_id)), refused: failure !== undefined }
      this.#deps.log.info('activation settled later', summary)
    }
  }

  /** One that was released anew since is a matter of that call. */
  async #conclude(): Promise<void> {
    if (this.#unsettled.length === 0) return
    const { store } = this.#deps
    const open = new Set(await store.openActivations())
    const { rows } = await store.intent('released')
    const released = new Map(rows.map((row) => [row.domain_id, row]))
    this.#unsettled = this.#unsettled.filter(({ after }) => {
      const row = released.get(after.domain_id)
      return open.has(after.domain_id) && row?.live === true && row.revision === after.revision
    })
    this.#unsettled = await concludeRenames(this.#deps, this.renames())
  }
}

/** A line in the log is read without the database beside it. */
const named = async ({ store }: CoreParts, domain_id: number): Promise<{ readonly domain?: string }> => {
  const record = await store.domain(domain_id).catch(() => null)
  return record === null ? {} : { domain: record.domain }
}

const isAnswered = (reports: readonly (Report | null)[]): reports is readonly Report[] =>
  reports.every((report) => report !== null && !UNANSWERED.has(report.outcome))

const UNANSWERED: ReadonlySet<Outcome> = new Set(['left_unfinished', 'suspended'])
