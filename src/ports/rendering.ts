/** The routes file as bytes, for whoever wants to see it without writing it. */
import type { Intent } from '../model/intent.ts'

export interface Rendering {
  readonly chunks: readonly Uint8Array[]
  /** SHA-256 of all bytes. */
  readonly checksum: string
  readonly http_routers: number
  readonly tcp_routers: number
  readonly domains: number
}

/** Pure: equal intents give equal bytes. */
export type Render = (intent: Intent) => Rendering

/** A rendering that was kept, and what to call it beside another. */
export interface LabelledRendering {
  readonly label: string
  readonly chunks: readonly Uint8Array[]
}

export interface RenderingDiff {
  /** Null where there is nothing to show. */
  readonly unified_diff: string | null
  /** Why it is missing or shortened, else null. */
  readonly note: string | null
}

/** From the one to the other as people read it. Bounded in time and size, whatever the two hold. */
export type DiffRenderings = (before: LabelledRendering, after: LabelledRendering) => RenderingDiff
