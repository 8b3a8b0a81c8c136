/**
 * Reading what one resolver of the network overrides, from its files or by its API.
 *
 * Contract: only reads, and leaves nothing behind (a session that it opened is closed). Reads are bounded and end by the
 * signal, whose reason is thrown. Trouble is an answer, never an empty view. No credential stands in any text.
 */
import type { ResolverView } from '../../../model/resolver/view.ts'

export interface ResolverConfig {
  /** As it is set: `dnsmasq:/etc/dnsmasq.d/lan.conf`. */
  readonly source: string
  /** `file`: a part of the one resolver whose files are read here. `api`: a resolver by itself. */
  readonly kind: 'file' | 'api'
  read(signal: AbortSignal): Promise<ResolverRead>
  /** A stamp of all that the last `read` read, or null when it must be read. Left out where nothing has one. */
  glance?(): string | null
}

export type ResolverRead =
  | {
      readonly ok: true
      readonly view: ResolverView
      /** Parts that were not read and may hold answers: what is missing here may be there. */
      readonly gaps: readonly string[]
      /** What a reader should know, and what changes no answer. */
      readonly notes: readonly string[]
    }
  | {
      readonly ok: false
      readonly reason: 'unreachable' | 'unreadable' | 'refused'
      /** One sentence. */
      readonly detail: string
    }
