/**
 * The OpenAPI document, made from the same contracts that answer the requests. Problem answers are described once, as
 * components, and follow from an endpoint's level, method and own list.
 */
import { z } from 'zod'
import type { ZodOpenApiObject, ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from 'zod-openapi'
import { ANSWER_TIMEOUT_MS } from '../../core/background/background.ts'
import type { Endpoint, Reply } from '../contract.ts'
import { LARGEST_BODY } from '../body/body-limit.ts'
import { honoursKey } from '../idempotency.ts'
import { isSafe } from '../access/request-facts.ts'
import type { Level } from '../access/level.ts'
import type { TextForm } from '../../model/text/form.ts'
import { withExamples } from './examples.ts'
import { type Offered, withOffered } from './offered.ts'
import { withLinks } from './links.ts'
import { Problem, problemResponses, problemsOf, problemStatuses } from './problems.ts'
import { nameOf, tagsOf } from './tags.ts'
import { Operation } from './operation-schema.ts'

/** What is described, and where it is found seen from its description. */
export interface About {
  readonly title: string
  readonly description: string
  readonly server: string
}

const DESCRIPTION = `Keeps the public surface of a small infrastructure true to one database.

Beside the code, \`src/features/NAME/README.md\` says of each feature what it keeps true, with an example that runs;
\`src/http/README.md\` says who may call, and \`schema/settings.md\` lists all settings.`

export const PLUMBLINE: About = { title: 'Plumbline', description: DESCRIPTION, server: '/' }

/** What the headers look like that endpoints read. */
type HeaderForm = TextForm | { readonly anyOf: readonly (TextForm | { readonly const: string })[] }

const HEADER_FORMS: Readonly<Record<string, HeaderForm>> = {
  'Idempotency-Key': { pattern: '^[!-~]{1,255}$' },
  // Two forms beside each other, as generators find either.
  'If-Match': { anyOf: [{ const: '*' }, { pattern: '^"[1-9][0-9]{0,14}(?:-error)?"$' }] },
  'Last-Event-ID': { pattern: '^(?:0|[1-9][0-9]{0,14})$' },
}

const API_VERSION = '3.0.0'
const SECURITY_SCHEME = 'ApiKey'

export interface OpenApiDocument {
  readonly openapi: string
  readonly [member: string]: unknown
}

/** Loads the generator at first use: the daemon starts without it. */
export async function openApiDocument(
  endpoints: readonly Endpoint[],
  offered: Offered = {},
  about: About = PLUMBLINE,
): Promise<OpenApiDocument> {
  const { createDocument } = await import('zod-openapi')
  const shown = endpoints.filter((endpoint) => endpoint.hidden !== true)
  const document = createDocument(definitionOf(shown, about), { override: asToolsTake })
  return { ...withOffered(withExamples(withLinks(document, shown)), offered) }
}

const definitionOf = (shown: readonly Endpoint[], about: About): ZodOpenApiObject => ({
  openapi: '3.1.0',
  info: {
    title: about.title,
    version: API_VERSION,
    description: about.description,
    contact: { name: 'Whoever runs this installation' },
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: about.server, description: 'Where this description was fetched from' }],
  tags: tagsOf(shown),
  paths: pathsOf(shown),
  components: {
    schemas: { Problem },
    responses: problemResponses(new Set(shown.flatMap(problemStatuses))),
    securitySchemes: { [SECURITY_SCHEME]: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
  },
})

/** `items: false` ends a row of fixed length in JSON Schema; generators and linters take no boolean there, and its length says the same. */
function asToolsTake({ jsonSchema }: { jsonSchema: { items?: unknown } }): void {
  if (jsonSchema.items === false) jsonSchema.items = {}
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
  sign_in: 'Only from the host itself or a trusted network.',
  ddns: 'Needs the API key or the site token of the name, as the query parameter `key` or the password of Basic.',
  token: 'Needs the token that was issued for it as `Authorization: Bearer …`, or the API key.',
}

function operationOf(endpoint: Endpoint): ZodOpenApiOperationObject {
  const description = [endpoint.description ?? '', LEVEL_NOTES[endpoint.level]]
    .filter((text) => text !== '')
    .join('\n\n')
  return {
    operationId: endpoint.id,
    summary: endpoint.summary,
    ...(description === '' ? {} : { description }),
    tags: endpoint.tags.map(nameOf),
    security: endpoint.level === 'keyed' ? [{ [SECURITY_SCHEME]: [] }] : [],
    requestParams: requestParamsOf(endpoint),
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: requestBodyOf(endpoint.body, endpoint.body_limit) }),
    responses: { ...repliesOf(endpoint), ...laterReply(endpoint), ...problemsOf(endpoint) },
  }
}

function requestParamsOf(endpoint: Endpoint) {
  const headers = headerParameters(endpoint)
  return {
    ...(endpoint.params === undefined ? {} : { path: endpoint.params }),
    ...(endpoint.query === undefined ? {} : { query: endpoint.query }),
    ...(headers === null ? {} : { header: headers }),
  }
}

const UNCHANGED = 'The ETag of the answer that the caller has: 304 while it is the same'
const PREFER =
  'respond-async: answer 202 at once and go on as an operation; wait=N: after N seconds, 300 at most (RFC 7240)'
const IDEMPOTENCY =
  'A text of your choice, 1 to 255 characters: a repeat of the request gets the first answer again.'

function headerParameters(endpoint: Endpoint): z.ZodObject | null {
  const all = {
    ...(endpoint.reply_headers?.['ETag'] === undefined || !isSafe(endpoint.method)
      ? {}
      : { 'If-None-Match': UNCHANGED }),
    ...endpoint.headers,
    ...(honoursKey(endpoint) ? { 'Idempotency-Key': IDEMPOTENCY } : {}),
    ...(endpoint.respond_async === 'asked' ? { Prefer: PREFER } : {}),
  }
  const shape = Object.entries(all).map(([name, meaning]) => [name, headerSchema(name, meaning)] as const)
  return shape.length === 0 ? null : z.object(Object.fromEntries(shape))
}

const headerSchema = (name: string, meaning: string) =>
  z
    .string()
    .meta({ ...HEADER_FORMS[name] })
    .optional()
    .describe(meaning)

const requestBodyOf = (schema: z.ZodType, limit = LARGEST_BODY) => ({
  required: !schema.safeParse(undefined).success,
  description: `At most ${limit} bytes.`,
  content: { 'application/json': { schema } },
})

function repliesOf(endpoint: Endpoint): ZodOpenApiResponsesObject {
  const headers = Object.fromEntries(
    Object.entries(endpoint.reply_headers ?? {}).map(([name, description]) => [
      name,
      textHeader(description),
    ]),
  )
  const replies: [string, ZodOpenApiResponsesObject[`${1 | 2 | 3 | 4 | 5}${string}`]][] = Object.entries(
    endpoint.replies,
  ).map(([status, reply]) => [status, { ...contentOf(reply), headers }])
  const same = 'ETag' in headers && isSafe(endpoint.method)
  if (same) replies.push(['304', { description: 'It is what the caller has', headers }])
  return Object.fromEntries(replies)
}

const textHeader = (description: string) => ({ description, schema: { type: 'string' as const } })

/** What a call answers that goes on as an operation. The operation's own answer is described as the 200. */
function laterReply({ respond_async }: Endpoint): ZodOpenApiResponsesObject {
  if (respond_async === undefined) return {}
  const headers = {
    Location: textHeader('The operation'),
    ...(respond_async === 'asked' ? { 'Preference-Applied': textHeader('respond-async') } : {}),
  }
  const content = { 'application/json': { schema: Operation } }
  const when =
    respond_async === 'asked'
      ? `As the caller prefers it, or where it takes longer than ${ANSWER_TIMEOUT_MS / 1000} seconds`
      : 'Always'
  const description = `${when}: the call goes on as this operation, whose answer is that of 200`
  return { 202: { description, content, headers } }
}

const contentOf = (reply: Reply) =>
  reply instanceof z.ZodType
    ? { description: reply.description ?? 'Done', content: { 'application/json': { schema: reply } } }
    : {
        description: reply.description,
        content: { [reply.content_type]: { schema: { type: rawType(reply.content_type) } } },
      }

/** JSON and YAML that are answered as they lie somewhere are an object all the same, and no text. */
const rawType = (content_type: string): 'object' | 'string' =>
  /\/(?:json|yaml)$/.test(content_type) ? 'object' : 'string'
