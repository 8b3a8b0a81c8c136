/**
 * The one kind of error that is thrown on purpose, with a code from a closed list.
 *
 * `message` is for the caller: what was tried, with what, and what would help. `inside` is for the log and never
 * leaves the process. A new code does not compile until `http/problem.ts` says which HTTP status it has.
 */
export const FAILURE_CODES = [
  // the caller's doing
  'validation_failed',
  'malformed_request',
  'malformed_json',
  'unauthenticated',
  'wrong_key',
  'host_not_served',
  'cross_site_request',
  'network_not_trusted',
  'group_not_allowed',
  'read_only_key',
  'read_only_session',
  'session_not_proven',
  'not_signed_in',
  'sign_in_closed',
  'not_found',
  'method_not_allowed',
  'name_taken',
  'conflict',
  'record_disabled',
  'entrypoint_taken',
  'idempotency_key_reused',
  'revision_mismatch',
  'too_large',
  'headers_too_large',
  'request_timeout',
  'unsupported_media_type',
  'rate_limited',
  'token_not_for_name',
  'ddns_disabled',
  // the world's doing
  'refused_by_guard',
  'restored_from_backup',
  'storage_full',
  'storage_unwritable',
  'store_unavailable',
  'component_unavailable',
  'foreign_owner',
  'provider_credentials',
  'provider_refused',
  'provider_busy',
  'suspended',
  'shutting_down',
  'not_ready',
  // start-up
  'bad_configuration',
  'data_directory_in_use',
  'database_missing',
  'database_corrupt',
  'schema_too_new',
  // ours
  'internal',
] as const

export type FailureCode = (typeof FAILURE_CODES)[number]

/** One thing wrong with one input. `loc` is the path to it: ['body', 'backend_port']. */
export interface FieldError {
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
}

export interface FailureDetails {
  /** Only for the log. */
  readonly inside?: string
  readonly cause?: unknown
  readonly errors?: readonly FieldError[]
  readonly retry_after_ms?: number
  /** Further members of the problem body: the ids and figures that a caller needs to go on. */
  readonly facts?: Readonly<Record<string, unknown>>
}

export class Failure extends Error {
  readonly code: FailureCode
  readonly details: FailureDetails

  constructor(code: FailureCode, message: string, details: FailureDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'Failure'
    this.code = code
    this.details = details
  }
}

/** A failure that names fields; the first one also makes the message, so that logs and terminals read well. */
export const invalid = (errors: readonly FieldError[]): Failure =>
  new Failure('validation_failed', errors.map((e) => `${e.loc.join('.')}: ${e.msg}`).join('; '), { errors })

export const fieldError = (loc: readonly (string | number)[], msg: string, type: string): FieldError => ({
  loc,
  msg,
  type,
})

/** The `code` of a Node system error (`ENOSPC`, `EACCES` …), or null for anything else. */
export function systemErrorCode(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : null
}
