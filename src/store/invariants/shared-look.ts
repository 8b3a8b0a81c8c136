/** A look of which several wait for the answer, in a process that ends with it. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '../../kernel/child-environment.ts'
import type { Milliseconds } from '../../kernel/clock.ts'
import { allUnknown } from './look.ts'
import type { LookOrder } from './looking.ts'
import type { Looked } from './rule.ts'

/** A process with those who wait for it. It ends when it has answered, has taken too long, or nobody waits any more. */
export class SharedLook<T> {
  readonly #answer: Promise<T>
  /** Resolves when the process, and its hold on the file, are gone. */
  readonly #end: (reason: string) => Promise<unknown>
  /** Whoever comes now is to begin another. */
  is_over = false
  #waiting = 0

  constructor(
    order: LookOrder,
    { max_ms, finish }: { readonly max_ms: Milliseconds; readonly finish: (looked: readonly Looked[]) => T },
  ) {
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
    const timer = setTimeout(() => void this.#end(`The look took longer than ${max_ms / 1000} s.`), max_ms)
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
  join(signal: AbortSignal): Promise<T> {
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

const CODE = fileURLToPath(new URL('looking.ts', import.meta.url))

const startLooking = (order: LookOrder): ChildProcess =>
  fork(CODE, [JSON.stringify(order)], {
    env: childEnvironment(),
    // No signal opens its debugger.
    execArgv: ['--disable-sigusr1'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
