/**
 * Who reports an address: the holder of a site token, or of the API key.
 *
 * A site token is looked at whatever was tried before: it cannot be guessed, so a neighbour's failures lock no gateway out.
 * How often the API key, whose length is its owner's choice, may be tried is said by `http/access/wrong-keys.ts`.
 */
import { Failure } from '../../../kernel/failure.ts'
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import { hasEnded } from '../../../kernel/issued-secret.ts'
import type { Secret } from '../../../kernel/secret.ts'
import type { StoreReader } from '../../../ports/store.ts'
import { ddnsRecords, type DdnsToken } from '../records.ts'
import type { Ddns } from '../ddns.ts'

export interface Presented {
  readonly credential: Secret | null
  /** How trails call the holder of the API key that the access policy has recognised; null where it has none. */
  readonly api_key: string | null
  /** Under which network wrong keys of the effective client are counted, as the access policy has it. */
  readonly holder: string
}

export type Holder =
  | { readonly kind: 'api_key'; readonly name: string }
  | { readonly kind: 'token'; readonly token: DdnsToken }

/** Throws `rate_limited` or `wrong_key`. */
export function authenticate(
  { tokens, wrong_keys, clock }: Pick<Ddns, 'tokens' | 'wrong_keys' | 'clock'>,
  { credential, api_key, holder }: Presented,
): Holder {
  const token = credential === null ? null : tokens.proven(credential, clock.now())
  if (token !== null) return { kind: 'token', token }
  if (api_key !== null) {
    wrong_keys.right(holder)
    return { kind: 'api_key', name: api_key }
  }
  const wait_ms = wrong_keys.shut(holder) || wrong_keys.wrong(holder)
  if (wait_ms > 0) throw tooMany(wait_ms)
  throw wrongKey()
}

/** As the store has it now: a revocation may have overtaken the report. Throws `wrong_key`. */
export async function assertNotEnded(
  reader: StoreReader,
  { digest }: DdnsToken,
  now: Instant,
): Promise<void> {
  const token = await reader.of(ddnsRecords).ddnsTokenByDigest(digest)
  if (token === null || hasEnded(token, now)) throw wrongKey()
}

const wrongKey = (): Failure => new Failure('wrong_key', 'The key is wrong, or it has ended.')

const tooMany = (retry_after_ms: Milliseconds): Failure =>
  new Failure('rate_limited', 'Too many wrong keys from this client within a minute.', { retry_after_ms })

/** As the access policy calls it. */
const MAIN_HOLDER = 'key'

/** As people called the key; one without a name is called by its id. */
export const nameOf = (holder: Holder): string =>
  holder.kind === 'token' ? holder.token.label || actorOf(holder) : holder.name

/** The main key has no name of its own. */
export function actorOf(holder: Holder): string {
  if (holder.kind === 'token') return `token:${holder.token.id}`
  return holder.name === MAIN_HOLDER ? 'api-key' : holder.name
}
