/** Where the API keys are kept: those that were issued, as digests, and the main one, as itself. */
import type { Instant } from '../../../kernel/clock.ts'
import type { Secret } from '../../../kernel/secret.ts'

export interface ApiKey {
  /** 16 digits that were drawn: they say nothing of the key. */
  readonly id: string
  /** `main` for the one of the environment or of its own file. */
  readonly name: string
  /** SHA-256 of the key, lower-case hexadecimal; of one that has ended for good, what `endedDigest` makes of it. */
  readonly digest: string
  /** Left out: it may do everything. */
  readonly access?: 'read'
  readonly created_at: Instant
  /** Null while it is valid without end. */
  readonly expires_at: Instant | null
}

export interface KeyStore {
  /** None where nothing was kept yet. Throws `storage_unwritable` or `bad_configuration` where it cannot be read. */
  load(): Promise<readonly ApiKey[]>
  /** Durable when it resolves. */
  save(keys: readonly ApiKey[]): Promise<void>
  /** The file of the main key; null where the environment gives it. */
  readonly main: {
    readonly path: string
    /** False for one that its owner writes. */
    readonly is_ours: boolean
    /** Null where it is gone or empty. */
    read(): Promise<Secret | null>
    write(key: Secret): Promise<void>
  } | null
}
