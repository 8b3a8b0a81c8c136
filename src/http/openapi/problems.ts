/** How problem answers are described: once each, as components; which an endpoint has follows from its contract. */
import { z } from 'zod'
import type { ZodOpenApiResponsesObject } from 'zod-openapi'
import type { FailureCode } from '../../kernel/failure.ts'
import type { Endpoint, ProblemLine } from '../contract.ts'
import { honoursKey } from '../idempotency.ts'
import type { Level } from '../access/level.ts'
import { PROBLEM_TYPE, PROBLEMS } from '../problem.ts'
import { isSafe } from '../access/request-facts.ts'

export const Problem = z
  .looseObject({
    type: z.string().describe('urn:plumbline:problem: and the code'),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What was refused and what would help'),
    instance: z.string().describe('This one answer'),
    code: z.enum(Object.keys(PROBLEMS) as [FailureCode, ...FailureCode[]]).describe('Stable; decide by it'),
    request_id: z.string().describe('The X-Request-Id of the answer; the log has it too'),
    setting: z
      .string()
      .optional()
      .describe('The setting that would set up what is not; left out where that is not the reason'),
    errors: z
      .array(
        z.object({
          loc: z.array(z.union([z.string(), z.int()])).describe('Where: ["body", "backend_port"]'),
          msg: z.string().describe('Ends a sentence that begins with the name of the field'),
          type: z.string(),
          hint: z
            .string()
            .optional()
            .describe(
              'The nearest good value or name, as msg says it, to be filled in; left out where none is near',
            ),
        }),
      )
      .optional()
      .describe('Everything that is wrong with the inputs'),
  })
  .meta({ id: 'Problem', description: 'Problem details (RFC 9457)' })

const responseName = (status: number) => `Problem${status}`

/** Per status one response, which lists every code that has it. */
export function problemResponses(used: ReadonlySet<number>) {
  const kinds = Object.entries(PROBLEMS)
  return Object.fromEntries(
    [...used].map((status) => {
      const lines = kinds
        .filter(([, kind]) => kind.status === status)
        .map(([code, kind]) => `\`${code}\`: ${kind.title}`)
      const content = { [PROBLEM_TYPE]: { schema: Problem } }
      return [responseName(status), { description: lines.join('; '), content }]
    }),
  )
}

/** The statuses of all problems that the endpoint may answer. */
export const problemStatuses = (endpoint: Endpoint): readonly number[] => [
  ...new Set(codesOf(endpoint).map((code) => PROBLEMS[code].status)),
]

const codesOf = (endpoint: Endpoint): readonly FailureCode[] => [
  ...new Set([...impliedProblems(endpoint), ...(endpoint.problems ?? [])]),
]

export function problemsOf(endpoint: Endpoint): ZodOpenApiResponsesObject {
  const { problem_line } = endpoint
  if (problem_line !== undefined) return inLines(codesOf(endpoint).map(problem_line))
  const statuses = problemStatuses(endpoint).toSorted((a, b) => a - b)
  return Object.fromEntries(statuses.map((status) => [String(status), refused(status)]))
}

const refused = (status: number) => ({ $ref: `#/components/responses/${responseName(status)}` as const })

/** Failures that come with 200 are told by the description of that answer. */
function inLines(lines: readonly ProblemLine[]): ZodOpenApiResponsesObject {
  // Answered before it is known which endpoint is meant.
  const { status: overflow } = PROBLEMS.headers_too_large
  const statuses = [...new Set(lines.map(({ status }) => status))].filter((status) => status >= 400)
  return Object.fromEntries(
    statuses
      .toSorted((a, b) => a - b)
      .map((status) => {
        if (status === overflow) return [String(status), refused(status)]
        const words = lines.filter((line) => line.status === status).map(({ text }) => text)
        const description = [...new Set(words)].map((word) => `\`${word.trim()}\``).join('; ')
        const content = { 'text/plain': { schema: { type: 'string' as const }, example: words[0] } }
        return [String(status), { description, content }]
      }),
  )
}

const BY_LEVEL: Readonly<Record<Level, readonly FailureCode[]>> = {
  public: [],
  open: [
    'network_not_trusted',
    'group_not_allowed',
    'read_only_key',
    'read_only_session',
    'session_not_proven',
    'wrong_key',
    'rate_limited',
  ],
  keyed: [
    'unauthenticated',
    'group_not_allowed',
    'read_only_key',
    'read_only_session',
    'session_not_proven',
    'wrong_key',
    'rate_limited',
  ],
  sign_in: ['sign_in_closed', 'wrong_key', 'rate_limited'],
  ddns: ['unauthenticated', 'read_only_key', 'wrong_key', 'rate_limited'],
  token: ['unauthenticated', 'read_only_key', 'wrong_key', 'rate_limited'],
}

function impliedProblems(endpoint: Endpoint): readonly FailureCode[] {
  const always: FailureCode[] = ['malformed_request', 'headers_too_large', 'internal']
  if (endpoint.bare === true) return always
  const unsafe: FailureCode[] = ['too_large', 'unsupported_media_type', 'conflict']
  const repeated: FailureCode[] = honoursKey(endpoint) ? ['idempotency_key_reused'] : []
  return [
    ...always,
    'host_not_served',
    'cross_site_request',
    'validation_failed',
    'store_unavailable',
    ...BY_LEVEL[endpoint.level],
    ...(isSafe(endpoint.method) ? [] : unsafe),
    ...repeated,
  ]
}
