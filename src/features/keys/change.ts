/** Issuing, rotating and revoking API keys: audited, with a dry run. The keys themselves stand in files, not in the database. */
import { OF_NO_RECORD } from '../../core/audit/facts.ts'
import type { CoreParts } from '../../core/parts.ts'
import { isoTime } from '../../kernel/clock.ts'
import { Failure, fieldError, invalid } from '../../kernel/failure.ts'
import { hasEnded, newSecret } from '../../kernel/issued-secret.ts'
import type { ApiKey } from './files/port.ts'
import { type PlannedAnswer, planned } from '../../core/answers.ts'
import { commit } from '../../core/commit/commit.ts'
import { ONLY_SAVES } from '../../core/commit/change.ts'
import type { Caller } from '../../core/caller.ts'
import type { Deps } from './deps.ts'
import { GRACE_MS } from '../../kernel/quarterly.ts'
import { MAIN } from './key-ids.ts'
import { endKey, keyOf } from './key-ring.ts'
import { keyView, rotatedElsewhere } from './key-view.ts'
import type { KeyView, KeyMadeAnswer, KeyAnswer } from './views.ts'

export const KEY_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Throws `validation_failed` or `name_taken`. */
export async function issueKey(
  deps: Deps,
  { name, access = 'everything' }: { readonly name: string; readonly access?: KeyView['access'] | undefined },
  caller: Caller,
): Promise<KeyMadeAnswer | PlannedAnswer> {
  if (!KEY_NAME.test(name))
    throw invalid([
      fieldError(
        ['body', 'name'],
        'must be 1 to 63 lower-case letters, digits and inner hyphens',
        'key_name',
      ),
    ])
  const { ring, clock } = deps.keys
  return ring.change<KeyMadeAnswer | PlannedAnswer>(async (keys) => {
    if (name === MAIN || keys.some((key) => key.name === name && !hasEnded(key, clock.now())))
      throw new Failure(
        'name_taken',
        `There is a key ${name} already. Rotate it, or name the new one otherwise.`,
      )
    const audited = await audit(deps, caller, { action: 'issue_key', name, id: null, access })
    if (audited !== null) return { answer: audited }
    const { secret, key } = newKey(name, clock.now(), access === 'read' ? { access } : {})
    const message = `The key ${name} was issued. ${MAY[access]}`
    const answer = { ...shown(deps, key, message), key: secret.reveal() }
    return { answer, keys: [...keys, key] }
  })
}

/** Issues the successor; the old key goes on for 24 hours. Throws `not_found` or `conflict`. */
export async function rotateKey(
  deps: Deps,
  id: string,
  caller: Caller,
): Promise<KeyMadeAnswer | PlannedAnswer> {
  const { ring, clock } = deps.keys
  return ring.change<KeyMadeAnswer | PlannedAnswer>(async (keys) => {
    const old = findKey(keys, id)
    const { name } = old
    assertRotatable(deps, old)
    const audited = await audit(deps, caller, { action: 'rotate_key', name, id })
    if (audited !== null) return { answer: audited }
    const now = clock.now()
    const { secret, key } = newKey(
      name,
      now,
      name === MAIN || old.access === undefined ? {} : { access: old.access },
    )
    const ends_at = now + GRACE_MS
    const where = name === MAIN ? ` It stands in ${ring.main_file?.path}.` : ''
    const message = `A new key ${name} was issued; the old one (${id}) ends at ${isoTime(ends_at)}.${where}`
    const answer = { ...shown(deps, key, message), key: secret.reveal() }
    if (name === MAIN) return { answer, main: secret, keys: [...keys, key] }
    return {
      answer,
      keys: [...keys.map((one) => (one === old ? { ...one, expires_at: ends_at } : one)), key],
    }
  })
}

/** Throws `conflict`. */
function assertRotatable({ keys: { ring } }: Pick<Deps, 'keys'>, { name, expires_at }: ApiKey): void {
  if (expires_at !== null)
    throw new Failure(
      'conflict',
      `This key has an end already, ${isoTime(expires_at)}. Rotate its successor.`,
    )
  const elsewhere = name === MAIN ? rotatedElsewhere(ring) : null
  if (elsewhere !== null) throw new Failure('conflict', `${elsewhere} The old one goes on for 24 hours then.`)
}

/** Ends a key at once, and for good. A repeat finds it ended. Throws `not_found`, or `conflict` for the main key in use. */
export async function revokeKey(deps: Deps, id: string, caller: Caller): Promise<KeyAnswer | PlannedAnswer> {
  const { ring, clock } = deps.keys
  return ring.change<KeyAnswer | PlannedAnswer>(async (keys) => {
    const key = findKey(keys, id)
    if (key.name === MAIN && key.expires_at === null)
      throw new Failure(
        'conflict',
        'This is the main key. Rotate it first; then the old one can be ended at once.',
      )
    const message = `The key ${key.name} has ended.`
    if (hasEnded(key, clock.now())) return { answer: shown(deps, key, message) }
    const audited = await audit(deps, caller, { action: 'revoke_key', name: key.name, id })
    if (audited !== null) return { answer: audited }
    const ended = endKey(key, clock.now())
    return { answer: shown(deps, ended, message), keys: keys.map((one) => (one === key ? ended : one)) }
  })
}

function findKey(keys: readonly ApiKey[], id: string): ApiKey {
  const key = keys.find((one) => one.id === id)
  if (key === undefined)
    throw new Failure('not_found', 'There is no key with this id. The list of keys has the ids.')
  return key
}

const MAY: Readonly<Record<KeyView['access'], string>> = {
  everything: 'It may do everything.',
  read: 'It may look at everything and change nothing.',
}

function newKey(name: string, at: number, may: Pick<ApiKey, 'access'>) {
  const secret = newSecret()
  return { secret, key: { ...keyOf(secret, name, at), ...may } }
}

const shown = ({ keys }: Pick<Deps, 'keys'>, key: ApiKey, message: string): KeyAnswer => ({
  success: true,
  message,
  key_info: keyView(keys, key),
})

interface KeyAction {
  readonly action: string
  readonly name: string
  readonly id: string | null
  readonly access?: KeyView['access']
}

/** On record before it is done: a key that nobody wrote down is worse than an entry without one. The plan of a dry run. */
async function audit(
  deps: CoreParts,
  caller: Caller,
  { action, name, id, access }: KeyAction,
): Promise<PlannedAnswer | null> {
  const committed = await commit(deps, caller, async () => ({
    result: null,
    audit: [
      {
        ...OF_NO_RECORD,
        action,
        detail: { name, ...(id !== null && { key_id: id }), ...(access === 'read' && { access }) },
      },
    ],
    ...ONLY_SAVES,
    does: { action, name, id, access: access ?? null },
    warnings: [],
    goes_on: 'waiting',
  }))
  return committed.planned ? planned(committed.plan) : null
}
