/** Tokens of heartbeats: each keeps one heartbeat alive and opens nothing else. Shown once, kept as a digest. */
import { randomUUID } from 'node:crypto'
import type { Instant } from '../../../kernel/clock.ts'
import { hasEnded, newSecret, secretDigest } from '../../../kernel/issued-secret.ts'
import type { Secret } from '../../../kernel/secret.ts'
import type { StoreWriter } from '../../../ports/store.ts'
import { heartbeatRecords } from '../records.ts'

/** Adds a token and forgets those that have ended. */
export async function addToken(tx: StoreWriter, heartbeat_id: number, at: Instant): Promise<Secret> {
  const secret = newSecret()
  await tx.of(heartbeatRecords).forgetHeartbeatTokens(at)
  await tx.of(heartbeatRecords).addHeartbeatToken({
    id: randomUUID(),
    heartbeat_id,
    digest: secretDigest(secret),
    created_at: at,
    expires_at: null,
  })
  return secret
}

/** Ends those that go on, now or later. Answers how many. */
export async function endTokens(
  tx: StoreWriter,
  heartbeat_id: number,
  { at, ends_at }: { readonly at: Instant; readonly ends_at: Instant },
): Promise<number> {
  const going = (await tx.of(heartbeatRecords).heartbeatTokens(heartbeat_id)).filter(
    (token) => !hasEnded(token, at) && (token.expires_at === null || token.expires_at > ends_at),
  )
  for (const { id } of going) await tx.of(heartbeatRecords).endHeartbeatToken(id, ends_at)
  return going.length
}
