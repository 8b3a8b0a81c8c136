/** The proxy's certificate store over its file. */
import { lstatSync } from 'node:fs'
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import type { AcmeContent, AcmeFile, AcmeReading, AcmeStore } from '../../ports/acme-store.ts'
import type { ReadCertificate } from '../../ports/x509.ts'
import { DecodedCertificates, parseStore } from './parse-store.ts'
import { openStore, stampOf } from './read-store.ts'

const TRIES = 5
const BETWEEN_MS: Milliseconds = 150
/** Timestamps of files come in steps of some milliseconds: a younger change could still be followed by one of the same stamp. */
const SETTLED_MS: Milliseconds = 1000
/** The proxy fills an empty file soon after its start, and refills one that it cut within moments. */
const EMPTY_FOR_GOOD_MS: Milliseconds = 60_000

export interface AcmeStoreOptions {
  readonly read: ReadCertificate
  readonly clock: Clock
}

export class AcmeStoreFile implements AcmeStore {
  readonly #path: string
  readonly #clock: Clock
  readonly #decoded: DecodedCertificates
  #content: { readonly value: AcmeContent; readonly at: number } | null = null
  #last: { readonly stamp: string; readonly reading: AcmeReading } | null = null

  constructor(path: string, { read, clock }: AcmeStoreOptions) {
    this.#path = path
    this.#clock = clock
    this.#decoded = new DecodedCertificates(read)
  }

  /** How many certificates were decoded, ever. */
  get decoded(): number {
    return this.#decoded.decoded
  }

  async read(signal: AbortSignal): Promise<AcmeReading> {
    if (this.#last !== null && this.#last.stamp === this.#stamp()) return this.#last.reading
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted()
      const reading = await this.#once()
      if (reading.state !== 'busy' || tries === TRIES) return reading
      await this.#clock.sleep(BETWEEN_MS, signal)
    }
  }

  #stamp(): string | null {
    const status = lstatSync(this.#path, { bigint: true, throwIfNoEntry: false })
    return status === undefined ? null : stampOf(status)
  }

  async #once(): Promise<AcmeReading> {
    const opened = await openStore(this.#path)
    this.#last = null
    if (opened.kind === 'absent') return this.#reading('absent', null, `There is no file ${this.#path}.`)
    if (opened.kind === 'refused') return this.#reading('refused', opened.file, opened.detail)
    const { text, file, stamp } = opened
    const now = this.#clock.now()
    if (text === '' && now - file.modified_at > EMPTY_FOR_GOOD_MS)
      return this.#good({ resolvers: [] }, file, stamp)
    const parsed = parseStore(text, this.#decoded)
    if (parsed.kind === 'cut')
      return this.#reading('busy', file, `${this.#path} is empty or cut, as while the proxy rewrites it.`)
    if (parsed.kind === 'other') return this.#reading('refused', file, `${this.#path} ${parsed.what}.`)
    return this.#good(parsed.content, file, stamp)
  }

  #good(value: AcmeContent, file: AcmeFile, stamp: string): AcmeReading {
    const at = this.#clock.now()
    this.#content = { value, at }
    const reading = this.#reading('good', file, null)
    if (at - file.modified_at > SETTLED_MS) this.#last = { stamp, reading }
    return reading
  }

  #reading(state: AcmeReading['state'], file: AcmeFile | null, detail: string | null): AcmeReading {
    return {
      state,
      detail,
      content: this.#content?.value ?? null,
      content_at: this.#content?.at ?? null,
      file,
    }
  }
}
