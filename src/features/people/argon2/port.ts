/** Hashing passwords, which costs much time and memory by design: few at once, the rest in a queue of bounded length. */
import type { Secret } from '../../../kernel/secret.ts'

export interface PasswordHasher {
  /**
   * A PHC string. Throws `component_unavailable` with `retry_after_ms` where too many wait already or where it cannot be
   * done, and the signal's reason as soon as it aborts.
   */
  hash(password: Secret, signal: AbortSignal): Promise<string>
  /** Gives back what it holds. It may be used again after that. */
  close(): Promise<void>
}
