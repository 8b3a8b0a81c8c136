/** A key or a code becomes a sign-in that lasts; whoever guesses has to wait. */
import { RateLimit } from '../../../kernel/async/rate-limit.ts'
import { type Clock, type Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import { hasIssuedForm } from '../../../kernel/issued-secret.ts'
import { requestOf } from '../../../model/actor.ts'
import { clientNetwork } from '../../../model/network/client-network.ts'
import { OF_NO_RECORD } from '../../../core/audit/facts.ts'
import type { TriedKeys } from '../../../core/core.ts'
import type { Store } from '../../../ports/store.ts'
import type { Call } from '../../../http/contract.ts'
import type { BegunSession, RestingKey, SessionRegistry } from './registry.ts'
import type { SignInCodes } from './codes.ts'

const MINUTE_MS: Milliseconds = 60_000
const MAX_WRONG_A_MINUTE = 5
const MAX_OF_A_READER_AN_HOUR = 60
const MAX_AGENT = 200
const THIS_HOST: ReadonlySet<string> = new Set(['127.0.0.1', '::1'].map(clientNetwork))

export interface SignIns {
  readonly store: Store
  readonly clock: Clock
  readonly registry: SessionRegistry
  readonly codes: SignInCodes
  /** The limit that all keys share. */
  readonly wrong_keys: TriedKeys
  /** That of this page: a person mistypes less often than a program tries. */
  readonly wrong_here: RateLimit
  /** Sign-ins with keys that may only look. */
  readonly by_readers: RateLimit
  /** Null for a wrong one. */
  readonly proveKey: (text: string) => { readonly id: string } | null
  /** Null where there is no such key, where it has ended, and where its successor has been issued. */
  readonly lasting: (key_id: string) => RestingKey | null
}

export const byReaders = (): RateLimit =>
  new RateLimit({ most: MAX_OF_A_READER_AN_HOUR, span_ms: 60 * MINUTE_MS })

export const wrongHere = (): RateLimit => new RateLimit({ most: MAX_WRONG_A_MINUTE, span_ms: MINUTE_MS })

type Asking = Pick<Call, 'actor' | 'client' | 'header' | 'holder'>

/** Throws `wrong_key` or `rate_limited`. */
export async function signIn(
  signs: SignIns,
  shown: { readonly key?: string | undefined; readonly code?: string | undefined },
  { actor, client, header, holder }: Asking,
): Promise<BegunSession> {
  const way = shown.key === undefined ? 'link' : 'key'
  // Nobody guesses a code, nor a key as it is issued: the wrong ones of others, such as a foreign page, keep out no right code, and
  // on this host itself no right key.
  const is_looked_at = way === 'link' || (THIS_HOST.has(holder) && hasIssuedForm(shown.key ?? ''))
  if (!is_looked_at) assertNotShut(signs, way, holder)
  const key_id =
    shown.key === undefined
      ? signs.codes.take(shown.code ?? '', client)
      : (signs.proveKey(shown.key)?.id ?? null)
  const key = key_id === null ? null : signs.lasting(key_id)
  if (key === null) {
    assertNotShut(signs, way, holder)
    return refuse(signs, { way, key_is_known: key_id !== null }, { actor, client, holder })
  }
  assertFewOf(signs, key)
  if (way === 'key') signs.wrong_keys.right(holder)
  const agent = header('user-agent')?.slice(0, MAX_AGENT) ?? null
  return signs.registry.begin({ key, way, client, agent }, requestOf(actor))
}

/** Each is a row of the trail for good: whoever may only look does not fill it. */
function assertFewOf({ by_readers, clock }: SignIns, { id, access }: RestingKey): void {
  if (access !== 'read') return
  const wait_ms = by_readers.wait(id, clock.elapsed())
  if (wait_ms > 0)
    throw new Failure(
      'rate_limited',
      'Too many sign-ins with this key, which may only look, within an hour.',
      {
        retry_after_ms: wait_ms,
      },
    )
  by_readers.count(id, clock.elapsed())
}

type Way = 'key' | 'link'

/** Keys and links are counted apart. */
const bucketOf = (way: Way, holder: string): string => `${way} ${holder}`

function assertNotShut({ wrong_here, wrong_keys, clock }: SignIns, way: Way, holder: string): void {
  const here_ms = wrong_here.wait(bucketOf(way, holder), clock.elapsed())
  const wait_ms = Math.max(here_ms, way === 'key' ? wrong_keys.shut(holder) : 0)
  if (wait_ms > 0)
    throw new Failure('rate_limited', 'Too many wrong keys or codes from this network within a minute.', {
      retry_after_ms: wait_ms,
    })
}

/** On record before it is answered. */
async function refuse(
  { store, clock, wrong_here, wrong_keys }: SignIns,
  { way, key_is_known }: { readonly way: Way; readonly key_is_known: boolean },
  { actor, client, holder }: Omit<Asking, 'header'>,
): Promise<never> {
  wrong_here.count(bucketOf(way, holder), clock.elapsed())
  if (!key_is_known && way === 'key') wrong_keys.wrong(holder)
  const why = key_is_known ? 'key_ended' : way === 'key' ? 'wrong_key' : 'wrong_code'
  await store.write((tx) =>
    tx.audit({
      ...OF_NO_RECORD,
      action: 'refuse_sign_in',
      at: clock.now(),
      actor: actor.name,
      ...requestOf(actor),
      plan_hash: null,
      detail: { way, why, client },
    }),
  )
  throw new Failure('wrong_key', WORDS[why])
}

const WORDS = {
  key_ended: 'This key has a successor, or has ended. Sign in with the one that is in use.',
  wrong_key: 'The key is wrong.',
  wrong_code:
    'This link is not valid here: it works once, within a minute, and on the host that asked for it.',
} as const
