/** The tokens of an edge: each opens the routes of that edge and nothing else. */
import type { TokenRows } from '../../kernel/issued-tokens.ts'
import type { StoreWriter } from '../../ports/store.ts'
import { edgeRecords } from './records.ts'

export function tokensOf(tx: StoreWriter, edge_id: number): TokenRows {
  const records = tx.of(edgeRecords)
  return {
    all: () => records.edgeTokens(edge_id),
    add: (token) => records.addEdgeToken({ ...token, edge_id }),
    end: (id, ends_at) => records.endEdgeToken(id, ends_at),
    forgetEnded: (at) => records.forgetEdgeTokens(at),
  }
}
