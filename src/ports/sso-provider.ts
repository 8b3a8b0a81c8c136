/**
 * The program that decides who gets in (Authelia): it reads its rules once, at its start, and its users then, too, where it
 * does not watch their file.
 *
 * Contract. Every call ends by its signal and by a limit of its own. Nothing here is retried. What goes wrong with the
 * provider is an answer; a thrown Failure (`component_unavailable`) says that nobody could be asked.
 */
import type { Instant } from '../kernel/clock.ts'
import type { CheckResult } from '../model/access/config-check.ts'

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
  health(signal: AbortSignal): Promise<ProviderHealth>
  /** `health` without its words: what cannot be told is not well. */
  isHealthy(signal: AbortSignal): Promise<boolean>
  /**
   * Asks the provider's own command about a text that is to be its rules. Always good where none is set; `final` only where
   * the command takes a text that has to be taken, and not this one.
   */
  validate(text: string, signal: AbortSignal): Promise<CheckResult>
}

/** `ok: null`: it gave no answer, so there is no telling. Why is a sentence. */
export type ProviderHealth =
  | { readonly ok: true }
  | {
      readonly ok: false | null
      readonly why: string
      /** Nobody is there at all: the connection was refused, or its name has no address. */
      readonly absent?: true
    }

export type Restarted =
  | { readonly ok: true; readonly proven: boolean }
  | { readonly ok: false; readonly why: string }

/**
 * The restarts of that program, shared by all who have written something for it: who asks while one is still to come is
 * served by that one; one that has begun is not for that caller, since it may have read the older file.
 */
export interface SharedRestarts {
  readonly way: RestartWay
  /** One is to come, or is not over. */
  readonly is_under_way: boolean
  /** Resolves when the provider was restarted after this call, however that went. Throws the signal's reason. */
  restart(signal: AbortSignal): Promise<Attempt>
  /** To be told of every restart, whoever asked for it. */
  witness(witness: RestartWitness): void
  isHealthy(signal: AbortSignal): Promise<boolean>
}

/** Called right before a restart; what it answers is called when the restart is over. */
export type RestartWitness = () => Promise<RestartEnds>
/** `attempt` is null where nobody knows how it ended: it was broken off. */
export type RestartEnds = (attempt: Attempt | null, signal: AbortSignal) => Promise<void>

export interface Attempt {
  readonly restarted: Restarted
  /** Whether it answers well after it; null where it was never seen to answer and need not be reachable from here. */
  readonly healthy: boolean | null
}

/**
 * When a file last changed, by the kernel's own count: `stamp` (`INODE CTIME_NS MTIME_NS`) differs after every change, whoever
 * made it; of a change of mode or owner alone its last part stays.
 */
export interface FileChange {
  readonly stamp: string
  readonly at: Instant
}
