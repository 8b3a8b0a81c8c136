/** Hashing passwords, which costs much time and memory by design: few at once, the rest in a queue of bounded length. */
import type { Secret } from '../kernel/secret.ts'

export interface PasswordHasher {
  /** A PHC string. Throws `component_unavailable` with `retry_after_ms` where too many wait already. */
  hash(password: Secret, signal: AbortSignal): Promise<string>
}
