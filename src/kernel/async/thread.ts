/**
 * A thread that answers, from outside: started when it is asked, ended when nobody has asked for a while or when there
 * was no answer. For what would keep the event loop from everybody else for long. Hashing has one of its own because the
 * lanes of one hash would take every core, and only a thread can have a lower priority than its process.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { childEnvironment } from '../child-environment.ts'
import type { Milliseconds } from '../clock.ts'

export class Thread<Question, Answer> {
  readonly #code: URL
  readonly #idle_ms: Milliseconds
  #worker: Worker | null = null
  #idle: NodeJS.Timeout | undefined

  /** @param idle_ms after so long without work its memory is given back */
  constructor(code: URL, idle_ms: Milliseconds) {
    this.#code = code
    this.#idle_ms = idle_ms
  }

  /** For one caller at a time. Throws why there is no answer; the thread is gone then, and the next call has a new one. */
  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted()
    clearTimeout(this.#idle)
    const worker = (this.#worker ??= this.#start())
    worker.ref()
    try {
      return (await answerOf(worker, question, signal)) as Answer
    } catch (error) {
      // Not waited for: a thread stops only when its library has returned.
      void this.end()
      throw error
    } finally {
      worker.unref()
      this.#idle = setTimeout(() => void this.end(), this.#idle_ms).unref()
    }
  }

  /** Resolves when nothing of it is left. What it is working on is worked through first. */
  async end(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(this.#code, { env: childEnvironment() })
    // It may die while nobody waits for it.
    const forget = () => void (this.#worker === worker && (this.#worker = null))
    return worker.on('error', forget).on('exit', forget)
  }
}

async function answerOf(worker: Worker, question: unknown, signal: AbortSignal): Promise<unknown> {
  const heard = new AbortController()
  const until = { signal: AbortSignal.any([signal, heard.signal]) }
  // A thread that throws says why: both fail with that.
  const answered = once(worker, 'message', until) as Promise<[unknown]>
  const ended = once(worker, 'exit', until).then(() => {
    throw new Error('the thread has ended')
  })
  worker.postMessage(question)
  try {
    const [answer] = await Promise.race([answered, ended])
    return answer
  } finally {
    heard.abort()
  }
}
