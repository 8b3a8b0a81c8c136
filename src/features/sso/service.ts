/** What operations know of single sign-on: the rules and who runs them, the routes as they stand, the proxy, the people. */
import type { Observation } from '../../engine/target.ts'
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import type { SiteRules } from '../../model/access/compare.ts'
import type { AccessRules } from '../../model/access/rule.ts'
import type { OpenPaths } from '../../model/access/open-paths.ts'
import type { DomainFields } from '../../model/domain/record.ts'
import type { Intent } from '../../model/intent.ts'
import type { ProxyApi } from '../routes/traefik/port.ts'
import type { Unprovable } from './proof/provable.ts'
import type { SignInSettings } from './sign-in-port.ts'

export interface SsoService {
  /** Null where no rules file is set. */
  readonly rules: RulesService | null
  /**
   * By domain, whether the routes file puts the check in front of its route; a domain without a route is not in it. Null
   * where the file cannot be read.
   */
  attachments(signal: AbortSignal): Promise<ReadonlyMap<string, boolean> | null>
  /** Whether a router opens paths of a protected domain that are to be open, and nothing else. */
  mayOpen(router: { readonly name: string; readonly rule: string; readonly tls: boolean }): boolean
  /**
   * By domain, the pattern of the paths that the routes file opens to everybody although the domain is protected. Null where
   * the file cannot be read.
   */
  openedPaths(signal: AbortSignal): Promise<ReadonlyMap<string, string> | null>
  /** The paths of a record that are to be open to everybody although it is protected; null for none. */
  openPaths(fields: DomainFields): OpenPaths | null
  /** Where the check asks. */
  readonly forward_auth_url: string
  /** Null where no API of the proxy is set. */
  readonly proxy: ProxyApi | null
  /** What is known of signing in at all. */
  readonly sign_in: SignInSettings
  /** Why the SSO provider is not well, as a sentence; null where it is, or where that is not known. Within a second. */
  providerFault(): Promise<string | null>
  /** Null where no address for it is set. */
  readonly proof: ProofService | null
  /** A person has said that no deploy need warn of routes that nobody asks. */
  readonly accepts_unproven: boolean
  /** A quarantine was lifted: what was kept out may come back. */
  lifted(): void
}

export interface RulesService {
  /** What the engine calls it. */
  readonly component: string
  readonly path: string
  /** False: nobody can tell here whether rules are loaded. */
  readonly can_load: boolean
  /** Throws a Failure where the file cannot be read. */
  look(signal: AbortSignal): Promise<RulesLook>
  /** The rules that the provider runs as far as is known, else null. */
  running(signal: AbortSignal): Promise<AccessRules | null>
  /** What an edition asks for. */
  sites(intent: Intent): readonly SiteRules[]
}

export interface RulesLook {
  /** Null where there is no file, or none that the provider would take. */
  readonly rules: AccessRules | null
  /** Why it would not, else null. */
  readonly fault: string | null
  /** Null: there is no telling. */
  readonly loaded: boolean | null
}

export interface ProofService {
  /** What the last anonymous requests met, by domain. */
  last(): ReadonlyMap<string, Proof>
  /** How the routes of an edition that can be proven are now, each asked after this call; see `Rounds.now`. */
  now(asked: ProofQuestion, signal: AbortSignal): Promise<ReadonlyMap<string, Proof>>
  /** What is known of all routes by now, as the engine observes it: for whoever has asked in its place. */
  observed(): Promise<Observation<unknown>>
  /** The proxy was seen to run what was written last. */
  runs(): void
  /**
   * Of a domain in quarantine that answers all the same: what cannot be closed here, and what would close it. Sentences.
   */
  notClosable(domain: string): string
  /** Protected routes of an edition that nobody can prove closed, and why. */
  notProvable(intent: Intent): readonly Unprovable[]
}

export interface ProofQuestion {
  readonly intent: Intent
  /** Only these domains; null for all. */
  readonly domains: ReadonlySet<string> | null
  /** What was not answered by then is unknown. */
  readonly within_ms: Milliseconds
  /** What is unknown is asked again and again meanwhile: the proxy may not have loaded the routes yet. */
  readonly insists?: boolean
}

export const PROOF_RESULTS = ['closed', 'open', 'suspect', 'unknown'] as const
/** `suspect`: seen open once, too soon after a change to be sure. */
export type ProofResult = (typeof PROOF_RESULTS)[number]

export interface Proof {
  readonly result: ProofResult
  /** What was seen, in words. */
  readonly evidence: string
  readonly at: Instant
}
