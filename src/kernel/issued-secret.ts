/** Secrets that are issued here: 256 bits, shown once, kept as a digest, with or without an end. */
import { randomBytes } from 'node:crypto'
import type { Instant } from './clock.ts'
import { sha256 } from './digest.ts'
import { Secret } from './secret.ts'

/** In the URL-safe alphabet (RFC 4648 §5): a router's templates escape and encode nothing of it. */
export const newSecret = (): Secret => new Secret(randomBytes(32).toString('base64url'))

/** 256 random bits as they are written here, or by `openssl rand -hex 32`: nobody finds one by trying. */
export const hasIssuedForm = (text: string): boolean => /^(?:[A-Za-z0-9_-]{43}|[0-9a-f]{64})$/.test(text)

export const secretDigest = (secret: Secret): string => sha256([secret.reveal()])

/** SHA-256 of no secret begins so: whoever looks for one has to try 2^128 of them. */
export const ENDED_MARK = '0'.repeat(32)

/**
 * What stands in the place of the digest of a secret that has ended for good. No secret has it, so nothing that happens to the
 * clock brings the ended one back. Half of the digest stays, which tells one from the other.
 */
export const endedDigest = (digest: string): string =>
  hasEndedForGood({ digest }) ? digest : `${ENDED_MARK}${digest.slice(0, 32)}`

interface Issued {
  readonly digest: string
  /** Null: it is valid without end. */
  readonly expires_at: Instant | null
}

export const hasEnded = (issued: Issued, now: Instant): boolean =>
  hasEndedForGood(issued) || isPast(issued, now)

/** Whatever the clock says. */
export const hasEndedForGood = ({ digest }: Pick<Issued, 'digest'>): boolean => digest.startsWith(ENDED_MARK)

/** By the clock alone: a clock that is set back would take it back. */
export const hasJustEnded = (issued: Issued, now: Instant): boolean =>
  isPast(issued, now) && !hasEndedForGood(issued)

/** That the time of its end has come, which says nothing of who is let in. */
export const isPast = ({ expires_at }: Pick<Issued, 'expires_at'>, now: Instant): boolean =>
  expires_at !== null && expires_at <= now
