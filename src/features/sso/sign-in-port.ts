/**
 * What can be known of the SSO provider's own settings, as far as they decide whether anybody can sign in at all.
 *
 * Contract: never throws but by its signal. What is not set and cannot be read is null and has its reason in `fault`; a
 * secret that stands in the provider's configuration is neither kept nor shown.
 */
import type { SessionSettings } from '../../model/access/sessions.ts'

export interface SignInSettings {
  read(signal: AbortSignal): Promise<SignIn>
  /** What the files and settings say alone; nobody is asked, so `no_endpoint` is null. */
  written(signal: AbortSignal): Promise<SignIn>
  /** Hosts of the sign-in page as they were last read, for whoever cannot wait. */
  portals(): readonly string[]
}

export interface SignIn {
  /** Hosts of the sign-in page; empty where none is known. */
  readonly portals: readonly string[]
  /** Names for which the provider keeps sessions, each with everything below it; null where that is not known. */
  readonly cookie_domains: readonly string[] | null
  /** Whether a second factor can be used at all; null where that is not known. */
  readonly has_second_factor: boolean | null
  /** The `access_control` that the provider's own configuration has beside ours; null where it has none, or is not known. */
  readonly own_rules: OwnRules | null
  readonly sessions: SessionSettings
  /** Why the check that stands before routes finds nobody to ask, as a sentence; null where it does, or where that is not known. */
  readonly no_endpoint: string | null
  /** Where that configuration stands; null where none is set. */
  readonly place: string | null
  /** Why it could not be read, as the end of a sentence; null where it could, or where none is set. */
  readonly fault: string | null
}

export interface OwnRules {
  /** As it is written; null where it is left out. */
  readonly default_policy: string | null
  readonly rules: number
}
