/** Who calls for an edge: the holder of one of its tokens, or of the API key. */
import { type PresentedToken, tokenHolder } from '../../http/access/token-holder.ts'
import { Failure } from '../../kernel/failure.ts'
import type { IssuedToken } from '../../kernel/issued-tokens.ts'
import type { Edge } from '../../model/edge.ts'
import type { Edges } from './edges.ts'
import { findEdge } from './find.ts'
import { edgeTokens } from './records.ts'
import { endTokens } from '../../store/token-rows.ts'

export interface EdgeCaller {
  readonly edge: Edge
  /** It is the edge itself, by its token; else somebody with the API key. */
  readonly is_edge: boolean
}

/** Throws `wrong_key`, `token_not_for_name`, `rate_limited` or `not_found`. */
export async function authenticateEdge(
  { store, clock, wrong_keys }: Pick<Edges, 'store' | 'clock' | 'wrong_keys'>,
  id: number,
  presented: PresentedToken,
): Promise<EdgeCaller> {
  const byDigest = (digest: string) => store.of(edgeTokens).byDigest(digest)
  const end = (ended: IssuedToken) => endTokens(store, edgeTokens, [ended])
  const token = await tokenHolder(presented, { clock, wrong_keys, byDigest, end })
  if (token !== null && token.edge_id !== id)
    throw new Failure('token_not_for_name', 'This token belongs to another edge.')
  return { edge: await findEdge(store, id), is_edge: token !== null }
}
