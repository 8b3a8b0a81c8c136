/** Since when a credential of somebody else's is in use here, as far as we have seen: they do not say when they issued it. */
import type { Instant } from '../../../kernel/clock.ts'
import type { Secret } from '../../../kernel/secret.ts'

export interface ForeignCredential {
  /** The setting that holds it. */
  readonly name: string
  readonly secret: Secret
}

export interface CredentialAges {
  /** Notes those that are new or others than before. By name; what is not set any more is forgotten. */
  observe(credentials: readonly ForeignCredential[], now: Instant): Promise<ReadonlyMap<string, Instant>>
}
