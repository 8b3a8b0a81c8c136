/** The tokens of a heartbeat: each keeps that heartbeat alive and opens nothing else. */
import type { TokenRows } from '../../kernel/issued-tokens.ts'
import type { StoreWriter } from '../../ports/store.ts'
import { heartbeatRecords } from './records.ts'

export function tokensOf(tx: StoreWriter, heartbeat_id: number): TokenRows {
  const records = tx.of(heartbeatRecords)
  return {
    all: () => records.heartbeatTokens(heartbeat_id),
    add: (token) => records.addHeartbeatToken({ ...token, heartbeat_id }),
    end: (id, ends_at) => records.endHeartbeatToken(id, ends_at),
    forgetEnded: (at) => records.forgetHeartbeatTokens(at),
  }
}
