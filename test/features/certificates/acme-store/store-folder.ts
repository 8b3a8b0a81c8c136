/** A folder with a store in it, a clock that waits for nobody, and the reader over both. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AcmeStoreFile } from '../../../../src/features/certificates/acme-store/acme-store.ts'
import { readCertificate } from '../../../../src/features/certificates/x509/read-certificate.ts'
import type { Clock } from '../../../../src/kernel/clock.ts'

export const NEVER = new AbortController().signal

export interface StoreFolder {
  readonly directory: string
  readonly path: string
  readonly clock: HandClock
  /** A reader that knows nothing yet. */
  open(): AcmeStoreFile
  /** In place, as the proxy writes. */
  put(text: string): void
  close(): void
}

export function storeFolder(): StoreFolder {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-acme-'))
  const path = join(directory, 'acme.json')
  const clock = new HandClock()
  return {
    directory,
    path,
    clock,
    open: () => new AcmeStoreFile(path, { read: readCertificate, clock }),
    put: (text) => writeFileSync(path, text, { mode: 0o600 }),
    close: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** Starts at this moment, since files are stamped by the kernel, and moves only when told. */
export class HandClock implements Clock {
  #now = Date.now()
  #elapsed = 0
  readonly slept: number[] = []
  /** Done in place of each wait, such as what the proxy does meanwhile. */
  meanwhile: () => void = () => undefined

  now(): number {
    return this.#now
  }

  elapsed(): number {
    return this.#elapsed
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    this.slept.push(ms)
    this.meanwhile()
  }

  pass(ms: number): void {
    this.#now += ms
    this.#elapsed += ms
  }

  /** The host slept, or its clock was set: only the wall clock moves. */
  step(ms: number): void {
    this.#now += ms
  }
}

/** As a copying tool does that keeps dates. */
export const backdate = (path: string, at_s: number): void => utimesSync(path, at_s, at_s)
