/**
 * Who calls for an edge: the holder of one of its tokens, or of the API key.
 *
 * The digest is looked up, so neither a token's text nor how much of it is right can be told from the time that this
 * takes. How often the API key, whose length is its owner's choice, may be tried is said by `http/access/wrong-keys.ts`; a token
 * cannot be guessed.
 */
import { Failure } from '../../kernel/failure.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { Edge } from '../../model/edge.ts'
import { hasEnded, secretDigest } from '../../kernel/issued-secret.ts'
import type { Edges } from './edges.ts'
import { findEdge } from './find.ts'
import { edgeRecords } from './records.ts'

export interface EdgePresented {
  readonly credential: Secret | null
  /** The access policy has recognised the API key. */
  readonly has_api_key: boolean
  /** Canonical address of the effective client, empty when unknown. */
  readonly client: string
}

export interface EdgeCaller {
  readonly edge: Edge
  /** It is the edge itself, by its token; else somebody with the API key. */
  readonly is_edge: boolean
}

/** Throws `wrong_key`, `token_not_for_name`, `rate_limited` or `not_found`. */
export async function authenticateEdge(
  edges: Edges,
  id: number,
  presented: EdgePresented,
): Promise<EdgeCaller> {
  const { credential, has_api_key, client } = presented
  const { store, clock, wrong_keys } = edges
  const token =
    credential === null ? null : await store.of(edgeRecords).edgeTokenByDigest(secretDigest(credential))
  if (token !== null && !hasEnded(token, clock.now())) {
    if (token.edge_id === id) return { edge: await findEdge(store, id), is_edge: true }
    throw new Failure('token_not_for_name', 'This token belongs to another edge.')
  }
  if (has_api_key) {
    wrong_keys.right(client)
    return { edge: await findEdge(store, id), is_edge: false }
  }
  const wait_ms = wrong_keys.shut(client) || wrong_keys.wrong(client)
  if (wait_ms > 0)
    throw new Failure('rate_limited', 'Too many wrong tokens from this client within a minute.', {
      retry_after_ms: wait_ms,
    })
  throw new Failure('wrong_key', 'The token is wrong, or it has ended.')
}
