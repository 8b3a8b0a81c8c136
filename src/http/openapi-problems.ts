/** How problem answers are described: once each, as components; which an endpoint has follows from its contract. */
import { z } from 'zod'
import type { ZodOpenApiResponsesObject } from 'zod-openapi'
import type { FailureCode } from '../kernel/failure.ts'
import type { Endpoint } from './contract.ts'
import type { Level } from './level.ts'
import { PROBLEM_TYPE, PROBLEMS } from './problem.ts'
import { isSafe } from './request-facts.ts'

export const Problem = z
  .looseObject({
    type: z.string().describe('urn:plumbline:problem: and the code'),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What was refused and what would help'),
    instance: z.string().describe('This one answer'),
    code: z.enum(Object.keys(PROBLEMS) as [FailureCode, ...FailureCode[]]).describe('Stable; decide by it'),
    request_id: z.string().describe('The X-Request-Id of the answer; the log has it too'),
    errors: z
      .array(
        z.object({
          loc: z.array(z.union([z.string(), z.int()])).describe('Where: ["body", "backend_port"]'),
          msg: z.string().describe('Ends a sentence that begins with the name of the field'),
          type: z.string(),
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
  const statuses = problemStatuses(endpoint).toSorted((a, b) => a - b)
  return Object.fromEntries(statuses.map((status) => [String(status), problemOf(endpoint, status)]))
}

function problemOf(endpoint: Endpoint, status: number) {
  const { problem_text } = endpoint
  // Answered before it is known which endpoint is meant.
  if (problem_text === undefined || status === PROBLEMS.headers_too_large.status)
    return { $ref: `#/components/responses/${responseName(status)}` as const }
  const words = codesOf(endpoint)
    .filter((code) => PROBLEMS[code].status === status)
    .map((code) => problem_text(code).trim())
  const description = [...new Set(words)].map((word) => `\`${word}\``).join('; ')
  const content = { 'text/plain': { schema: { type: 'string' as const }, example: words[0] } }
  return { description, content }
}

const BY_LEVEL: Readonly<Record<Level, readonly FailureCode[]>> = {
  public: [],
  open: ['network_not_trusted', 'wrong_key'],
  keyed: ['unauthenticated', 'wrong_key'],
  ui: ['unauthenticated', 'wrong_key'],
  ddns: ['unauthenticated', 'wrong_key'],
  edge: ['unauthenticated', 'wrong_key'],
}

function impliedProblems(endpoint: Endpoint): readonly FailureCode[] {
  const always: FailureCode[] = ['malformed_request', 'host_not_served', 'headers_too_large', 'internal']
  if (endpoint.bare === true) return always
  const unsafe: FailureCode[] = ['too_large', 'unsupported_media_type', 'conflict', 'idempotency_key_reused']
  return [
    ...always,
    'cross_site_request',
    'validation_failed',
    'rate_limited',
    'store_unavailable',
    ...BY_LEVEL[endpoint.level],
    ...(isSafe(endpoint.method) ? [] : unsafe),
  ]
}
