/**
 * The database's invariants, looked at in a process of their own: reading every page of a large file takes seconds, which
 * the event loop does not have, and native code over a broken file, or ended in the middle, may take its process with it.
 * That process reads the file by its name, so that one that was moved away under the daemon is noticed, too; it sees one
 * snapshot and holds up no writer.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '../kernel/child-environment.ts'
import type { Clock, Instant, Milliseconds } from '../kernel/clock.ts'
import type { CheckInvariants, Invariant } from '../ports/invariants.ts'
import { INVARIANT_RULES } from './invariants/list.ts'
import { allUnknown } from './invariants/look.ts'
import type { Looked } from './invariants/rule.ts'
import type { LookOrder } from './invariants/looking.ts'

/** While a heavy rule holds, its last answer stands for so long. */
const HEAVY_EVERY_MS: Milliseconds = 24 * 60 * 60 * 1000
/** Reading a gigabyte takes less. */
const MAX_MS: Milliseconds = 60_000

export interface InvariantsOptions {
  /** The data directory, which holds `plumbline.db`. */
  readonly directory: string
  readonly clock: Clock
}

/** One look at a time: whoever asks while a look is under way shares its answer. */
export function sqliteInvariants({ directory, clock }: InvariantsOptions): CheckInvariants {
  const kept = new Map<string, Invariant>()
  let under_way: SharedLook | null = null
  const begin = (): SharedLook => {
    const now = clock.now()
    const options = { now, without: stillKnown(kept, now) }
    const order = { directory: resolve(directory), options }
    return (under_way = new SharedLook(order, (looked) => reported(looked, kept, now)))
  }
  return (signal) => {
    if (signal.aborted) return Promise.reject(signal.reason as Error)
    return (under_way === null || under_way.is_over ? begin() : under_way).join(signal)
  }
}

/** Heavy rules that held a short while ago. A clock that was set back makes nothing older. */
const stillKnown = (kept: ReadonlyMap<string, Invariant>, now: Instant): readonly string[] =>
  [...kept.values()]
    .filter(({ checked_at }) => now >= checked_at && now - checked_at < HEAVY_EVERY_MS)
    .map(({ name }) => name)

/** In the order of the rules, those that were left out as they were last told. */
function reported(
  looked: readonly Looked[],
  kept: Map<string, Invariant>,
  now: Instant,
): readonly Invariant[] {
  const found = new Map(looked.map((one) => [one.name, one]))
  return INVARIANT_RULES.flatMap(({ name, promise, heavy }) => {
    const one = found.get(name)
    const invariant = one === undefined ? kept.get(name) : { ...one, promise, checked_at: now }
    if (heavy === true && invariant?.holds === true) kept.set(name, invariant)
    else kept.delete(name)
    return invariant ?? []
  })
}

/** A process with those who wait for it. It ends when it has answered, has taken too long, or nobody waits any more. */
class SharedLook {
  readonly #answer: Promise<readonly Invariant[]>
  /** Resolves when the process, and its hold on the file, are gone. */
  readonly #end: (reason: string) => Promise<unknown>
  /** Whoever comes now is to begin another. */
  is_over = false
  #waiting = 0

  constructor(order: LookOrder, finish: (looked: readonly Looked[]) => readonly Invariant[]) {
    const { promise, resolve: settle } = Promise.withResolvers<readonly Looked[]>()
    const unknown = (reason: string) => settle(allUnknown(order.options, reason))
    const child = startLooking(order)
    const exited = new Promise<void>((leave) => {
      child.once('message', (looked) => settle(looked as readonly Looked[]))
      // A second one without a listener would end the daemon.
      child.on('error', (error) => {
        unknown(`The look failed: ${error.message}`)
        if (child.pid === undefined) leave()
      })
      child.once('exit', (code, signal) => {
        const over = () => {
          unknown(`The look ended without an answer (${signal ?? `exit code ${code}`}).`)
          leave()
        }
        // An end may be heard of before the answer that came first: the channel closes behind it.
        if (child.connected) child.once('disconnect', over)
        else over()
      })
    })
    const timer = setTimeout(() => void this.#end(`The look took longer than ${MAX_MS / 1000} s.`), MAX_MS)
    this.#end = (reason) => {
      this.is_over = true
      unknown(reason)
      child.kill('SIGKILL')
      return exited
    }
    this.#answer = promise.then((looked) => {
      clearTimeout(timer)
      this.is_over = true
      return finish(looked)
    })
  }

  /** Rejects with the signal's reason; for the last who waited, as soon as nothing holds the file open any more. */
  join(signal: AbortSignal): Promise<readonly Invariant[]> {
    this.#waiting++
    return new Promise((settle, fail) => {
      const leave = () => {
        const ended = --this.#waiting === 0 ? this.#end('Nobody waited for the answer.') : Promise.resolve()
        void ended.finally(() => fail(signal.reason as Error))
      }
      signal.addEventListener('abort', leave, { once: true })
      void this.#answer.then((answer) => {
        if (signal.aborted) return
        signal.removeEventListener('abort', leave)
        settle(answer)
      })
    })
  }
}

const CODE = fileURLToPath(new URL('invariants/looking.ts', import.meta.url))

const startLooking = (order: LookOrder): ChildProcess =>
  fork(CODE, [JSON.stringify(order)], {
    env: childEnvironment(),
    // No signal opens its debugger.
    execArgv: ['--disable-sigusr1'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
