/**
 * One endpoint as one value: what it takes, who may call it, what it answers, and the function that does it. Parsing,
 * access, problem answers, OpenAPI, the request log and metrics follow from this value and are written nowhere else.
 *
 *     endpoint({
 *       method: 'GET',
 *       path: '/api/domains/{domain_id}',
 *       id: 'getDomain',
 *       summary: 'One domain record',
 *       level: 'keyed',
 *       tags: ['Domains'],
 *       params: z.object({ domain_id: wholeNumber({ min: 1 }) }),
 *       replies: { 200: DomainRecord },
 *       reply_headers: { ETag: 'The revision, for If-Match' },
 *       problems: ['not_found'],
 *       handler: async ({ params }) => {
 *         const record = await readDomain(params.domain_id)          // throws Failure('not_found', …)
 *         return { status: 200, body: record, headers: { ETag: `"${record.revision}"` } }
 *       },
 *     })
 */
import { z } from 'zod'
import type { FailureCode, FieldError } from '../kernel/failure.ts'
import type { Secret } from '../kernel/secret.ts'
import type { Actor } from '../model/actor.ts'
import type { OperationProgress } from '../core/background/progress.ts'
import type { Subjects } from '../core/subjects.ts'
import type { CallerClass } from './access/caller.ts'
import type { ShownSession } from './access/session.ts'
import type { MemberLimits } from './body/json-body.ts'
import type { Level, May } from './access/level.ts'
import { PROVEN_BY_HANDLER } from './access/pace.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A group of endpoints in the description, and what it is about. */
export interface Tag {
  readonly name: string
  readonly description: string
}

/** A reply that is not JSON: the handler answers with text or bytes, or with a `Response` of its own to stream. */
export interface RawReply {
  readonly content_type: string
  readonly description: string
}

export type Reply = z.ZodType | RawReply
/** By status, 200 to 299: the schema of the JSON body. Its `description` becomes the reply's. */
export type ReplyTable = Readonly<Record<number, Reply>>

/** A failure in the words of a protocol, and the status at which its clients read them. */
export interface ProblemLine {
  readonly status: number
  readonly text: string
}

/** What a handler gets. Everything in `params`, `query` and `body` has passed its schema. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** A request header that is sent exactly once, else null. Keys and identity headers are never shown. */
  header(name: string): string | null
  readonly actor: Actor
  readonly class: CallerClass
  /** Of the key that was shown in X-API-Key; null for none. */
  readonly key_id: string | null
  /** Address of the effective client, or empty when unknown. */
  readonly client: string
  /** Under which network its wrong keys are counted. */
  readonly holder: string
  /** Whether `client` is where the call came from, and not a proxy on its way. */
  readonly client_is_vouched: boolean
  /** Of a person who has signed in at the SSO provider; else none. */
  readonly groups: readonly string[]
  /** What the caller may do where a key is needed; null: nothing. */
  readonly may: May | null
  /** The sign-in to the console by which this is called, or null. */
  readonly session: ShownSession | null
  /** A key or a link may sign in from there. */
  readonly is_near: boolean
  /** The page that calls came over https, as its browser says. */
  readonly is_secure: boolean
  /** What is presented on the levels `ddns` and `token`, for the handler to prove; null on every other. */
  readonly credential: Secret | null
  /** Aborts when the client goes away or the server has waited long enough at its end. */
  readonly signal: AbortSignal
  /** Where the call can go on as an operation: to be told how far it has come. */
  readonly progress?: OperationProgress | undefined
  /** To be told whom the call is about: its line in the log names them. */
  readonly subjects: Subjects
  readonly request_id: string
}

/** What a handler gives: one of its replies. `headers` may say `ETag`, `Location`, `Link`, `Cache-Control` … */
export interface Answer<Status extends number = number, Body = unknown> {
  readonly status: Status
  readonly body: Body
  /** The JSON of a body that never changes, made once: it is sent as it is, the same bytes to everybody. */
  readonly json?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export interface EndpointSpec<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Replies extends ReplyTable,
> {
  readonly method: Method
  /** In the specification's form; a `{name}` fills one whole segment. */
  readonly path: `/${string}`
  /** Unique; the operationId. */
  readonly id: string
  /** A few words without a full stop. */
  readonly summary: string
  readonly description?: string
  /** Who may call. There is no default. */
  readonly level: Level
  /** The groups that it belongs to. One endpoint of a group says what the group is about, the others only name it. */
  readonly tags: readonly (string | Tag)[]
  /** One entry per `{name}` of the path. Values arrive as decoded text. */
  readonly params?: Params
  /** Values arrive as decoded text; unknown and repeated names are refused before. Loose: nothing of it is looked at, or handed on. */
  readonly query?: Query
  /** JSON. Let it accept `undefined` when the body may be left out. */
  readonly body?: Body
  /** The specification wants the body to be there, though `{}` says all that is needed. */
  readonly body_required?: true
  /** In bytes, where a body may be larger than the usual 64 KiB. */
  readonly body_limit?: number
  /** There: how many members one object and one list of it may have, looked at before anything else. */
  readonly body_members?: MemberLimits
  /** Request headers that the handler reads, with their meaning. */
  readonly headers?: Readonly<Record<string, string>>
  readonly replies: Replies
  readonly reply_headers?: Readonly<Record<string, string>>
  /** Failures that the handler may answer with, beside those that follow from the rest of the contract. */
  readonly problems?: readonly FailureCode[]
  /** A page that people open by its address: a browser may be led to it from anywhere, as from the sign-in page. */
  readonly document?: true
  /** It changes nothing, whatever its method: people who may only look may call it. So they may every dry run. */
  readonly reads?: true
  /** The one parameter of the path whose value may hold a slash, as `%2F`: a key in base64. No other may. */
  readonly slash_param?: string
  /** Served, but not described: assets. */
  readonly hidden?: true
  /** A GET that changes something, because its protocol wants it so. HEAD is not served then. */
  readonly acting_get?: true
  /** The answer holds a secret that is shown this once: it is never kept, so Idempotency-Key is not honoured. */
  readonly secret_reply?: true
  /** Its ETag only says whether the answer is the same (304): nobody sends it in If-Match, so it may go out as gzip. */
  readonly weak_tag?: true
  /** Where the protocol has words of its own: a failure is such a line with its status, instead of problem details. */
  readonly problem_line?: (code: FailureCode) => ProblemLine
  /** Liveness: answered before all checks, under any Host. Takes no input and must be public. */
  readonly bare?: true
  /**
   * Whether the call can go on as an operation after a 202: when the caller asks for it (`Prefer: respond-async`), or
   * always. `replies` then tells what the operation's answer holds.
   */
  readonly respond_async?: 'asked' | 'always'
  /**
   * What the handler would find wrong with a body that does not fit its schema: asked then, so that all faults are told at
   * once. Nothing of the body was checked.
   */
  readonly faults?: (
    call: Pick<Call<z.output<Params>>, 'params' | 'body'>,
  ) => MaybePromise<readonly FieldError[]>
  /**
   * Throws for a caller who proves nothing: asked before a body is read, on the levels where the handler proves its caller.
   * The handler asks again, as what was proven may have ended meanwhile.
   */
  readonly prove?: (call: Proving<z.output<Params>>) => MaybePromise<void>
  /** Throws what refuses every such call already, before one is accepted to go on as an operation. */
  readonly refuses?: () => void
  readonly handler: (
    call: Call<z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => MaybePromise<AnswerOf<NoInfer<Replies>>>
}

/** What is known of a call before its body. */
export type Proving<Params = unknown> = Pick<
  Call<Params>,
  'params' | 'credential' | 'class' | 'client' | 'holder' | 'actor'
>

type MaybePromise<T> = T | Promise<T>

type AnswerOf<Replies extends ReplyTable> =
  | { [Status in keyof Replies & number]: ReplyAnswer<Status, Replies[Status]> }[keyof Replies & number]
  | Response
type ReplyAnswer<Status extends number, R> = R extends z.ZodType
  ? Answer<Status, Answered<R>>
  : Answer<Status, string | Uint8Array>
/** What fits the schema of an answer, which declares it once. The domain's values are readonly, so a reply may be. */
export type Answered<Schema extends z.ZodType> = Frozen<z.output<Schema>>
type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T

/** An endpoint whose types have done their work. */
export interface Endpoint extends Omit<
  EndpointSpec<z.ZodObject, z.ZodObject, z.ZodType, ReplyTable>,
  'handler' | 'faults' | 'prove'
> {
  /** Names in the path, from left to right. */
  readonly names: readonly string[]
  readonly faults?: (call: Pick<Call, 'params' | 'body'>) => MaybePromise<readonly FieldError[]>
  readonly prove?: (call: Proving) => MaybePromise<void>
  readonly handler: (call: Call) => MaybePromise<Answer | Response>
}

type None = z.ZodObject<Record<never, never>>

/** Checks the contract itself; a contradiction in it is a programming error and throws. */
export function endpoint<
  Params extends z.ZodObject = None,
  Query extends z.ZodObject = None,
  Body extends z.ZodType = z.ZodUndefined,
  const Replies extends ReplyTable = ReplyTable,
>(spec: EndpointSpec<Params, Query, Body, Replies>): Endpoint {
  const names = [...spec.path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name!)
  const wrong = contradiction(spec as unknown as Endpoint, names)
  if (wrong !== null) throw new Error(`${spec.method} ${spec.path}: ${wrong}`)
  // The handler is only ever called with what this contract's own schemas gave.
  const erased = spec as unknown as Omit<Endpoint, 'names'>
  return spec.body instanceof z.ZodObject && spec.body.def.catchall === undefined
    ? { ...erased, names, body: strictOf(spec.body) }
    : { ...erased, names }
}

/** Bodies are written down once and joined by every app of the process: what zod and others know of one is kept with it. */
const strict = new WeakMap<z.ZodObject, z.ZodObject>()

function strictOf(body: z.ZodObject): z.ZodObject {
  const made = strict.get(body) ?? body.strict()
  strict.set(body, made)
  return made
}

const SEGMENTS = /^(?:\/|(?:\/(?:[A-Za-z0-9._-]+|\{[a-z_]+\}))+)$/

function contradiction(spec: Omit<Endpoint, 'names'>, names: readonly string[]): string | null {
  const params = Object.keys(spec.params?.shape ?? {})
  // What is not described may stand beside a path, for those who type it with a slash at its end.
  const path = spec.hidden === true ? spec.path.replace(/(?<=.)\/$/, '') : spec.path
  if (!SEGMENTS.test(path)) return 'the path has another form than /word/{name}'
  if (names.toSorted().join() !== params.toSorted().join())
    return `the path names [${names.join(', ')}], params [${params.join(', ')}]`
  if (spec.method === 'GET' && spec.body !== undefined) return 'a GET takes no body'
  if ((spec.body_limit === undefined) !== (spec.body_members === undefined))
    return 'a body that may be large says how many members it may have'
  if (Object.keys(spec.replies).some((status) => !/^2\d\d$/.test(status))) return 'replies are 200 to 299'
  const bare =
    spec.level === 'public' && spec.method === 'GET' && params.length === 0 && spec.query === undefined
  if (PROVEN_BY_HANDLER.has(spec.level) !== (spec.prove !== undefined))
    return 'the levels token and ddns, and no others, say how a caller is proven'
  if (spec.slash_param !== undefined && !params.includes(spec.slash_param))
    return 'slash_param names no parameter of the path'
  // The cookie of a session is enough for a GET, and more than our pages know it.
  if (spec.secret_reply === true && spec.method === 'GET') return 'a GET shows no secret'
  if (spec.document === true && spec.method !== 'GET') return 'a document is read by GET'
  return spec.bare === true && !bare ? 'only a public GET without inputs can be bare' : null
}
