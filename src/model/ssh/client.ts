/** A client of the SSH gateway: a key that may log in, with what it may be used for. In force as soon as it is saved. */
import type { Instant } from '../../kernel/clock.ts'
import type { KeyOptions } from './options.ts'
import type { SshPublicKey } from './public-key.ts'

export interface SshClient extends SshPublicKey {
  /** Stands as the comment behind the key. */
  readonly name: string
  readonly options: KeyOptions
  /** +1 on each write. */
  readonly revision: number
  readonly created_at: Instant
  readonly updated_at: Instant
}

/** How differences, plans and the log call a client. */
export const clientItem = ({ fingerprint, name }: Pick<SshClient, 'fingerprint' | 'name'>): string =>
  `${fingerprint} ${name}`
