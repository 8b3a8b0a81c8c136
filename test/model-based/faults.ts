/** Ports that go wrong when they are told to, and note what passes through them. */
import { Failure } from '../../src/kernel/failure.ts'
import type { ManagedFile } from '../../src/ports/files.ts'
import type { Store } from '../../src/ports/store.ts'
import { type HandEdit, isHandEdit } from './stranger.ts'

export type Port = 'look' | 'replace' | 'write'
/** `inside` is within the transaction, after its work. `after` a write the commit is done and nobody hears of it. */
export type Phase = 'before' | 'inside' | 'after'

export interface Fault {
  readonly port: Port
  readonly phase: Phase
  /** kill: from here on nothing takes effect any more. A hand edit: the stranger comes just then. */
  readonly deed: 'unavailable' | 'full' | 'denied' | 'hang' | 'kill' | HandEdit
  /** How many calls go well before. */
  readonly after: number
}

export interface Written {
  readonly chunks: readonly Uint8Array[]
  readonly evidence: boolean
  /** What stood at the path right before. */
  readonly over: string
}

export interface Surroundings {
  /** What stands at the file's path. */
  standing(): string
  stranger(edit: HandEdit): void
}

export class Trouble {
  readonly #surroundings: Surroundings
  #armed: { readonly fault: Fault; left: number }[] = []
  #under_way = 0
  #paused = false
  #deadline = new AbortController()
  /** Faults that came true. */
  readonly met: Fault[] = []
  /** Everything that was to be put in place of the file, whether it came to that or not. */
  readonly written: Written[] = []
  /** Transactions that were begun. */
  transactions = 0
  dead = false

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
  }

  arm(fault: Fault): void {
    this.#armed.push({ fault, left: fault.after })
  }

  calm(): void {
    this.#armed = []
  }

  get armed(): readonly Fault[] {
    return this.#armed.map(({ fault }) => fault)
  }

  /** Aborts when something hangs: whoever waits with a deadline need not wait for it. */
  get deadline(): AbortSignal {
    return this.#deadline.signal
  }

  /** No call is under way, for the moment. */
  get isQuiet(): boolean {
    return this.#under_way === 0
  }

  /** While somebody looks at the run, nothing goes wrong. */
  async paused<T>(work: () => Promise<T>): Promise<T> {
    this.#paused = true
    try {
      return await work()
    } finally {
      this.#paused = false
    }
  }

  file(file: ManagedFile, onWatch: (hint: () => void) => void): ManagedFile {
    return {
      ...file,
      look: (signal) =>
        this.#counted(async () => {
          await this.#meet('look', 'before', signal)
          const look = await file.look(signal)
          await this.#meet('look', 'after', signal)
          return look
        }),
      replace: (chunks, options, signal) =>
        this.#counted(async () => {
          await this.#meet('replace', 'before', signal)
          this.written.push({ chunks, evidence: options.evidence, over: this.#surroundings.standing() })
          await file.replace(chunks, options, signal)
          await this.#meet('replace', 'after', signal)
        }),
      // The driver says when there is something to look at; real events would come at any time.
      watch: (hint) => {
        onWatch(hint)
        return { close: () => undefined }
      },
    }
  }

  store(store: Store): Store {
    return {
      ...store,
      domains: (query) => this.#counted(() => store.domains(query)),
      write: (work) =>
        this.#counted(async () => {
          await this.#meet('write', 'before')
          this.transactions++
          const result = await store.write(async (tx) => {
            const done = await work(tx)
            await this.#meet('write', 'inside')
            return done
          })
          await this.#meet('write', 'after')
          return result
        }),
    }
  }

  async #counted<T>(work: () => Promise<T>): Promise<T> {
    this.#under_way++
    try {
      return await work()
    } finally {
      this.#under_way--
    }
  }

  async #meet(port: Port, phase: Phase, signal?: AbortSignal): Promise<void> {
    if (this.dead) throw new Error('dead')
    if (this.#paused) return
    for (const armed of this.#armed.filter(({ fault }) => fault.port === port && fault.phase === phase)) {
      if (armed.left-- > 0) continue
      this.#armed = this.#armed.filter((other) => other !== armed)
      this.met.push(armed.fault)
      await this.#happen(armed.fault, signal)
    }
  }

  #hang(signal: AbortSignal): Promise<never> {
    setImmediate(() => {
      this.#deadline.abort(new DOMException('The deadline is over.', 'TimeoutError'))
      this.#deadline = new AbortController()
    })
    return untilAborted(signal)
  }

  async #happen({ deed }: Fault, signal?: AbortSignal): Promise<void> {
    if (isHandEdit(deed)) return this.#surroundings.stranger(deed)
    switch (deed) {
      case 'unavailable':
        throw new Failure('store_unavailable', 'The database does not answer.')
      case 'full':
        throw new Failure('storage_full', 'The disk is full.')
      case 'denied':
        throw new Failure('storage_unwritable', 'Permission denied.')
      case 'hang':
        return this.#hang(signal!)
      case 'kill':
        this.dead = true
        throw new Error('dead')
    }
  }
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
