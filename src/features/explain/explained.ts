/** The answer to "why is this domain as it is": its two editions and where they come from, and every component's part. */
import type { SidesOf } from '../../model/sides/sides.ts'
import type { DomainRecord } from '../../model/domain/record.ts'
import type { DriftCause, DriftState, ExplainedDifference } from '../../model/drift.ts'
import type { Mode } from '../../model/mode.ts'
import type { Reaction } from '../../model/reaction.ts'
import type { GuardHit } from '../../model/plan.ts'
import type { SsoEntry, SsoList } from '../sso/report.ts'
import type { PresentedCondition } from '../health/conditions/present.ts'
import type { ReleasedBy, Saved, UndoneEdit } from './provenance.ts'
import type { Rival } from '../routes/rival-schema.ts'

export interface ExplainedDomain {
  readonly domain_id: number
  readonly domain: string
  readonly status: DomainRecord['status']
  readonly revision: number
  /** One sentence that says the most important thing. */
  readonly summary: string
  readonly saved: Saved | null
  /** Why no DNS record is made of it though it is live; null where one is, or none is asked for. */
  readonly not_published: string | null
  /** The revision that is deployed; null when nothing of the record is. */
  readonly released_revision: number | null
  readonly released: ReleasedBy | null
  /** The newest edit of somebody else's to its parts that was undone; null where there was none. */
  readonly undone: UndoneEdit | null
  /** What of the saved record, and of the deployed one, is allowed and unwise. Sentences. */
  readonly warnings: readonly string[]
  /** True when the saved state waits for a deploy. */
  readonly pending: boolean
  readonly components: readonly ExplainedComponent[]
  /** What the proxy makes of its routes; null while PLUMBLINE_TRAEFIK_API is not set. */
  readonly served: ServedState | null
  /** Where signing in is not as the record says, in the words of `/api/sso/drift`. */
  readonly sign_in: readonly SignInFault[]
  /** Why nobody knows that it is closed to whoever has not signed in, where it was asked now; else null. */
  readonly not_proven: string | null
}

export type SignInFault = SsoEntry & { readonly list: SsoList }

/** Loaded is not served. */
export interface ServedState {
  /** Null where the proxy cannot be seen. */
  readonly agrees: DriftState
  readonly cause: DriftCause | null
  /** Of this domain, and those that several share. */
  readonly differences: readonly ExplainedDifference[]
  /** What else stands beside its routers and is no drift. */
  readonly beside: readonly Rival[]
  /** Why it cannot be seen, else null. */
  readonly unknown_because: string | null
  readonly observed_at: string
}

export interface ExplainedComponent {
  readonly component: string
  readonly key: string
  /** Do the three sides agree about this domain? Null when the world could not be read. */
  readonly agrees: boolean | null
  readonly cause: DriftCause | null
  /** What each side holds for the domain; null for nothing. */
  readonly desired: string | null
  readonly released: string | null
  readonly observed: string | null
  /** What stands there for the domain though nothing asks for it, as the DNS records of one that was deactivated. */
  readonly kept: readonly string[]
  /** Of this domain, and those that belong to none. */
  readonly differences: readonly ExplainedDifference[]
  readonly sidesOf?: SidesOf | undefined
  readonly observed_at: string
  /** Why the world could not be read, else null. */
  readonly unknown_because: string | null
  /** False while the newest release was never seen there. */
  readonly applied: boolean
  readonly condition: PresentedCondition & { readonly observed_at: string | null }
  readonly engine: ExplainedEngine
}

export interface ExplainedEngine extends Reaction {
  readonly mode: Mode
  readonly mode_reason: string
  readonly suspended_until: string | null
  readonly guard: GuardHit | null
  /** Failures in a row. */
  readonly failures: number
  /** When it looks or tries next at the latest; null while nobody ticks. */
  readonly next_attempt_at: string | null
}
