/** The credentials that others issued to this installation, and since when each is in use. Looked at once, at the start. */
import type { Clock, Instant } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { CredentialAges, ForeignCredential } from '../files/ages-port.ts'

export interface ForeignParts {
  readonly credentials: readonly ForeignCredential[]
  readonly ages: CredentialAges
  readonly clock: Clock
  readonly log: Log
}

export class ForeignCredentials {
  readonly #parts: ForeignParts
  #since: ReadonlyMap<string, Instant> = new Map()
  #observing: Promise<void> = Promise.resolve()

  constructor(parts: ForeignParts) {
    this.#parts = parts
  }

  start(): void {
    const { credentials, ages, clock, log } = this.#parts
    this.#observing = ages.observe(credentials, clock.now()).then(
      (since) => {
        this.#since = since
      },
      (error: unknown) => log.warn('ages of credentials not known', { error }),
    )
  }

  stop(): Promise<void> {
    return this.#observing
  }

  /** By setting. Empty until they were looked at. */
  list(): readonly { readonly name: string; readonly since: Instant }[] {
    return [...this.#since]
      .map(([name, since]) => ({ name, since }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }
}
