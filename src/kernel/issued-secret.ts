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

/** Null: it is valid without end. */
export const hasEnded = ({ expires_at }: { readonly expires_at: Instant | null }, now: Instant): boolean =>
  expires_at !== null && expires_at <= now
