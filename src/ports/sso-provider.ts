/**
 * The program that decides who gets in (Authelia): it reads its rules once, at its start.
 *
 * Contract. Every call ends by its signal and by a limit of its own. Nothing here is retried. What goes wrong with the
 * provider is an answer; a thrown Failure (`component_unavailable`) says that nobody could be asked.
 */
import type { Instant } from '../kernel/clock.ts'

/** `none`: somebody else restarts it. `watched`: it is restarted by whoever watches the file, such as a systemd path unit. */
export type RestartWay = 'command' | 'docker' | 'watched' | 'none'

export interface SsoProvider {
  readonly restarts: RestartWay
  /** When it began to run; null where there is no way to tell. */
  startedAt(signal: AbortSignal): Promise<Instant | null>
  /**
   * Restarts it, or waits until somebody did. `proven: false`: nobody saw it stop. Why it failed is the end of a sentence.
   */
  restart(signal: AbortSignal): Promise<Restarted>
  isHealthy(signal: AbortSignal): Promise<boolean>
  /** Asks the provider's own command about a text that is to be its rules. Always good where none is set. */
  validate(text: string, signal: AbortSignal): Promise<Outcome>
}

export type Outcome = { readonly ok: true } | { readonly ok: false; readonly why: string }
export type Restarted =
  { readonly ok: true; readonly proven: boolean } | { readonly ok: false; readonly why: string }

/** When a file last changed, by the kernel's own count: `stamp` differs after every change, whoever made it. */
export interface FileChange {
  readonly stamp: string
  readonly at: Instant
}
