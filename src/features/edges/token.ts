/** Tokens of edges: 256 bits that open the routes of one edge and nothing else. Shown once, kept as a digest. */
import { randomUUID } from 'node:crypto'
import type { Instant } from '../../kernel/clock.ts'
import { hasEnded, newSecret, secretDigest } from '../../kernel/issued-secret.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { StoreWriter } from '../../ports/store.ts'
import { edgeRecords } from './records.ts'

/** Adds a token and forgets those that have ended. */
export async function addToken(tx: StoreWriter, edge_id: number, at: Instant): Promise<Secret> {
  const secret = newSecret()
  await tx.of(edgeRecords).forgetEdgeTokens(at)
  await tx.of(edgeRecords).addEdgeToken({
    id: randomUUID(),
    edge_id,
    digest: secretDigest(secret),
    created_at: at,
    expires_at: null,
  })
  return secret
}

/** Ends those that go on, now or later. Answers how many. */
export async function endTokens(
  tx: StoreWriter,
  edge_id: number,
  { at, ends_at }: TokenEnd,
): Promise<number> {
  const going = (await tx.of(edgeRecords).edgeTokens(edge_id)).filter(
    (token) => !hasEnded(token, at) && (token.expires_at === null || token.expires_at > ends_at),
  )
  for (const { id } of going) await tx.of(edgeRecords).endEdgeToken(id, ends_at)
  return going.length
}

interface TokenEnd {
  readonly at: Instant
  readonly ends_at: Instant
}
