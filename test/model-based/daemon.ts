/**
 * One life of a daemon in this process, over a real store and a real file. Its clock stands still: it looks at the world
 * when a caller asks and when the driver lets it, and never in between, so a run can be repeated.
 */
import type { LoadedConfig } from '../../src/config/load.ts'
import { loadConfig } from '../../src/settings-wiring.ts'
import { buildDaemon, type Daemon as RunningDaemon } from '../../src/build-daemon.ts'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import type { Report } from '../../src/model/report.ts'
import type { Store } from '../../src/ports/store.ts'
import { inProcessRules } from '../kit/in-process-rules.ts'
import type { Trouble } from './faults.ts'
import { PROTECTED_NAME } from './steps.ts'

const KEY = 'a-key-that-is-long-enough-for-tests-0123456789'
const PATIENCE_MS = 10_000
/** Longer than the engine waits for a burst of hints to end. */
const A_MOMENT_MS = 60

/** Rounds and other work that comes again sleep longer. */
const MAX_DEADLINE_MS = 20_000

export class StillClock implements Clock {
  #now = Date.now()
  readonly elapsed: Clock['elapsed'] = () => systemClock.elapsed()
  /** As soon as this aborts, whoever sleeps no longer than a deadline has slept enough. */
  hurry: () => AbortSignal | null = () => null

  readonly sleep: Clock['sleep'] = async (ms, signal) => {
    const hurry = ms > MAX_DEADLINE_MS ? null : this.hurry()
    if (hurry === null) return systemClock.sleep(ms, signal)
    await systemClock
      .sleep(ms, AbortSignal.any([hurry, ...(signal ? [signal] : [])]))
      .catch((error: unknown) => {
        if (signal?.aborted === true || !hurry.aborted) throw error
      })
  }

  now(): number {
    return this.#now
  }

  forward(ms: number): void {
    this.#now += ms
  }
}

export const configIn = (folder: string): LoadedConfig =>
  loadConfig({
    PLUMBLINE_DATA_DIR: folder,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_ENTRYPOINTS: 'web=80,websecure=443,ssh=2222,smtp=25',
    PLUMBLINE_ALLOWED_HOSTS: PROTECTED_NAME,
    API_KEY: KEY,
  })

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export class Daemon {
  readonly #house: RunningDaemon
  readonly #clock: StillClock
  readonly #hint: () => void
  readonly #reports: Report[] = []
  #heard = (): void => undefined
  /** Without faults, for looking at it. */
  readonly store: Store

  private constructor(
    house: RunningDaemon,
    store: Store,
    { clock, hint }: { clock: StillClock; hint: () => void },
  ) {
    this.#house = house
    this.store = store
    this.#clock = clock
    this.#hint = hint
    // An hour later every component is due; the model knows the routes.
    house.engine.onReport((report) => {
      if (report.component !== 'routes') return
      this.#reports.push(report)
      this.#heard()
    })
  }

  /** Resolves after its first pass. */
  static async start(config: LoadedConfig, clock: StillClock, trouble: Trouble): Promise<Daemon> {
    let store: Store | null = null
    let hint = (): void => undefined
    const house = await buildDaemon(config, {
      log: silentLog,
      clock,
      check_replies: true,
      invariants: inProcessRules,
      wrap: {
        store: (opened) => trouble.store((store = opened)),
        file: (file) => trouble.file(file, (given) => void (hint = given)),
      },
    })
    house.engine.start()
    const daemon = new Daemon(house, store!, { clock, hint: () => hint() })
    await daemon.pass()
    return daemon
  }

  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { 'x-api-key': KEY, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = await this.#house.app.request(request, undefined, { peer: '127.0.0.1' })
    return { status: answer.status, body: JSON.parse(await answer.text()) as Answer['body'] }
  }

  /** Lets the engine look at the world unasked. Null when the pass broke off without a report. */
  async pass(): Promise<Report | null> {
    const heard = Promise.withResolvers<void>()
    const before = this.#reports.length
    this.#heard = heard.resolve
    this.#hint()
    this.#clock.forward(A_MOMENT_MS)
    this.#hint()
    const timer = setTimeout(heard.resolve, PATIENCE_MS)
    await heard.promise
    clearTimeout(timer)
    return this.#reports[before] ?? null
  }

  /** A pass that somebody asks for. */
  async askedPass(): Promise<Report> {
    const [report] = await this.#house.engine.converge('open')
    return report!
  }

  close(): Promise<void> {
    return this.#house.close()
  }
}
