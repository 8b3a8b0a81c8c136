/** Tokens that are issued for one thing and open nothing else: shown once, kept as a digest, and ended now or later. */
import { randomUUID } from 'node:crypto'
import { type Instant, isoTime } from './clock.ts'
import { hasEnded, hasEndedForGood, newSecret, secretDigest } from './issued-secret.ts'
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
  all(): Promise<readonly Pick<IssuedToken, 'id' | 'digest' | 'expires_at'>[]>
  add(token: IssuedToken): Promise<void>
  /** It goes on until then. */
  limit(id: string, ends_at: Instant): Promise<void>
  /** For good: no later time of the clock brings it back. */
  end(id: string, ended_at: Instant): Promise<void>
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
  const going = (await goingOn(rows, at)).filter(
    ({ expires_at }) => expires_at === null || expires_at > ends_at,
  )
  for (const { id } of going) await rows.limit(id, ends_at)
  const rest = going.length === 0 ? '' : `; the old one ends at ${isoTime(ends_at)}`
  return { token: await issueToken(rows, at), rest }
}

/** Ends all at once, and for good. Answers how many went on until now. */
export async function revokeTokens(rows: TokenRows, at: Instant): Promise<number> {
  const going = await goingOn(rows, at)
  for (const token of await rows.all())
    if (!hasEndedForGood(token)) await rows.end(token.id, Math.min(at, token.expires_at ?? at))
  return going.length
}

const goingOn = async (rows: TokenRows, at: Instant) =>
  (await rows.all()).filter((token) => !hasEnded(token, at))
