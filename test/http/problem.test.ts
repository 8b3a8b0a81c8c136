/** Every failure code as an HTTP answer. */
import { describe, expect, test } from 'vitest'
import { Failure, FAILURE_CODES, type FailureCode, fieldError, invalid } from '../../src/kernel/failure.ts'
import { PROBLEM_TYPE, problemOf, PROBLEMS } from '../../src/http/problem.ts'

const ID = '0b7e3a52-5a0e-4d0f-9a51-000000000001'

const STATUSES: Record<FailureCode, number> = {
  validation_failed: 422,
  malformed_request: 400,
  malformed_json: 422,
  unauthenticated: 401,
  wrong_key: 401,
  host_not_served: 421,
  cross_site_request: 403,
  network_not_trusted: 403,
  group_not_allowed: 403,
  read_only_key: 403,
  read_only_session: 403,
  session_not_proven: 403,
  not_signed_in: 401,
  sign_in_closed: 403,
  not_found: 404,
  method_not_allowed: 405,
  name_taken: 409,
  conflict: 409,
  record_disabled: 409,
  entrypoint_taken: 409,
  idempotency_key_reused: 422,
  revision_mismatch: 412,
  too_large: 413,
  headers_too_large: 431,
  request_timeout: 408,
  unsupported_media_type: 415,
  rate_limited: 429,
  refused_by_guard: 409,
  restored_from_backup: 409,
  storage_full: 507,
  storage_unwritable: 503,
  store_unavailable: 503,
  component_unavailable: 503,
  suspended: 503,
  shutting_down: 503,
  not_ready: 503,
  bad_configuration: 500,
  data_directory_in_use: 503,
  database_missing: 503,
  database_corrupt: 503,
  schema_too_new: 503,
  internal: 500,
  token_not_for_name: 403,
  ddns_disabled: 409,
  foreign_owner: 409,
  provider_credentials: 503,
  provider_refused: 502,
  provider_busy: 503,
}

describe('every code of the closed list', () => {
  test.each(FAILURE_CODES)('%s has a status, a title and a stable type', (code) => {
    const { status, headers, body } = problemOf(new Failure(code, 'What was tried.'), ID)
    expect(status).toBe(STATUSES[code])
    expect(body).toEqual({
      type: `urn:plumbline:problem:${code}`,
      title: PROBLEMS[code].title,
      status,
      detail: 'What was tried.',
      instance: `urn:uuid:${ID}`,
      code,
      request_id: ID,
    })
    expect(headers['content-type']).toBe(PROBLEM_TYPE)
    expect(headers['www-authenticate']).toBe(status === 401 ? 'ApiKey realm="plumbline"' : undefined)
  })
})

describe('what a failure carries', () => {
  test('facts stand beside the members of the problem and never replace them', () => {
    const facts = { status: 200, code: 'fine', request_id: 'x', plan_hash: 'abc' }
    const { body } = problemOf(new Failure('refused_by_guard', 'Too many deletes.', { facts }), ID)
    expect(body).toMatchObject({ status: 409, code: 'refused_by_guard', request_id: ID, plan_hash: 'abc' })
  })

  test('field errors are listed', () => {
    const errors = [fieldError(['body', 'backend_port'], 'must be a whole number', 'int_type')]
    expect(problemOf(invalid(errors), ID).body.errors).toEqual(errors)
  })

  test.each([
    [1, '1'],
    [1000, '1'],
    [1001, '2'],
    [90_000, '90'],
  ])('a wait of %i ms is a Retry-After of %s s', (retry_after_ms, seconds) => {
    const { headers } = problemOf(new Failure('rate_limited', 'Slow down.', { retry_after_ms }), ID)
    expect(headers['retry-after']).toBe(seconds)
  })

  test('what is for the log stays inside', () => {
    const failure = new Failure('component_unavailable', 'The proxy is away.', {
      inside: 'canary-inside',
      cause: new Error('canary-cause'),
    })
    expect(JSON.stringify(problemOf(failure, ID))).not.toContain('canary')
  })
})

describe('surprises', () => {
  test.each([new Error('canary'), new TypeError('canary'), 'canary', { canary: 1 }, null, undefined])(
    'a thrown %o is 500 and shows nothing of itself',
    (thrown) => {
      const problem = problemOf(thrown, 'req-1')
      expect(problem.status).toBe(500)
      expect(problem.body).toMatchObject({ code: 'internal', instance: 'urn:plumbline:request:req-1' })
      expect(JSON.stringify(problem)).not.toContain('canary')
    },
  )
})
