/** Whether versions on disk are what was written. A file that has not changed is not read again. */
import { type BigIntStats, lstatSync } from 'node:fs'
import { Failure, systemErrorCode } from '../../../kernel/failure.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { accessFault, type AccessRule } from '../../../model/file-access.ts'
import type { CertificateFacts } from '../../../model/network/certificate.ts'
import type { StoredVersion, VersionFiles } from './port.ts'
import type { IsWholeChain, KeyFits, PlainKey, ReadCertificate } from '../../../ports/x509.ts'
import { glanceAt } from '../../../kernel/glance.ts'
import { lookAt } from '../../../io/files/look.ts'

export interface CheckParts {
  readonly read: ReadCertificate
  readonly fits: KeyFits
  readonly is_whole: IsWholeChain
  readonly plain: PlainKey
  readonly max_bytes: number
}

/** Both are written for their owner alone. A group that was let in to read is somebody's intent: the proxy's. */
export const CHAIN_ACCESS: AccessRule = { needs: 0o400, forbids: 0o022, ours: 0o600 }
export const KEY_ACCESS: AccessRule = { needs: 0o400, forbids: 0o027, ours: 0o600 }

type Checks = Omit<StoredVersion, keyof VersionFiles>

export class CheckedVersions {
  readonly #parts: CheckParts
  #kept = new Map<string, { readonly stamp: string; readonly version: StoredVersion }>()

  constructor(parts: CheckParts) {
    this.#parts = parts
  }

  async look(version: VersionFiles, signal: AbortSignal): Promise<StoredVersion> {
    const { chain_file, key_file } = version
    const stamp = stampOf([chain_file, key_file])
    const kept = this.#kept.get(chain_file)
    if (stamp !== null && kept?.stamp === stamp) return kept.version
    const checked = { ...version, ...(await this.#check(version, signal)) }
    if (stamp !== null) this.#kept.set(chain_file, { stamp, version: checked })
    return checked
  }

  /** Forgets all others. */
  keepOnly(versions: readonly StoredVersion[]): void {
    const files = new Set(versions.map(({ chain_file }) => chain_file))
    this.#kept = new Map([...this.#kept].filter(([file]) => files.has(file)))
  }

  async #check(version: VersionFiles, signal: AbortSignal): Promise<Checks> {
    const access = [...accessOf(version.chain_file, CHAIN_ACCESS), ...accessOf(version.key_file, KEY_ACCESS)]
    try {
      return { ...(await this.#content(version, signal)), access, unreadable: null }
    } catch (error) {
      // One that cannot be read must not hide all others.
      if (signal.aborted || !(error instanceof Failure)) throw error
      return { ...NOTHING_READ, fault: error.message, access, unreadable: error.message }
    }
  }

  async #content(
    { chain_file, key_file, fingerprint }: VersionFiles,
    signal: AbortSignal,
  ): Promise<Omit<Checks, 'access' | 'unreadable'>> {
    const { fits, is_whole, plain } = this.#parts
    const chain = await this.#text(chain_file, signal)
    const key = await this.#text(key_file, signal)
    const digests = {
      chain_sha256: chain && sha256([chain]),
      key_sha256: key && sha256([key]),
      plain_key_sha256: null,
      whole_chain: false,
      leaf: null,
      chain_length: chain && certificatesIn(chain.toString('latin1')),
    }
    if (chain === null || key === null)
      return { ...digests, fault: `${chain === null ? chain_file : key_file} is missing` }
    const plain_key = plain(key.toString())
    const leaf = this.#leaf(chain.toString())
    const facts = {
      ...digests,
      leaf,
      plain_key_sha256: plain_key === null ? null : sha256([plain_key]),
      whole_chain: is_whole(chain.toString()),
    }
    if (leaf?.fingerprint !== fingerprint)
      return { ...facts, fault: `${chain_file} holds another certificate`, altered: true }
    return fits(chain.toString(), key.toString())
      ? { ...facts, fault: null }
      : { ...facts, fault: `${key_file} does not fit its certificate`, altered: true }
  }

  /** Null for nothing and for what is no regular file of a fitting size. */
  async #text(file: string, signal: AbortSignal): Promise<Buffer | null> {
    const look = await lookAt(file, { max_bytes: this.#parts.max_bytes, known: null }, signal)
    return look.kind === 'file' ? Buffer.from(look.bytes) : null
  }

  #leaf(chain: string): CertificateFacts | null {
    try {
      return this.#parts.read(chain)
    } catch {
      return null
    }
  }
}

const NOTHING_READ = {
  chain_sha256: null,
  key_sha256: null,
  plain_key_sha256: null,
  whole_chain: false,
  leaf: null,
  chain_length: null,
}

const certificatesIn = (pem: string): number => pem.split('-----BEGIN CERTIFICATE-----').length - 1

/** What is wrong with owner and mode, in words; nothing for what is no regular file. */
function accessOf(file: string, rule: AccessRule): readonly string[] {
  const status = statusOf(file)
  if (status?.isFile() !== true) return []
  const fault = accessFault({ mode: Number(status.mode) }, rule)
  return fault === null ? [] : [`${file} ${fault.what}`]
}

export function statusOf(file: string): BigIntStats | null {
  try {
    return lstatSync(file, { bigint: true })
  } catch (error) {
    if (systemErrorCode(error) === null) throw error
    return null
  }
}

/** Changes whenever a file does. Null where one is missing, cannot be seen, or has changed a moment ago. */
export function stampOf(files: readonly string[]): string | null {
  const stamps = files.map(glanceAt)
  return stamps.some((stamp) => stamp === null || stamp === 'absent') ? null : stamps.join(' ')
}
