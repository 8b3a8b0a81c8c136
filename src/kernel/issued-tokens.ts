/** Tokens that are issued for one thing and open nothing else: shown once, kept as a digest, and ended now or later. */
import { randomUUID } from 'node:crypto'
import { type Instant, isoTime } from './clock.ts'
import { hasEnded, newSecret, secretDigest } from './issued-secret.ts'
import { GRACE_MS } from './quarterly.ts'
import type { Secret } from './secret.ts'

export interface IssuedToken {
  readonly id: string
  readonly digest: string
  readonly created_at: Instant
  /** Null: it goes on until somebody ends it. */
  readonly expires_at: Instant | null
}

/** The rows of those of one thing. */
export interface TokenRows {
  all(): Promise<readonly Pick<IssuedToken, 'id' | 'expires_at'>[]>
  add(token: IssuedToken): Promise<void>
  end(id: string, ends_at: Instant): Promise<void>
  /** Of everything, those that have ended. */
  forgetEnded(at: Instant): Promise<void>
}

/** Adds a token and forgets those that have ended. */
export async function issueToken(rows: TokenRows, at: Instant): Promise<Secret> {
  const secret = newSecret()
  await rows.forgetEnded(at)
  await rows.add({ id: randomUUID(), digest: secretDigest(secret), created_at: at, expires_at: null })
  return secret
}

/** Issues the successor of those that go on, which end after the time of grace. */
export async function rotateTokens(
  rows: TokenRows,
  at: Instant,
): Promise<{
  readonly token: Secret
  /** When the old one ends, as the end of a sentence; empty where none goes on. */
  readonly rest: string
}> {
  const ends_at = at + GRACE_MS
  const ended = await endTokens(rows, { at, ends_at })
  const rest = ended === 0 ? '' : `; the old one ends at ${isoTime(ends_at)}`
  return { token: await issueToken(rows, at), rest }
}

/** Ends all at once. Answers how many. */
export const revokeTokens = (rows: TokenRows, at: Instant): Promise<number> =>
  endTokens(rows, { at, ends_at: at })

async function endTokens(
  rows: TokenRows,
  { at, ends_at }: { readonly at: Instant; readonly ends_at: Instant },
): Promise<number> {
  const going = (await rows.all()).filter(
    (token) => !hasEnded(token, at) && (token.expires_at === null || token.expires_at > ends_at),
  )
  for (const { id } of going) await rows.end(id, ends_at)
  return going.length
}
