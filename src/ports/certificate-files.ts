/**
 * Keys and chains on disk, a folder for each certificate.
 *
 * Contract: everything is written whole and synced before it has its name, readable by its owner alone (0600), and never
 * outside the directory. No link is followed. A version is there when both of its files are: the key is written first. Keys
 * leave only by `request`. Throws a Failure: `storage_full`, `storage_unwritable`, `component_unavailable`.
 */
import type { CertificateRequest } from './certificate-request.ts'

export interface CertificateFiles {
  /** Absolute. */
  readonly directory: string
  /** Durable when it resolves. The same version again is fine. */
  store(version: NewVersion, signal: AbortSignal): Promise<StoredVersion>
  /** Every version of every certificate, by name and fingerprint. */
  list(signal: AbortSignal): Promise<readonly StoredVersion[]>
  /** Changes whenever a file of the version does; null where one cannot be seen. A system call for each, no write. */
  glance(version: Pick<StoredVersion, 'name' | 'fingerprint'>): string | null
  /** What is not there is fine. */
  drop(version: Pick<StoredVersion, 'name' | 'fingerprint'>): Promise<void>

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

export interface StoredVersion {
  readonly name: string
  readonly fingerprint: string
  /** Absolute. */
  readonly key_file: string
  readonly chain_file: string
  /** Null when its key fits its certificate and that is the one of the fingerprint; else what is wrong, in words. */
  readonly fault: string | null
  /** Beside a fault: both files are there, and what they hold is something else. */
  readonly altered?: boolean
}
