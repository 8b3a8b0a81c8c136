/** Whether versions on disk are whole. A file that has not changed is not read again. */
import { lstatSync } from 'node:fs'
import type { StoredVersion } from '../../ports/certificate-files.ts'
import type { KeyFits, ReadCertificate } from '../../ports/x509.ts'
import { lookAt } from './look.ts'

export interface CheckParts {
  readonly read: ReadCertificate
  readonly fits: KeyFits
  readonly most_bytes: number
}

type Unchecked = Omit<StoredVersion, 'fault' | 'altered'>

export class CheckedVersions {
  readonly #parts: CheckParts
  #kept = new Map<string, { readonly stamp: string; readonly version: StoredVersion }>()

  constructor(parts: CheckParts) {
    this.#parts = parts
  }

  async look(version: Unchecked, signal: AbortSignal): Promise<StoredVersion> {
    const { chain_file, key_file } = version
    const stamp = stampOf([chain_file, key_file])
    const kept = this.#kept.get(chain_file)
    if (stamp !== null && kept?.stamp === stamp) return kept.version
    const checked = { ...version, ...(await this.#fault(version, signal)) }
    if (stamp !== null) this.#kept.set(chain_file, { stamp, version: checked })
    return checked
  }

  /** Forgets all others. */
  keepOnly(versions: readonly StoredVersion[]): void {
    const files = new Set(versions.map(({ chain_file }) => chain_file))
    this.#kept = new Map([...this.#kept].filter(([file]) => files.has(file)))
  }

  async #fault(
    { chain_file, key_file, fingerprint }: Unchecked,
    signal: AbortSignal,
  ): Promise<Pick<StoredVersion, 'fault' | 'altered'>> {
    const chain = await this.#text(chain_file, signal)
    const key = await this.#text(key_file, signal)
    if (chain === null || key === null)
      return { fault: `${chain === null ? chain_file : key_file} is missing` }
    if (this.#fingerprint(chain) !== fingerprint)
      return { fault: `${chain_file} holds another certificate`, altered: true }
    return this.#parts.fits(chain, key)
      ? { fault: null }
      : { fault: `${key_file} does not fit its certificate`, altered: true }
  }

  /** Null for nothing and for what is no regular file of a fitting size. */
  async #text(file: string, signal: AbortSignal): Promise<string | null> {
    const look = await lookAt(file, { most_bytes: this.#parts.most_bytes, known: null }, signal)
    return look.kind === 'file' ? Buffer.from(look.bytes).toString() : null
  }

  #fingerprint(chain: string): string | null {
    try {
      return this.#parts.read(chain).fingerprint
    } catch {
      return null
    }
  }
}

/** Changes whenever a file does, but for changes within one step of the kernel's clock. Null where one cannot be seen. */
export function stampOf(files: readonly string[]): string | null {
  try {
    return files
      .map((file) => lstatSync(file, { bigint: true }))
      .map(({ ino, size, mtimeNs, ctimeNs }) => `${ino}.${size}.${mtimeNs}.${ctimeNs}`)
      .join(' ')
  } catch {
    return null
  }
}
