/**
 * Who calls for a heartbeat: the holder of one of its tokens, or of the API key. As for edges (`edges/authenticate.ts`): the
 * digest is looked up, and only the API key, whose length is its owner's choice, is guarded against guessing.
 */
import { Failure } from '../../../kernel/failure.ts'
import { hasEnded, secretDigest } from '../../../kernel/issued-secret.ts'
import type { Secret } from '../../../kernel/secret.ts'
import { heartbeatRecords } from '../records.ts'
import { findHeartbeat } from './find.ts'
import type { Heartbeats } from './heartbeats.ts'
import type { Heartbeat } from './state.ts'

export interface Presented {
  readonly credential: Secret | null
  /** The access policy has recognised the API key. */
  readonly has_api_key: boolean
  /** Canonical address of the effective client, empty when unknown. */
  readonly client: string
}

/** Throws `wrong_key`, `token_not_for_name`, `rate_limited` or `not_found`. */
export async function authenticate(
  { store, clock, wrong_keys }: Pick<Heartbeats, 'store' | 'clock' | 'wrong_keys'>,
  name: string,
  { credential, has_api_key, client }: Presented,
): Promise<Heartbeat> {
  const records = store.of(heartbeatRecords)
  const token = credential === null ? null : await records.heartbeatTokenByDigest(secretDigest(credential))
  if (token !== null && !hasEnded(token, clock.now())) {
    const found = await records.heartbeat(name)
    if (found?.id === token.heartbeat_id) return found
    throw new Failure('token_not_for_name', 'This token belongs to another heartbeat.')
  }
  if (has_api_key) {
    wrong_keys.right(client)
    return findHeartbeat(store, name)
  }
  const wait_ms = wrong_keys.shut(client) || wrong_keys.wrong(client)
  if (wait_ms > 0)
    throw new Failure('rate_limited', 'Too many wrong tokens from this client within a minute.', {
      retry_after_ms: wait_ms,
    })
  throw new Failure('wrong_key', 'The token is wrong, or it has ended.')
}
