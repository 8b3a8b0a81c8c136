/** The two answers that changing operations give, as the specification names them. */
import type { ProvenRoutes } from '../model/access/proven.ts'
import type { FailureCode } from '../kernel/failure.ts'
import type { Plan, RefusedRow } from '../model/plan.ts'
import type { Report } from '../model/report.ts'

export interface SuccessAnswer {
  readonly success: true
  readonly domain_id: number
  readonly message: string
  readonly revision: number | null
  readonly warnings: readonly string[]
}

/** Of a call that changes a record and deploys nothing. */
export interface SavedAnswer extends SuccessAnswer {
  /** What is saved of it is not what is released: a deploy would bring it out. */
  readonly pending_deploy: boolean
}

/** Of a call that takes away. */
export interface RetiredAnswer extends SuccessAnswer {
  /** What is not done outside yet and is tried again by itself. */
  readonly unfinished: readonly UnfinishedPart[]
}

/** A part of a call that waits for something outside; the call itself stands. */
export interface UnfinishedPart {
  readonly component: string
  /** What of it: one zone, one certificate. */
  readonly key: string
  readonly code: FailureCode
  readonly message: string
}

export interface ComponentResult {
  readonly component: string
  /** What of it, where it has several, such as zones. */
  readonly key: string
  readonly outcome: Report['outcome']
  readonly differences: number
  readonly repaired: number
  readonly message: string | null
  readonly took_ms: number
}

/** What the proxy has loaded of a domain and does not serve. */
export interface RejectedRoute {
  readonly domain_id: number
  readonly domain: string
  /** The object as the proxy names it: `plumbline-site_app.example.com@file`. */
  readonly item: string
  /** What the proxy says of it. */
  readonly detail: string
}

/** What of ours is not asked, since something that is not ours is asked before it. */
export interface ShadowedRoute {
  /** Null for what several domains share, such as the check before them. */
  readonly domain_id: number | null
  readonly domain: string | null
  /** Of ours, as the proxy's file names it. */
  readonly item: string
  readonly detail: string
}

/** A live record whose saved state is not the deployed one. */
export interface PendingDomain {
  readonly domain_id: number
  readonly domain: string
  readonly revision: number | null
}

export interface DeploymentResult extends ProvenRoutes {
  /** False where not all that this call is about stands: refused, unfinished, not served by the proxy, or open. */
  readonly success: boolean
  readonly message: string
  /** Number of the release that the world now shows. */
  readonly release: number
  /** Ids of the records that this call released. */
  readonly domain_ids: readonly number[]
  readonly components: readonly ComponentResult[]
  /** Whether the proxy runs the file that was written; null where that is not known. */
  readonly loaded: boolean | null
  /** Whether the proxy was asked for that; left out by results of versions that did not say so. */
  readonly proxy_asked?: boolean | undefined
  /** Domains of this call that the proxy has loaded and does not serve; null where that is not known. */
  readonly rejected: readonly RejectedRoute[] | null
  /** Domains of this call before which something is asked that is not ours; null where that is not known. */
  readonly shadowed: readonly ShadowedRoute[] | null
  readonly pending: readonly PendingDomain[]
  /** Records of this call that stay as they are, or that the world refused after they were released; each with the reason. */
  readonly refused: readonly RefusedRow[]
  readonly unfinished: readonly UnfinishedPart[]
  readonly warnings: readonly string[]
}

export interface PlannedAnswer {
  readonly dry_run: true
  readonly plan: Plan
}

export const planned = (plan: Plan): PlannedAnswer => ({ dry_run: true, plan })
