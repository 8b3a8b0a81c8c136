/**
 * Keys and chains on disk, a folder for each certificate.
 *
 * Contract: everything is written whole and synced before it has its name, readable by its owner alone (0600), and never
 * outside the directory. No link is followed. A version is there when both of its files are: the key is written first. Keys
 * leave only by `request`. Throws a Failure: `storage_full`, `storage_unwritable`, `component_unavailable`.
 */
import type { CertificateFacts } from '../../../model/network/certificate.ts'
import type { CertificateRequest } from '../issuing/request.ts'

export interface CertificateFiles {
  /** Absolute. */
  readonly directory: string
  /** Durable when it resolves. The same version again is fine. */
  store(version: NewVersion, signal: AbortSignal): Promise<StoredVersion>
  /**
   * Puts right what can be put right without a new certificate; modes of both files always. Durable when it resolves.
   * @throws Failure `conflict` where the key is not the one that it should be: then it is left as it is
   */
  mend(version: VersionId, mending: Mending, signal: AbortSignal): Promise<void>
  /** The bytes of its chain; null where there is no such file. */
  chain(version: VersionId, signal: AbortSignal): Promise<string | null>
  /** Every version of every certificate, by name and fingerprint. */
  list(signal: AbortSignal): Promise<readonly StoredVersion[]>
  /**
   * Throws a Failure (`component_unavailable`, with the fact `absent`) where the directory is missing or nothing at all stands in
   * it: then it may be a mount that is gone. To be asked where no version is found and some are installed.
   */
  assertPresent(installed: number): Promise<void>
  /** Puts a file into the directory that tells it from an empty mount point, where that can be. One that stands there is left. */
  mark(signal: AbortSignal): Promise<void>
  /** Where the files of a version stand, or would. */
  paths(version: VersionId): VersionFiles
  /** Changes whenever a file of the version does; null where one cannot be seen. A system call for each, no write. */
  glance(version: VersionId): string | null
  /** What is not there is fine. */
  drop(version: VersionId): Promise<void>

  /** Keeps the key and the request of an order until its certificate is there. */
  keepRequest(order: RequestKey, request: CertificateRequest, signal: AbortSignal): Promise<void>
  /** Null also where what stands there is spoilt: such a key is lost. */
  request(order: RequestKey, signal: AbortSignal): Promise<CertificateRequest | null>
  requests(signal: AbortSignal): Promise<readonly RequestKey[]>
  /** What is not there is fine. */
  dropRequest(order: RequestKey): Promise<void>
}

export interface RequestKey {
  /** What the certificate is called by. */
  readonly name: string
  readonly order_id: string
}

export interface NewVersion {
  readonly name: string
  /** SHA-256 of the leaf certificate, lower-case hexadecimal. */
  readonly fingerprint: string
  readonly key_pem: string
  /** Leaf first. */
  readonly chain_pem: string
}

export type VersionId = Pick<VersionFiles, 'name' | 'fingerprint'>

export interface VersionFiles {
  readonly name: string
  readonly fingerprint: string
  /** Absolute. */
  readonly key_file: string
  readonly chain_file: string
}

export interface StoredVersion extends VersionFiles {
  /** Null when its key fits its certificate and that is the one of the fingerprint; else what is wrong, in words. */
  readonly fault: string | null
  /** What the first certificate of its chain says of itself; null where none could be read. */
  readonly leaf: CertificateFacts | null
  /** Beside a fault: both files are there, and what they hold is something else. */
  readonly altered?: boolean
  /** SHA-256 of the bytes of each file; null where there is none. */
  readonly chain_sha256: string | null
  readonly key_sha256: string | null
  /** Of the key alone, in our spelling of it; null where the file holds none. */
  readonly plain_key_sha256: string | null
  /** The chain file is certificates and nothing else, each signed by the next. */
  readonly whole_chain: boolean
  /** How many certificates the chain file holds; null where there is none. */
  readonly chain_length: number | null
  /** What is wrong with owner or mode of its files, in sentences; empty where nothing is. */
  readonly access: readonly string[]
  /** Why the files could not be read: what they hold is not known then. Null where they could. */
  readonly unreadable: string | null
}

/** What is to be put right in the files of a version. */
export interface Mending {
  /** Written in place of what stands there; null to leave it. */
  readonly chain_pem: string | null
  /** The key is written again in our spelling, if that is what it is by its digest; null to leave it. */
  readonly key_sha256: string | null
}
