/** A call that went on after its caller was answered, as callers see it. */
import { isoTime } from '../../kernel/clock.ts'
import type { StoredOperation } from '../../ports/trails.ts'

export const OPERATION_STATES = ['running', 'succeeded', 'failed', 'interrupted'] as const

export interface OperationView {
  readonly id: string
  readonly state: StoredOperation['state']
  readonly method: string
  readonly path: string
  readonly actor: string
  readonly request_id: string
  /** RFC 3339. */
  readonly created_at: string
  readonly ended_at: string | null
  /** The answer that the call would have given; null until there is one. */
  readonly answer: { readonly status: number; readonly body: unknown } | null
  /** What to look at when nobody knows how far the call came. */
  readonly hint: string | null
}

const HINT =
  'The daemon stopped before the call had ended. Whatever it released stands and is brought into the world by itself: ' +
  'GET /api/audit shows by the request id whether it did, GET /api/domains/drift what is still missing. ' +
  'If it did not, repeat the call.'

export function operationView(stored: StoredOperation): OperationView {
  const { id, state, method, path, actor, request_id, created_at, ended_at, status, body } = stored
  return {
    id,
    state,
    method,
    path,
    actor,
    request_id,
    created_at: isoTime(created_at),
    ended_at: ended_at === null ? null : isoTime(ended_at),
    answer: status === null ? null : { status, body: bodyOf(body ?? '') },
    hint: state === 'interrupted' ? HINT : null,
  }
}

/** JSON where it is JSON; the text itself otherwise. */
function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
