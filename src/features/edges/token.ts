/** The tokens of an edge: each opens the routes of that edge and nothing else. */
import type { Instant } from '../../kernel/clock.ts'
import type { TokenRows } from '../../kernel/issued-tokens.ts'
import type { Store, StoreWriter } from '../../ports/store.ts'
import { edgeRecords, type EdgeToken } from './records.ts'

export function tokensOf(tx: StoreWriter, edge_id: number): TokenRows {
  const records = tx.of(edgeRecords)
  return {
    all: () => records.edgeTokens(edge_id),
    add: (token) => records.addEdgeToken({ ...token, edge_id }),
    limit: (id, ends_at) => records.limitEdgeToken(id, ends_at),
    end: (id, ended_at) => records.endEdgeToken(id, ended_at),
    forgetEnded: (at) => records.forgetEdgeTokens(at),
  }
}

/** Those that have come to their end by now are ended for good: a clock that is set back brings none of them back. */
export async function endPastTokens(store: Store, at: Instant): Promise<void> {
  const past = await store.of(edgeRecords).pastEdgeTokens(at)
  if (past.length > 0) await endTokens(store, past)
}

/** At the times that they had for it. */
export const endTokens = (store: Store, tokens: readonly EdgeToken[]): Promise<void> =>
  store.write(async (tx) => {
    for (const { id, expires_at } of tokens)
      if (expires_at !== null) await tx.of(edgeRecords).endEdgeToken(id, expires_at)
  })
