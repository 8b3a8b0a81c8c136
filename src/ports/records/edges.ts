/** What the store keeps of edges. Part of the store's contract. Secrets are never in it. */
import type { Instant } from '../../kernel/clock.ts'
import type { DesiredEdgeState, Edge, EdgeContact, EdgeFields } from '../../model/edge.ts'

export interface EdgeReader {
  /** Ordered by name. */
  edges(): Promise<readonly Edge[]>
  edge(id: number): Promise<Edge | null>
  /** The token with this digest, ended or not; null where there is none. */
  edgeTokenByDigest(digest: string): Promise<EdgeToken | null>
  /** The oldest first. */
  edgeTokens(edge_id: number): Promise<readonly EdgeToken[]>
}

export interface EdgeWriter extends EdgeReader {
  /** Throws `name_taken`. Ids are never given twice. */
  insertEdge(edge: NewEdge): Promise<Edge>
  /** Replaces what its owner writes: revision + 1. Throws `name_taken`; nothing happens where it is gone. */
  reviseEdge(id: number, change: EdgeRevision): Promise<void>
  /** Replaces what is known from its calls: no new revision. Nothing happens where it is gone. */
  saveEdgeContact(id: number, contact: EdgeContact): Promise<void>
  /** With its tokens. */
  deleteEdge(id: number): Promise<void>
  addEdgeToken(token: EdgeToken): Promise<void>
  endEdgeToken(id: string, expires_at: Instant): Promise<void>
  /** Drops what has ended before then. */
  forgetEdgeTokens(before: Instant): Promise<void>
}

export interface NewEdge extends EdgeFields {
  readonly desired_state: DesiredEdgeState
  readonly created_at: Instant
}

export interface EdgeRevision extends EdgeFields {
  readonly desired_state: DesiredEdgeState
  readonly updated_at: Instant
}

export interface EdgeToken {
  readonly id: string
  readonly edge_id: number
  /** SHA-256 of the secret, lower-case hexadecimal. */
  readonly digest: string
  readonly created_at: Instant
  /** Null while it is valid without end. */
  readonly expires_at: Instant | null
}
