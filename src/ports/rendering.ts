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
