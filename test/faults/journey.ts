/** Going through the flow against one daemon in this process, as its operator, its client and a stranger on its host. */
import { readFileSync, writeSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { loadConfig } from '../../src/settings-wiring.ts'
import type { DaemonOptions } from '../../src/foundation.ts'
import { buildDaemon, type Daemon } from '../../src/build-daemon.ts'
import { sha256 } from '../../src/kernel/digest.ts'
import { systemErrorCode } from '../../src/kernel/failure.ts'
import type { Facts, Log } from '../../src/kernel/log.ts'
import { isGood, type Report } from '../../src/model/report.ts'
import type { Store } from '../../src/ports/store.ts'
import { type Answered, clientOf } from '../flows/client.ts'
import type { Bug } from './bugs.ts'
import type { Failpoints } from './failpoints.ts'
import type { Step } from './flow.ts'
import type { Line, Shown } from './ledger.ts'
import { environmentFor, type Manner } from './order.ts'
import { orRefused, Refused } from './refused.ts'
import { saysAllIsWell, until, untilGood } from './settled.ts'
import { stateOf } from './state.ts'
import { insist, replaceByHand } from './stranger.ts'
import { pointedFile, pointedStore } from './wrap.ts'

const PATIENCE_MS = 60_000
/** Of one who takes no for an answer. */
const SHORT_PATIENCE_MS = 1_000
const MAX_TRIES = 5
const BURST = 24

export interface JourneyOptions {
  readonly folder: string
  readonly points: Failpoints
  readonly bug: Bug | null
  readonly note: (line: Line) => void
  readonly manner: Manner
}

export class Journey {
  readonly #options: JourneyOptions
  #house: Daemon | null = null
  #closing: Promise<void> | null = null
  readonly #burst: Promise<unknown>[] = []
  /** Without failpoints: a look at it is not part of the run. */
  #store: Store | null = null
  /** Of all passes so far. */
  readonly #reports: Report[] = []

  constructor(options: JourneyOptions) {
    this.#options = options
  }

  /**
   * False when it was refused and that is an answer. Throws when the step does not end as it should; a child without
   * patience ends by that.
   */
  async take(step: Step): Promise<boolean> {
    this.#options.points.begin(step.name)
    try {
      await this.#do(step)
    } catch (error) {
      if (this.#manner !== 'yielding' || !(error instanceof Refused)) throw error
      this.#options.note({ kind: 'refused', step: step.name, because: error.message })
      return false
    }
    const shown = this.#manner === 'shown' ? await this.#shown() : null
    this.#options.note({ kind: 'acknowledged', step: step.name, shown })
    return true
  }

  async #do(step: Step): Promise<void> {
    switch (step.kind) {
      case 'open':
        await this.#persist(step, () => this.#open())
        break
      case 'call':
        await this.#persist(step, (tries) => this.#call(step, tries))
        break
      case 'hand-edit':
        await this.#editByHand()
        break
    }
  }

  /** Resolves once everything is closed and every call of the burst was answered or turned away. */
  async end(): Promise<void> {
    this.stop()
    await this.#closing
    await Promise.allSettled(this.#burst)
  }

  /** Begins to close, whatever is under way; a house that is not yet open comes to that first. */
  stop(): void {
    if (this.#house === null) return
    if (this.#closing === null) this.#options.points.begin('close')
    this.#closing ??= this.#house.close()
  }

  /** Load: many calls at once that nobody waits for. */
  burst(): void {
    if (this.#house === null) return
    const call = clientOf(this.#house)
    for (let i = 0; i < BURST; i++)
      this.#burst.push(call('GET', i % 2 ? '/api/domains' : '/api/domains/drift'))
  }

  get #manner(): Manner {
    return this.#options.manner
  }

  get #open_house(): Daemon {
    if (this.#house === null) throw new Error('the flow must open the house first')
    return this.#house
  }

  async #persist(step: Step, deed: (tries: number) => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await deed(tries)
      } catch (error) {
        if (this.#manner !== 'patient' || tries === MAX_TRIES) throw error
        LOG.warn('trying again', { step: step.name, error })
        if (this.#house !== null) await untilGood(this.#house.engine, PATIENCE_MS)
      }
    }
  }

  async #open(): Promise<void> {
    this.#house ??= await this.#build()
    this.#house.engine.onReport((report) => void this.#reports.push(report))
    await orRefused(() => this.#begin())
    if (this.#manner === 'returning') return
    if (!(await untilGood(this.#house.engine, this.#patience)))
      this.#unhealed('no good report after the start')
  }

  #build(): Promise<Daemon> {
    const { folder, points, bug } = this.#options
    const config = loadConfig(environmentFor(folder))
    const options: DaemonOptions = {
      log: LOG,
      wrap: {
        store: (store) => {
          this.#store = store
          const pointed = pointedStore(store, points)
          return bug?.store?.(pointed, points) ?? pointed
        },
        file: (file) => pointedFile(bug?.file?.(file, points) ?? file, points),
      },
    }
    return orRefused(() => buildDaemon(config, options))
  }

  /** A house that cannot begin is closed, as the daemon does it before it ends; the next try is the next daemon's. */
  async #begin(): Promise<void> {
    const house = this.#open_house
    try {
      await house.open()
    } catch (error) {
      this.#house = null
      await house.close()
      throw error
    }
  }

  get #patience(): number {
    return this.#manner === 'yielding' ? SHORT_PATIENCE_MS : PATIENCE_MS
  }

  /** Honest when the daemon says itself that the world is not as it should be. */
  #unhealed(what: string): never {
    const { engine } = this.#open_house
    const closing = this.#closing !== null
    if (!closing && saysAllIsWell(engine)) throw new Error(`${what}, and it says all is well`)
    throw new Refused(what)
  }

  async #call({ method, path, body }: Step & { kind: 'call' }, tries: number): Promise<void> {
    const call = clientOf(this.#open_house)
    const answer = await call(method, path, body === undefined ? {} : { body })
    if (answer.status < 300) return
    if ((tries > 1 || this.#manner === 'returning') && codeOf(answer) === DONE_ALREADY[method]) return
    // The log says why, a turn after the answer.
    await nextTurn()
    const wrong = answer.status < 500 || typeof answer.body['code'] !== 'string' ? Error : Refused
    throw new wrong(`${method} ${path} was answered ${answer.status} ${JSON.stringify(answer.body)}`)
  }

  async #editByHand(): Promise<void> {
    try {
      await this.#editPlainly()
    } catch (error) {
      // The disk that refuses the daemon refuses the stranger, too.
      if (systemErrorCode(error) !== null) throw new Refused(String(error))
      throw error
    }
  }

  async #editPlainly(): Promise<void> {
    const path = this.#open_house.routes_path
    const whole = insist(() => readFileSync(path, 'utf8'))
    const edited = whole.replace('10.0.0.5:8081', '192.0.2.66:666')
    replaceByHand(path, { by: edited, folder: this.#options.folder })
    this.#options.note({ kind: 'hand-edited', digest: sha256([edited]) })
    const edited_at = this.#reports.length
    const healed = await until(() => insist(() => readFileSync(path, 'utf8')) === whole, this.#patience)
    if (edited === whole) throw new Error('there is nothing to edit')
    if (!healed) this.#unhealed('the hand edit was not undone')
    // The pass that undid it has still to record that: whatever it does belongs to this step.
    const healed_at = this.#reports.length
    const recorded = () =>
      this.#reports.slice(edited_at).some(({ outcome }) => outcome === 'repaired') ||
      this.#reports.slice(healed_at).some((report) => report.component === 'routes' && isGood(report))
    if (!(await until(recorded, this.#patience))) this.#unhealed('no good report after the hand edit')
  }

  async #shown(): Promise<Shown> {
    const file = sha256([readFileSync(this.#open_house.routes_path)])
    return { state: await stateOf(this.#store!), file }
  }
}

/** What was denied or not answered may have happened all the same: then the next call meets its own work. */
const DONE_ALREADY: Readonly<Record<string, string>> = { POST: 'name_taken', DELETE: 'not_found' }

const codeOf = ({ body }: Answered): string => String(body['code'])

/** Straight to the descriptor: the last words of a process that is about to be killed must get out. */
const say =
  (level: string) =>
  (message: string, facts: Facts = {}): void => {
    const error = facts['error'] instanceof Error ? facts['error'].stack : facts['error']
    writeSync(2, `${level} ${message} ${JSON.stringify({ ...facts, error })}\n`)
  }

const silent = (): void => undefined
const LOG: Log = { debug: silent, info: silent, warn: say('warn'), error: say('error') }
