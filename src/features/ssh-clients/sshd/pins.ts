/** Host keys that a server is known by: the whole key, or its SHA-256 fingerprint as `ssh-keygen -l` shows it. */
import { createHash } from 'node:crypto'

export interface HostKeyPin {
  /** Null where only the fingerprint is known. */
  readonly type: string | null
  /** `SHA256:…` */
  readonly fingerprint: string
}

export const fingerprintOf = (key: Uint8Array): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

export const isPinned = (key: Uint8Array, pins: readonly HostKeyPin[]): boolean =>
  pins.some(({ fingerprint }) => fingerprint === fingerprintOf(key))
