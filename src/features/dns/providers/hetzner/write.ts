/** One write at Hetzner: the call, and the wait until its action has ended. */
import type { Clock } from '../../../../kernel/clock.ts'
import { Failure } from '../../../../kernel/failure.ts'
import { type JsonApi, unusable } from '../json-api.ts'
import { SERVER_FAILED } from '../port.ts'
import { codeOf, isCode, isServersFault, type Refusal, type WireAction, withAction, words } from './wire.ts'

const FIRST_WAIT_MS = 200
const MOST_WAIT_MS = 2000
/** About a minute and a half. */
const MOST_LOOKS = 50

export interface Writing {
  readonly api: JsonApi<Refusal>
  readonly clock: Clock
  readonly zone: string
  readonly signal: AbortSignal
}

export interface Write {
  readonly method: 'POST' | 'DELETE'
  readonly path: string
  readonly json?: unknown
  /** The middle of a message: `create A app.example.org`. */
  readonly what: string
}

/** `absent` and `present`: refused because of what stands there. Throws a Failure for every other trouble. */
export async function write(writing: Writing, call: Write): Promise<'done' | 'absent' | 'present'> {
  const { api, signal } = writing
  const answer = await api.try({ ...call, answer: withAction, signal })
  if (answer.ok) {
    await ended(writing, call, answer.body.action)
    return 'done'
  }
  if (isCode(answer.refusal, 'not_found')) return 'absent'
  if (isCode(answer.refusal, 'uniqueness_error')) return 'present'
  throw answer.failure
}

async function ended({ api, clock, signal }: Writing, { what }: Write, begun: WireAction): Promise<void> {
  let now = begun
  for (let look = 0; now.status === 'running'; look++) {
    if (look === MOST_LOOKS) throw unusable(api.provider, what, 'it was taken on and has not ended yet')
    await clock.sleep(Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 2 ** look), signal)
    const path = `/actions/${begun.id}`
    const { body } = await api.ask({ method: 'GET', path, answer: withAction, what, signal })
    if (body.action.id !== begun.id) throw unusable(api.provider, what, 'the answer is about another action')
    now = body.action
  }
  if (now.status === 'success') return
  const refusal = { error: now.error ?? { code: 'unknown', message: 'the action failed without a reason' } }
  throw new Failure(
    codeOf(refusal) ?? 'provider_refused',
    `${api.provider}: could not ${what}: ${words(refusal)}.`,
    isServersFault(refusal) ? { facts: SERVER_FAILED } : {},
  )
}
