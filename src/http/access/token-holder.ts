/**
 * Who calls where tokens open one thing each: the holder of one of them, or of the API key.
 *
 * The digest is looked up, so neither a token's text nor how much of it is right can be told from the time that this
 * takes. How often the API key, whose length is its owner's choice, may be tried is said by `wrong-keys.ts`; a token
 * cannot be guessed.
 */
import type { Clock, Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { hasEnded, secretDigest } from '../../kernel/issued-secret.ts'
import type { Proving } from '../contract.ts'
import type { WrongKeys } from './wrong-keys.ts'

export type PresentedToken = Pick<Proving, 'credential' | 'class' | 'holder'>

export interface TokenDoor<Token> {
  readonly clock: Clock
  readonly wrong_keys: Pick<WrongKeys, 'right' | 'shut' | 'wrong'>
  readonly byDigest: (digest: string) => Promise<Token | null>
  /** Ends for good what has come to its end: seen once, it does not come back with a clock that is set back. */
  readonly end: (token: Token) => Promise<void>
}

/** The token, whatever it is for; null for the API key. Throws `wrong_key` or `rate_limited`. */
export async function tokenHolder<
  Token extends { readonly digest: string; readonly expires_at: Instant | null },
>(
  { credential, class: who, holder }: PresentedToken,
  { clock, wrong_keys, byDigest, end }: TokenDoor<Token>,
): Promise<Token | null> {
  const token = credential === null ? null : await byDigest(secretDigest(credential))
  if (token !== null) {
    if (!hasEnded(token, clock.now())) return token
    await end(token)
  }
  if (who === 'key') {
    wrong_keys.right(holder)
    return null
  }
  return turnAway(holder, wrong_keys)
}

/** Counts as a wrong key of its holder. */
function turnAway(holder: string, wrong_keys: TokenDoor<unknown>['wrong_keys']): never {
  const wait_ms = wrong_keys.shut(holder) || wrong_keys.wrong(holder)
  if (wait_ms > 0)
    throw new Failure('rate_limited', 'Too many wrong tokens from this client within a minute.', {
      retry_after_ms: wait_ms,
    })
  throw new Failure('wrong_key', 'The token is wrong, or it has ended.')
}
