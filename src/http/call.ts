/** What a handler gets to see of a request that has passed. */
import type { OperationProgress } from '../core/background/progress.ts'
import type { Subjects } from '../core/subjects.ts'
import type { Standing } from './access/access.ts'
import type { Caller } from './access/caller.ts'
import type { Call } from './contract.ts'
import type { Inputs } from './body/inputs.ts'
import { headerValue, isSafe, type RequestFacts } from './access/request-facts.ts'
import { PROXY_SECRET_HEADER, SESSION_SECRET_HEADER } from './access/trust-headers.ts'

interface Source {
  readonly facts: RequestFacts
  readonly signal: () => AbortSignal
  readonly request_id: string
  readonly caller_request_id: string | null
  readonly progress?: OperationProgress
  readonly subjects: Subjects
}

export const callOf = (source: Source, caller: Caller & Partial<Standing>, inputs: Inputs): Call => ({
  params: inputs.params,
  query: inputs.query,
  body: inputs.body,
  header: (name) => (isHidden(name.toLowerCase()) ? null : headerValue(source.facts, name.toLowerCase())),
  actor: {
    name: caller.actor,
    request_id: source.request_id,
    ...(source.caller_request_id === null ? {} : { caller_request_id: source.caller_request_id }),
  },
  class: caller.class,
  key_id: caller.key_id ?? null,
  client: caller.client,
  holder: caller.holder,
  client_is_vouched: caller.client_is_vouched,
  groups: caller.groups,
  may: caller.may ?? null,
  session: caller.session ?? null,
  is_near: caller.is_near,
  is_secure: caller.secure === true,
  credential: caller.credential ?? null,
  get signal() {
    const signal = source.signal()
    // What is read ends with the sign-in or the key, such as a stream of events. A change that was let in runs to its end.
    const ended = isSafe(source.facts.method) ? (caller.session?.ended ?? caller.keyEnded?.()) : null
    return ended ? AbortSignal.any([signal, ended]) : signal
  },
  progress: source.progress,
  subjects: source.subjects,
  request_id: source.request_id,
})

/** Judged already by the policy; a handler that read them would judge a second time, and differently. */
const isHidden = (name: string): boolean => HIDDEN.includes(name) || name.startsWith('remote-')
const HIDDEN = ['x-api-key', PROXY_SECRET_HEADER, SESSION_SECRET_HEADER, 'authorization', 'cookie']
