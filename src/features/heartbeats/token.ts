/** The tokens of a heartbeat: each keeps that heartbeat alive and opens nothing else. */
import type { Instant } from '../../kernel/clock.ts'
import type { TokenRows } from '../../kernel/issued-tokens.ts'
import type { Store, StoreWriter } from '../../ports/store.ts'
import { heartbeatRecords, type HeartbeatToken } from './records.ts'

export function tokensOf(tx: StoreWriter, heartbeat_id: number): TokenRows {
  const records = tx.of(heartbeatRecords)
  return {
    all: () => records.heartbeatTokens(heartbeat_id),
    add: (token) => records.addHeartbeatToken({ ...token, heartbeat_id }),
    limit: (id, ends_at) => records.limitHeartbeatToken(id, ends_at),
    end: (id, ended_at) => records.endHeartbeatToken(id, ended_at),
    forgetEnded: (at) => records.forgetHeartbeatTokens(at),
  }
}

/** Those that have come to their end by now are ended for good: a clock that is set back brings none of them back. */
export async function endPastTokens(store: Store, at: Instant): Promise<void> {
  const past = await store.of(heartbeatRecords).pastHeartbeatTokens(at)
  if (past.length > 0) await endTokens(store, past)
}

/** At the times that they had for it. */
export const endTokens = (store: Store, tokens: readonly HeartbeatToken[]): Promise<void> =>
  store.write(async (tx) => {
    for (const { id, expires_at } of tokens)
      if (expires_at !== null) await tx.of(heartbeatRecords).endHeartbeatToken(id, expires_at)
  })
