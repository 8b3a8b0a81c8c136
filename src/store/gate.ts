/** Who may use the one connection now: nobody after the close, and nobody from inside a transaction but the transaction. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Failure } from '../kernel/failure.ts'

type Within = <R>(work: () => R) => R

export class Gate {
  readonly #name: string
  /** The transaction that the present call chain runs in. */
  readonly #inside = new AsyncLocalStorage<{ open: boolean }>()
  readonly #underway = new Set<Promise<unknown>>()
  #closed = false

  constructor(name: string) {
    this.#name = name
  }

  assertOpen(): void {
    if (this.#closed) throw new Failure('store_unavailable', `${this.#name}: the store is closed.`)
  }

  /** The open transaction has the connection; work in it that waits for the connection would wait for ever. */
  assertOutside(): void {
    this.assertOpen()
    if (this.#inside.getStore()?.open === true)
      throw new Failure(
        'internal',
        'The store was used inside its own write; use the transaction that was handed in.',
      )
  }

  /** Runs one write; `begin` runs the caller's work `within`, so that it is known for inside. */
  async transact<T>(begin: (within: Within) => Promise<T>): Promise<T> {
    this.assertOutside()
    const transaction = { open: true }
    const writing = begin((work) => this.#inside.run(transaction, work))
    this.#underway.add(writing)
    try {
      return await writing
    } finally {
      transaction.open = false
      this.#underway.delete(writing)
    }
  }

  /** Refuses what comes from now on, and waits for the writes under way. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#underway)
  }
}
