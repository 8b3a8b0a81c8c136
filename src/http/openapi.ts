/**
 * The OpenAPI document, made from the same contracts that answer the requests. Problem answers are described once, as
 * components, and follow from an endpoint's level, method and own list.
 */
import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from 'zod-openapi'
import type { FailureCode } from '../kernel/failure.ts'
import type { Endpoint, ProblemLine, Reply } from './contract.ts'
import { LARGEST_BODY } from './body-limit.ts'
import { honoursKey } from './idempotency.ts'
import { isSafe } from './request-facts.ts'
import type { Level } from './level.ts'
import { Operation } from './operation-schema.ts'
import { PROBLEM_TYPE, PROBLEMS } from './problem.ts'

const API_VERSION = '3.0.0'
const SECURITY_SCHEME = 'ApiKey'

const Problem = z
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

export interface OpenApiDocument {
  readonly openapi: string
  readonly [member: string]: unknown
}

/** Loads the generator at first use: the daemon starts without it. */
export async function openApiDocument(endpoints: readonly Endpoint[]): Promise<OpenApiDocument> {
  const { createDocument } = await import('zod-openapi')
  const shown = endpoints.filter((endpoint) => endpoint.hidden !== true)
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Plumbline',
      version: API_VERSION,
      description: 'Keeps the public surface of a small infrastructure true to one database.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: [...new Set(shown.flatMap((endpoint) => endpoint.tags))].map((name) => ({ name })),
    paths: pathsOf(shown),
    components: {
      schemas: { Problem },
      responses: problemResponses(),
      securitySchemes: { [SECURITY_SCHEME]: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
    },
  })
  return { ...document }
}

function pathsOf(endpoints: readonly Endpoint[]) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const endpoint of endpoints)
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operationOf(endpoint)
  return paths
}

const LEVEL_NOTES: Readonly<Record<Level, string>> = {
  public: '',
  open: 'Needs no key from the host itself or from a trusted network; from elsewhere, a key is a way in.',
  keyed: '',
  ui: 'Needs a sign-in through the SSO provider, or a key.',
  ddns: 'Needs the API key or the site token of the name, as the query parameter `key` or the password of Basic.',
  edge: 'Needs the token of the edge as `Authorization: Bearer …`, or the API key.',
}

function operationOf(endpoint: Endpoint): ZodOpenApiOperationObject {
  const description = [endpoint.description ?? '', LEVEL_NOTES[endpoint.level]]
    .filter((text) => text !== '')
    .join('\n\n')
  const headers = headerParameters(endpoint)
  return {
    operationId: endpoint.id,
    summary: endpoint.summary,
    ...(description === '' ? {} : { description }),
    tags: [...endpoint.tags],
    security: endpoint.level === 'keyed' || endpoint.level === 'ui' ? [{ [SECURITY_SCHEME]: [] }] : [],
    requestParams: {
      ...(endpoint.params === undefined ? {} : { path: endpoint.params }),
      ...(endpoint.query === undefined ? {} : { query: endpoint.query }),
      ...(headers === null ? {} : { header: headers }),
    },
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: requestBodyOf(endpoint.body, endpoint.body_limit) }),
    responses: { ...repliesOf(endpoint), ...laterReply(endpoint), ...problemsOf(endpoint) },
  }
}

const PREFER =
  'respond-async: answer 202 at once and go on as an operation; wait=N: after N seconds, ten at most (RFC 7240)'
const IDEMPOTENCY =
  'A text of your choice, 1 to 255 characters: a repeat of the request gets the first answer again.'

function headerParameters(endpoint: Endpoint): z.ZodObject | null {
  const all = {
    ...endpoint.headers,
    ...(honoursKey(endpoint) ? { 'Idempotency-Key': IDEMPOTENCY } : {}),
    ...(endpoint.respond_async === 'asked' ? { Prefer: PREFER } : {}),
  }
  const shape = Object.entries(all).map(
    ([name, meaning]) => [name, z.string().optional().describe(meaning)] as const,
  )
  return shape.length === 0 ? null : z.object(Object.fromEntries(shape))
}

const requestBodyOf = (schema: z.ZodType, limit = LARGEST_BODY) => ({
  required: !schema.safeParse(undefined).success,
  description: `At most ${limit} bytes.`,
  content: { 'application/json': { schema } },
})

function repliesOf(endpoint: Endpoint): ZodOpenApiResponsesObject {
  const headers = Object.fromEntries(
    Object.entries(endpoint.reply_headers ?? {}).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' as const } },
    ]),
  )
  return Object.fromEntries(
    Object.entries(endpoint.replies).map(([status, reply]) => [status, { ...contentOf(reply), headers }]),
  )
}

/** What a call answers that goes on as an operation. The operation's own answer is described as the 200. */
function laterReply({ respond_async }: Endpoint): ZodOpenApiResponsesObject {
  if (respond_async === undefined) return {}
  const header = (description: string) => ({ description, schema: { type: 'string' as const } })
  const headers = {
    Location: header('The operation'),
    ...(respond_async === 'asked' ? { 'Preference-Applied': header('respond-async') } : {}),
  }
  const content = { 'application/json': { schema: Operation } }
  const when =
    respond_async === 'asked'
      ? 'As the caller prefers it, or where it takes longer than ten seconds'
      : 'Always'
  return {
    202: {
      description: `${when}: the call goes on as this operation, whose answer is that of 200`,
      content,
      headers,
    },
  }
}

const contentOf = (reply: Reply) =>
  reply instanceof z.ZodType
    ? { description: reply.description ?? 'Done', content: { 'application/json': { schema: reply } } }
    : {
        description: reply.description,
        content: { [reply.content_type]: { schema: { type: rawType(reply.content_type) } } },
      }

/** JSON that is answered as it lies somewhere is an object all the same, and no text. */
const rawType = (content_type: string): 'object' | 'string' =>
  content_type === 'application/json' ? 'object' : 'string'

const responseName = (status: number) => `Problem${status}`

/** Per status one response, which lists every code that has it. */
function problemResponses() {
  const kinds = Object.entries(PROBLEMS)
  return Object.fromEntries(
    [...new Set(kinds.map(([, { status }]) => status))].map((status) => {
      const lines = kinds
        .filter(([, kind]) => kind.status === status)
        .map(([code, kind]) => `\`${code}\`: ${kind.title}`)
      const content = { [PROBLEM_TYPE]: { schema: Problem } }
      return [responseName(status), { description: lines.join('; '), content }]
    }),
  )
}

function problemsOf(endpoint: Endpoint): ZodOpenApiResponsesObject {
  const codes = [...new Set([...impliedProblems(endpoint), ...(endpoint.problems ?? [])])]
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))].toSorted((a, b) => a - b)
  const { problem_line } = endpoint
  return problem_line === undefined
    ? Object.fromEntries(
        statuses.map((status) => [
          String(status),
          { $ref: `#/components/responses/${responseName(status)}` },
        ]),
      )
    : inLines(codes.map(problem_line))
}

/** Failures that come with 200 are told by the description of that answer. */
function inLines(lines: readonly ProblemLine[]): ZodOpenApiResponsesObject {
  const statuses = [...new Set(lines.map(({ status }) => status))].filter((status) => status >= 400)
  return Object.fromEntries(
    statuses
      .toSorted((a, b) => a - b)
      .map((status) => {
        const words = lines.filter((line) => line.status === status).map(({ text }) => text)
        const description = [...new Set(words)].map((word) => `\`${word.trim()}\``).join('; ')
        return [
          String(status),
          { description, content: { 'text/plain': { schema: { type: 'string' as const } } } },
        ]
      }),
  )
}

const BY_LEVEL: Readonly<Record<Level, readonly FailureCode[]>> = {
  public: [],
  open: ['network_not_trusted', 'group_not_allowed', 'wrong_key', 'rate_limited'],
  keyed: ['unauthenticated', 'group_not_allowed', 'wrong_key', 'rate_limited'],
  ui: ['unauthenticated', 'group_not_allowed', 'wrong_key', 'rate_limited'],
  ddns: ['unauthenticated', 'wrong_key', 'rate_limited'],
  edge: ['unauthenticated', 'wrong_key', 'rate_limited'],
}

function impliedProblems(endpoint: Endpoint): readonly FailureCode[] {
  const always: FailureCode[] = ['malformed_request', 'internal']
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
