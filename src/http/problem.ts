/**
 * The one place where trouble becomes an HTTP answer: every failure code with its status and title, and the problem
 * details body (RFC 9457). A new code does not compile until it stands in the table.
 */
import { nameMeant } from '../kernel/text/nearest.ts'
import { Failure, type FailureCode, type FieldError } from '../kernel/failure.ts'

export interface ProblemKind {
  readonly status: number
  readonly title: string
}

const kind = (status: number, title: string): ProblemKind => ({ status, title })

export const PROBLEMS = {
  validation_failed: kind(422, 'The request does not fit its description'),
  malformed_request: kind(400, 'The request is malformed'),
  malformed_json: kind(422, 'The body is not acceptable JSON'),
  unauthenticated: kind(401, 'A credential is needed'),
  wrong_key: kind(401, 'The key is wrong'),
  host_not_served: kind(421, 'The host is not served here'),
  cross_site_request: kind(403, 'The request came from another site'),
  network_not_trusted: kind(403, 'The network is not trusted'),
  group_not_allowed: kind(403, 'The group may not do this'),
  read_only_key: kind(403, 'The key may only look'),
  read_only_session: kind(403, 'The sign-in may only look'),
  session_not_proven: kind(403, 'The session is not proven'),
  not_signed_in: kind(401, 'Nobody has signed in'),
  sign_in_closed: kind(403, 'This way of signing in is closed'),
  not_found: kind(404, 'Not found'),
  method_not_allowed: kind(405, 'The method is not allowed'),
  name_taken: kind(409, 'The name is taken'),
  conflict: kind(409, 'The request conflicts with the present state'),
  record_disabled: kind(409, 'The record is disabled for good'),
  entrypoint_taken: kind(409, 'The entrypoint is taken'),
  idempotency_key_reused: kind(422, 'The idempotency key belongs to another request'),
  revision_mismatch: kind(412, 'The record has changed since'),
  too_large: kind(413, 'The body is too large'),
  headers_too_large: kind(431, 'The headers are too large'),
  request_timeout: kind(408, 'The request took too long'),
  unsupported_media_type: kind(415, 'The media type is not supported'),
  rate_limited: kind(429, 'Too many requests'),
  token_not_for_name: kind(403, 'The token belongs to another name'),
  ddns_disabled: kind(409, 'The domain takes no reported addresses'),
  refused_by_guard: kind(409, 'A guard refused the change'),
  restored_from_backup: kind(409, 'The world is newer than the database'),
  storage_full: kind(507, 'The storage is full'),
  storage_unwritable: kind(503, 'The storage cannot be written'),
  store_unavailable: kind(503, 'The database is unavailable'),
  component_unavailable: kind(503, 'A component is unavailable'),
  foreign_owner: kind(409, 'It belongs to somebody else'),
  provider_credentials: kind(503, 'A provider refuses the credentials'),
  provider_refused: kind(502, 'A provider refused the change'),
  provider_busy: kind(503, 'A provider asks to wait'),
  suspended: kind(503, 'The component is suspended'),
  shutting_down: kind(503, 'The service is shutting down'),
  not_ready: kind(503, 'The service is not ready yet'),
  bad_configuration: kind(500, 'The configuration is wrong'),
  data_directory_in_use: kind(503, 'The data directory is in use'),
  database_missing: kind(503, 'The database is missing'),
  database_corrupt: kind(503, 'The database is corrupt'),
  schema_too_new: kind(503, 'The database belongs to a newer version'),
  internal: kind(500, 'Internal error'),
} as const satisfies Record<FailureCode, ProblemKind>

/** Members of a problem body. Facts of the failure stand beside them and never replace them. */
interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly code: FailureCode
  readonly request_id: string
  readonly errors?: readonly (FieldError & { readonly hint?: string })[]
  readonly [fact: string]: unknown
}

export interface Problem {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: ProblemBody
}

export const PROBLEM_TYPE = 'application/problem+json'
const CHALLENGE = 'ApiKey realm="plumbline"'
const SURPRISE = new Failure(
  'internal',
  'Something went wrong here. The log has the reason under this request id.',
)

/** What a form may offer to fill in, beside the sentence that names it. */
function withHint(error: FieldError): FieldError & { readonly hint?: string } {
  const hint = nameMeant(error.msg)
  return hint === null ? error : { ...error, hint }
}

/** The answer to anything thrown. What is no `Failure` shows nothing of itself: its text was not written for callers. */
export function problemOf(error: unknown, request_id: string): Problem {
  const { code, message, details } = error instanceof Failure ? error : SURPRISE
  const { status, title } = PROBLEMS[code]
  return {
    status,
    headers: {
      'content-type': PROBLEM_TYPE,
      ...(status === 401 ? { 'www-authenticate': CHALLENGE } : {}),
      ...retryAfter(details.retry_after_ms),
    },
    body: {
      ...details.facts,
      type: `urn:plumbline:problem:${code}`,
      title,
      status,
      detail: message,
      instance: instanceOf(request_id),
      code,
      request_id,
      ...(details.errors === undefined ? {} : { errors: details.errors.map(withHint) }),
    },
  }
}

/** Whole seconds, at least one (RFC 9110 §10.2.3). */
const retryAfter = (wait_ms: number | undefined): Record<string, string> =>
  wait_ms === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(wait_ms / 1000))) }

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const instanceOf = (request_id: string): string =>
  UUID.test(request_id) ? `urn:uuid:${request_id}` : `urn:plumbline:request:${request_id}`
