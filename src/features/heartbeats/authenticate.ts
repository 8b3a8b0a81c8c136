/** Who calls for a heartbeat: the holder of one of its tokens, or of the API key. */
import { type PresentedToken, tokenHolder } from '../../http/access/token-holder.ts'
import { Failure } from '../../kernel/failure.ts'
import type { IssuedToken } from '../../kernel/issued-tokens.ts'
import { endTokens } from '../../store/token-rows.ts'
import { heartbeatRecords, heartbeatTokens } from './records.ts'
import { findHeartbeat } from './find.ts'
import type { Heartbeats } from './heartbeats.ts'
import type { Heartbeat } from './state.ts'

/** Throws `wrong_key`, `token_not_for_name`, `rate_limited` or `not_found`. */
export async function authenticate(
  { store, clock, wrong_keys }: Pick<Heartbeats, 'store' | 'clock' | 'wrong_keys'>,
  name: string,
  presented: PresentedToken,
): Promise<Heartbeat> {
  const byDigest = (digest: string) => store.of(heartbeatTokens).byDigest(digest)
  const end = (ended: IssuedToken) => endTokens(store, heartbeatTokens, [ended])
  const token = await tokenHolder(presented, { clock, wrong_keys, byDigest, end })
  if (token === null) return findHeartbeat(store, name)
  const found = await store.of(heartbeatRecords).heartbeat(name)
  if (found?.id === token.heartbeat_id) return found
  throw new Failure('token_not_for_name', 'This token belongs to another heartbeat.')
}
