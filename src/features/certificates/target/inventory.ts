/**
 * What there is of all certificates, read once for all of them: rows, versions on disk, and which of these the proxy's file
 * names. The same reading does for targets that look at the same time.
 */
import { relative } from 'node:path'
import type { Milliseconds } from '../../../kernel/clock.ts'
import type { StoredVersion } from '../files/port.ts'
import type { CertificateOrder } from '../order-records.ts'
import type { CertificateFailure, ChainDigests, InstalledCertificate } from '../records.ts'
import type { FileLook } from '../../../ports/files.ts'
import type { CertificateParts } from './parts.ts'

export interface Reading {
  /** All by name. */
  readonly certificates: ReadonlyMap<string, InstalledCertificate>
  /** What was written of them. */
  readonly chains: ReadonlyMap<string, ChainDigests>
  readonly orders: ReadonlyMap<string, CertificateOrder>
  readonly failure: ReadonlyMap<string, CertificateFailure>
  readonly versions: readonly StoredVersion[]
  /** Whether the proxy's file names a version; true where that cannot be told. */
  readonly isNamed: (version: StoredVersion) => boolean
}

/** Long enough for a tick of all targets, and short enough that a hand that takes a file away is seen. */
const KEPT_MS: Milliseconds = 500
const MAX_READING_MS: Milliseconds = 15_000

type InventoryParts = Pick<CertificateParts, 'store' | 'files' | 'file' | 'clock' | 'left'>

export class CertificateInventory {
  readonly #parts: InventoryParts
  #kept: { readonly reading: Promise<Reading>; readonly until: Milliseconds } | null = null
  #known: readonly string[] = []
  #version = 0

  constructor(parts: InventoryParts) {
    this.#parts = parts
  }

  /** Moves with everything that we do to rows and files. */
  get version(): number {
    return this.#version
  }

  /** Names of which there is a row, as far as was read. */
  get known(): readonly string[] {
    return this.#known
  }

  /** Something was changed: what was read before says nothing any more. */
  changed(): void {
    this.#version++
    this.#kept = null
  }

  /** Somebody else has changed a file. */
  forget(): void {
    this.#kept = null
  }

  /** For people, who may just have changed something by hand. */
  readAnew(signal: AbortSignal): Promise<Reading> {
    this.forget()
    return this.read(signal)
  }

  read(signal: AbortSignal): Promise<Reading> {
    signal.throwIfAborted()
    const now = this.#parts.clock.elapsed()
    if (this.#kept !== null && now < this.#kept.until) return this.#kept.reading
    // Several wait for it: the abort of one of them is not the others'.
    const reading = this.#read(AbortSignal.timeout(MAX_READING_MS))
    const kept = { reading, until: now + KEPT_MS }
    this.#kept = kept
    // Whoever reads next must not inherit a failure.
    reading.catch(() => {
      if (this.#kept === kept) this.#kept = null
    })
    return reading
  }

  #know(names: readonly string[]): void {
    const now = new Set(names)
    const has_lost = this.#known.some((name) => !now.has(name))
    this.#known = names
    if (has_lost) this.#parts.left?.()
  }

  /** Versions before rows: a version whose row is not there yet has its order's row, so that nobody takes it for a leftover. */
  async #read(signal: AbortSignal): Promise<Reading> {
    const { store, files, file } = this.#parts
    const versions = await files.list(signal)
    const look = await file.look(signal)
    const [certificates, chains, orders, failure] = await Promise.all([
      store.certificates(),
      store.certificateChains(),
      store.certificateOrders(),
      store.certificateFailures(),
    ])
    const rows = [certificates, orders, failure].flatMap((all) => all.map(({ name }) => name))
    this.#know([...new Set(rows)].sort())
    if (versions.length === 0 && certificates.length > 0) await files.assertPresent(certificates.length)
    return {
      certificates: byName(certificates),
      chains: byName(chains),
      orders: byName(orders),
      failure: byName(failure),
      versions,
      isNamed: namedIn(look, files.directory),
    }
  }
}

const byName = <T extends { readonly name: string }>(rows: readonly T[]): ReadonlyMap<string, T> =>
  new Map(rows.map((row) => [row.name, row]))

/** By the path within the directory of certificates, so that a proxy that sees it elsewhere makes no difference. */
function namedIn(look: FileLook, directory: string): (version: StoredVersion) => boolean {
  if (look.kind === 'absent') return () => false
  if (look.kind !== 'file') return () => true
  const text = Buffer.from(look.bytes.buffer, look.bytes.byteOffset, look.bytes.length).toString('latin1')
  return ({ chain_file, key_file }) =>
    [chain_file, key_file].some((path) => text.includes(relative(directory, path)))
}
