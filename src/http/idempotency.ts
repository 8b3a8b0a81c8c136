/**
 * Idempotency-Key on unsafe methods: a caller who did not see the answer asks again and gets it, instead of a second
 * change.
 *
 * | what is remembered under the key       | answer                                              |
 * |----------------------------------------|-----------------------------------------------------|
 * | nothing                                | the call runs and its answer is remembered          |
 * | an answer, to the same request         | that answer, with `Idempotent-Replayed: true`       |
 * | one that was too large to be kept      | 409: it is done, and is not done again              |
 * | anything, for another request          | 422 idempotency_key_reused                          |
 * | no answer yet                          | 409: still running, or it died before it answered   |
 *
 * Only answers below 400 are remembered: a refused or failed call may be tried again under its key. A call that died
 * half-way stays reserved, since nobody knows what it did. A dry run does nothing, so it is never remembered. On a full
 * disk, where nothing can be reserved, the call runs all the same: what it closes is closed.
 *
 * What is remembered is answered before the handler is asked. So it is honoured only where the access policy has proven the
 * caller: on the levels `token` and `ddns` the handler does, and a stranger with any token would be given the answer; on
 * `public` nobody does, and strangers would push out the answers that callers wait for. What only reads may be done again, and
 * whoever may only look would push them out by it.
 */
import { fieldError, Failure, invalid } from '../kernel/failure.ts'
import { digestOf, sha256 } from '../kernel/digest.ts'
import type { Caller } from './access/caller.ts'
import type { Endpoint } from './contract.ts'
import type { Plain } from './plain.ts'
import { headerValues, isSafe, type RequestFacts } from './access/request-facts.ts'

/** The store's memory of answers, with its transactions inside. */
export interface AnswerMemory {
  find(key: string): Promise<RememberedAnswer | null>
  /**
   * False when the key is taken already. Of one holder only so many answers are kept, and of all of them; of all bodies only so
   * many bytes, and the oldest become empty.
   * @param holder with which the keys of the same caller begin, and no other
   */
  reserve(key: string, request_digest: string, holder: string): Promise<boolean>
  save(key: string, answer: { status: number; body: string }): Promise<void>
  drop(key: string): Promise<void>
}

export interface RememberedAnswer {
  readonly request_digest: string
  /** Its body is empty where it is not kept. */
  readonly answer: { readonly status: number; readonly body: string } | null
}

/** That of a change to hundreds of records has some tens of thousands. */
const MAX_KEPT_BYTES = 256 * 1024
const NOT_KEPT = ''

const KEY = /^[\x21-\x7e]{1,255}$/

const UNPROVEN: ReadonlySet<Endpoint['level']> = new Set(['public', 'token', 'ddns'])

/** Whether calls of an endpoint may carry one. */
export const honoursKey = ({
  method,
  level,
  secret_reply,
  reads,
}: Pick<Endpoint, 'method' | 'level' | 'secret_reply' | 'reads'>): boolean =>
  !isSafe(method) && !UNPROVEN.has(level) && secret_reply !== true && reads !== true

/** The key of a request, null where there is none or the method is safe. Throws `validation_failed`. */
export function idempotencyKey(request: RequestFacts): string | null {
  const values = headerValues(request, 'idempotency-key')
  if (values.length === 0 || isSafe(request.method)) return null
  if (values.length === 1 && KEY.test(values[0]!)) return values[0]!
  const msg = 'must be given once, as 1 to 255 printable ASCII characters without blanks'
  throw invalid([fieldError(['header', 'Idempotency-Key'], msg, 'idempotency_key')])
}

interface KeyedRequest {
  readonly request: RequestFacts
  readonly caller: Caller
  readonly body: Uint8Array
}

/**
 * Callers of different classes, with different keys, different people behind SSO and different hosts never meet in one key.
 * Each part has its length in front: no text of one caller reads as the parts of another.
 */
const framed = (...parts: readonly string[]): string =>
  parts.map((part) => `${part.length}:${part},`).join('')

/** From wherever it calls: one caller may have any number of addresses. */
const holderOf = ({ caller }: KeyedRequest): string => framed(caller.class, caller.actor)

/** A precondition is part of the request: under another one, the first answer would pass for a check that nobody made. */
const requestDigest = ({ request, caller, body }: KeyedRequest): string =>
  digestOf([
    request.method,
    request.target,
    caller.class,
    sha256([body]),
    ...headerValues(request, 'if-match'),
  ])

export interface Once {
  readonly memory: AnswerMemory
  readonly key: string
  readonly keyed: KeyedRequest
  /** Told when an answer could not be remembered: the call is done and its answer is given all the same. */
  readonly unsaved: (error: unknown) => void
}

/** Runs the call unless its answer is remembered. */
export async function once(first: Once, run: () => Promise<Plain>): Promise<Plain> {
  const { memory } = first
  const holder = holderOf(first.keyed)
  const name = holder + framed(first.keyed.caller.client, first.key)
  const digest = requestDigest(first.keyed)
  const known = await begun({ ...first, name, digest, holder })
  if (known === 'no room') return unreserved({ ...first, name, digest, holder }, run)
  if (known !== 'reserved') return replay(known, digest)
  let plain: Plain
  try {
    plain = await run()
  } catch (error) {
    await memory.drop(name).catch(first.unsaved)
    throw error
  }
  await remember(memory, name, plain).catch(first.unsaved)
  return plain
}

interface Named extends Once {
  readonly name: string
  readonly digest: string
  readonly holder: string
}

/** What is remembered, or `reserved` where nothing was; `no room` where a full disk lets nothing be reserved. */
async function begun({
  memory,
  name,
  digest,
  holder,
  unsaved,
}: Named): Promise<RememberedAnswer | null | 'reserved' | 'no room'> {
  try {
    const known = await memory.find(name)
    if (known !== null) return known
    return (await memory.reserve(name, digest, holder)) ? 'reserved' : await memory.find(name)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'storage_full') throw error
    unsaved(error)
    return 'no room'
  }
}

/**
 * What closes or removes must not wait for room, and is alike when it is done again; what else is to be saved is refused by
 * the full disk itself. Where there is room by the end, the answer is remembered after all.
 */
async function unreserved(
  { memory, name, digest, holder, unsaved }: Named,
  run: () => Promise<Plain>,
): Promise<Plain> {
  const plain = await run()
  const keep = async () => {
    if (plain.status < 400 && (await memory.reserve(name, digest, holder)))
      await remember(memory, name, plain)
  }
  await keep().catch(unsaved)
  return plain
}

function replay(known: RememberedAnswer | null, digest: string): Plain {
  if (known !== null && known.request_digest !== digest)
    throw new Failure(
      'idempotency_key_reused',
      'The Idempotency-Key was used for another request. Use a new key for each request.',
    )
  if (known === null || known.answer === null)
    throw new Failure(
      'conflict',
      'The first request with this Idempotency-Key is still running, or ended before it answered. ' +
        'Look at the present state before you try again under a new key.',
    )
  if (known.answer.body === NOT_KEPT)
    throw new Failure(
      'conflict',
      `The first request with this Idempotency-Key is done, and was answered with status ${known.answer.status}. Its answer was ` +
        'too large to be kept, and it is not done again. Look at the present state.',
    )
  const { headers, body } = JSON.parse(known.answer.body) as Omit<Plain, 'status'>
  return { status: known.answer.status, headers: { ...headers, 'idempotent-replayed': 'true' }, body }
}

async function remember(memory: AnswerMemory, name: string, plain: Plain): Promise<void> {
  const { status, headers } = plain
  const body = typeof plain.body === 'string' ? plain.body : Buffer.from(plain.body).toString()
  if (status >= 400) return memory.drop(name)
  const kept = JSON.stringify({ headers, body })
  await memory.save(name, { status, body: Buffer.byteLength(kept) > MAX_KEPT_BYTES ? NOT_KEPT : kept })
}
