/** The proxy's certificate store over its file. */
import { type Clock, isoTime, type Milliseconds } from '../../../kernel/clock.ts'
import type { ReadCertificate } from '../../../ports/x509.ts'
import { DecodedCertificates } from './decoded-certificates.ts'
import { type ListedResolver, parseStore } from './parse-store.ts'
import type { AcmeContent, AcmeFile, AcmeReading, AcmeStore } from './port.ts'
import { type FileStamp, glanceAt, openStore, sameStamp } from './read-store.ts'

const TRIES = 5
const BETWEEN_MS: Milliseconds = 150
/** The stamps of two changes that follow each other at once can be the same: a file that is younger is read anew. */
const SETTLED_MS: Milliseconds = 1000
/** The proxy fills an empty file soon after its start, and refills within moments what it cut. */
const LEFT_SO_MS: Milliseconds = 60_000

export interface AcmeStoreOptions {
  readonly read: ReadCertificate
  readonly clock: Clock
}

/** What one try found. `again`: it may well be whole in a moment. */
interface Try {
  readonly reading: AcmeReading
  readonly again: boolean
}

interface Whole {
  readonly file: AcmeFile
  readonly stamp: FileStamp
}

export class AcmeStoreFile implements AcmeStore {
  readonly #path: string
  readonly #clock: Clock
  readonly #certificates: DecodedCertificates
  readonly #looks = new JointLook((signal) => this.#look(signal))
  #content: { readonly value: AcmeContent; readonly at: number } | null = null
  /** The last good reading while its file stands unchanged. */
  #last: { readonly stamp: FileStamp; readonly reading: AcmeReading } | null = null
  /** Since when this very state of the file is seen, by the clock that never steps. */
  #seen: { readonly stamp: FileStamp; readonly at: Milliseconds } | null = null

  /** How often this very state of the file was met empty. */
  #empty: { readonly stamp: FileStamp; readonly times: number } | null = null

  constructor(path: string, { read, clock }: AcmeStoreOptions) {
    this.#path = path
    this.#clock = clock
    this.#certificates = new DecodedCertificates(read)
  }

  /** How many certificates were decoded, ever, and how many are kept. */
  get figures(): { readonly decoded: number; readonly kept: number } {
    const { decoded, kept } = this.#certificates
    return { decoded, kept }
  }

  async read(signal: AbortSignal): Promise<AcmeReading> {
    signal.throwIfAborted()
    if (this.#last !== null) {
      const stamp = glanceAt(this.#path)
      if (stamp !== null && sameStamp(stamp, this.#last.stamp)) return this.#last.reading
    }
    return this.#looks.join(signal)
  }

  async #look(signal: AbortSignal): Promise<AcmeReading> {
    for (let tries = 1; ; tries++) {
      const { reading, again } = await this.#once(signal)
      if (!again || tries === TRIES) return reading
      await this.#clock.sleep(BETWEEN_MS, signal)
    }
  }

  async #once(signal: AbortSignal): Promise<Try> {
    const opened = await openStore(this.#path)
    signal.throwIfAborted()
    if (opened.kind === 'absent') return this.#not('absent', null, `There is no file ${this.#path}.`)
    if (opened.kind === 'refused') return this.#not('refused', opened.file, opened.detail)
    if (opened.kind === 'torn') return this.#busy(opened, 'being written')
    const parsed = parseStore(opened.bytes)
    switch (parsed.kind) {
      case 'other':
        return this.#not('refused', opened.file, `${this.#path} ${parsed.what}.`)
      case 'cut':
        return this.#busy(opened, 'cut')
      case 'empty':
        return this.#isNew(opened) || this.#isEmptyForGood(opened)
          ? this.#good([], opened, signal)
          : this.#busy(opened, 'empty')
      case 'resolvers':
        return this.#good(parsed.resolvers, opened, signal)
    }
  }

  async #good(
    resolvers: readonly ListedResolver[],
    { file, stamp }: Whole,
    signal: AbortSignal,
  ): Promise<Try> {
    const value = await this.#certificates.content(resolvers, signal)
    this.#content = { value, at: this.#clock.now() }
    const reading = this.#reading('good', file, null)
    const settled = Math.max(this.#changedFor(stamp), this.#seenFor(stamp)) > SETTLED_MS
    this.#last = settled ? { stamp, reading } : null
    return { reading, again: false }
  }

  #busy({ file, stamp }: Whole, how: string): Try {
    const left_so = Math.max(this.#changedFor(stamp), this.#seenFor(stamp)) > LEFT_SO_MS
    const detail = left_so
      ? `${this.#path} has been ${how} since ${isoTime(file.modified_at)}: the proxy was probably stopped while it wrote. ` +
        'Put a copy back, or empty the file and restart the proxy, which then orders anew.'
      : `${this.#path} is ${how}, as while the proxy rewrites it. Ask again shortly.`
    return { reading: this.#reading('busy', file, detail), again: !left_so }
  }

  /** Nobody has certificates in it. */
  #not(state: 'absent' | 'refused', file: AcmeFile | null, detail: string): Try {
    return { reading: this.#reading(state, file, detail), again: false }
  }

  /**
   * An empty file is how the proxy begins, and also the middle of each of its writes. Where certificates were seen, only
   * time that was watched counts: the host may have slept in the middle of a write, or its clock been set.
   */
  #isEmptyForGood({ stamp }: Whole): boolean {
    return this.#seenFor(stamp) > LEFT_SO_MS || (!this.#hasHeld() && this.#changedFor(stamp) > LEFT_SO_MS)
  }

  /**
   * The proxy makes its store with no byte in it and first writes with its first certificate. Where none was ever seen, a
   * file that stays so over all tries of a look is that, and not the middle of a write, which takes moments.
   */
  #isNew({ bytes, stamp }: Whole & { readonly bytes: Buffer }): boolean {
    const is_same = this.#empty !== null && sameStamp(this.#empty.stamp, stamp)
    const times = is_same ? this.#empty!.times + 1 : 1
    this.#empty = { stamp, times }
    return bytes.length === 0 && !this.#hasHeld() && times >= TRIES
  }

  #hasHeld(): boolean {
    return this.#content?.value.resolvers.some(({ certificates }) => certificates.length > 0) ?? false
  }

  /** By the status change, which no copying tool sets back. */
  #changedFor({ ctimeNs }: FileStamp): Milliseconds {
    return this.#clock.now() - Number(ctimeNs / 1_000_000n)
  }

  #seenFor(stamp: FileStamp): Milliseconds {
    const now = this.#clock.elapsed()
    if (this.#seen === null || !sameStamp(this.#seen.stamp, stamp)) this.#seen = { stamp, at: now }
    return now - this.#seen.at
  }

  #reading(state: AcmeReading['state'], file: AcmeFile | null, detail: string | null): AcmeReading {
    const { value: content = null, at: content_at = null } = this.#content ?? {}
    return { state, detail, content, content_at, file }
  }
}

/**
 * One look at a time. The store is large and many may ask at once: who asks while a look runs shares it, and a look that
 * nobody waits for any more is given up.
 */
interface Running<T> {
  readonly found: Promise<T>
  readonly end: AbortController
  waiting: number
}

class JointLook<T> {
  readonly #look: (signal: AbortSignal) => Promise<T>
  #running: Running<T> | null = null

  constructor(look: (signal: AbortSignal) => Promise<T>) {
    this.#look = look
  }

  /** Rejects with the reason of this caller's signal as soon as it aborts; the others go on waiting. */
  join(signal: AbortSignal): Promise<T> {
    if (signal.aborted) return Promise.reject(signal.reason as Error)
    const running = (this.#running ??= this.#begin())
    running.waiting++
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(signal.reason as Error)
        if (--running.waiting === 0) this.#giveUp(running, signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      void running.found.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
    })
  }

  #begin(): Running<T> {
    const end = new AbortController()
    const found = this.#look(end.signal)
    const running: Running<T> = { found, end, waiting: 0 }
    void found.finally(() => this.#forget(running)).catch(() => undefined)
    return running
  }

  #giveUp(running: Running<T>, reason: unknown): void {
    this.#forget(running)
    running.end.abort(reason)
  }

  #forget(running: Running<T>): void {
    if (this.#running === running) this.#running = null
  }
}
