/** From raw text to what a handler gets: path segments, query and body, each through its schema, all faults together. */
import { z } from 'zod'
import { othersTurn } from '../../kernel/async/others-turn.ts'
import { Failure, type FieldError, fieldError, invalid } from '../../kernel/failure.ts'
import { ILL_FORMED, illFormed } from '../../model/text/text.ts'
import type { Endpoint } from '../contract.ts'
import { checkInPieces } from './check-in-pieces.ts'
import { type JsonBody, parseJson } from './json-body.ts'
import { splitTarget } from '../access/request-facts.ts'
import { check, type Checked, Hints, MAX_ERRORS, unknownName } from './zod-errors.ts'

export interface Inputs {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** Enough to mend a request by. */
const MAX_HALVES = 50

const NOTHING = z.strictObject({})

interface Given {
  /** Has passed `targetFault`. */
  readonly target: string
  readonly body: Uint8Array
  /** Whether the caller has been proven to be nobody's stranger. */
  readonly proven: boolean
}

/** What is larger is looked at in pieces, between which others have their turn. */
const LARGE_BYTES = 256 * 1024

/** Throws `validation_failed`, `malformed_request`, `malformed_json` or `too_large`. */
export async function readInputs(endpoint: Endpoint, { target, body, proven }: Given): Promise<Inputs> {
  const { path, query } = splitTarget(target)
  const hints = proven ? new Hints() : Hints.none
  const params = check('path', endpoint.params ?? NOTHING, pathParams(endpoint, path), hints)
  const asked = checkQuery(endpoint.query ?? NOTHING, query, hints)
  const is_large = body.byteLength > LARGE_BYTES
  const turn = async () => void (is_large && (await othersTurn()))
  const read =
    endpoint.method === 'GET' || body.byteLength === 0
      ? EMPTY
      : await parseJson(body, endpoint.body_members, turn)
  await turn()
  const halves = read.escaped ? illFormed(read.value).slice(0, MAX_HALVES) : []
  await turn()
  const right =
    is_large && endpoint.body !== undefined ? await checkInPieces(endpoint.body, read.value, turn) : null
  const sent = endpoint.method === 'GET' ? NO_BODY : checkBody(endpoint, { ...read, halves, right }, hints)
  await turn()
  const errors = [params, asked, sent].flatMap((part) => (part.ok ? [] : part.errors))
  if (!sent.ok && params.ok && endpoint.faults !== undefined)
    errors.push(...beyond(errors, await endpoint.faults({ params: params.value, body: read.value })))
  if (!params.ok || !asked.ok || !sent.ok) throw invalid(errors)
  return { params: params.value, query: asked.value, body: sent.value }
}

/** Of a call whose body is not read yet. Throws `validation_failed`. */
export function readParams(endpoint: Endpoint, target: string): unknown {
  const { path } = splitTarget(target)
  const params = check('path', endpoint.params ?? NOTHING, pathParams(endpoint, path), Hints.none)
  if (!params.ok) throw invalid(params.errors)
  return params.value
}

/** By position in the raw path, decoded once, so that what was matched is what is read. */
function pathParams(endpoint: Endpoint, path: string): Record<string, string> {
  const segments = path.split('/')
  const places = endpoint.path.split('/')
  return Object.fromEntries(
    places.flatMap((place, index) =>
      place.startsWith('{') ? [[place.slice(1, -1), decodeURIComponent(segments[index]!)]] : [],
    ),
  )
}

function checkQuery(schema: z.ZodObject, text: string, hints: Hints): Checked<unknown> {
  // A page reads its own address: what stands there is nothing to us.
  if (schema.def.catchall instanceof z.ZodUnknown) return { ok: true, value: {} }
  const known = Object.keys(schema.shape)
  const values: Record<string, string> = {}
  const errors: FieldError[] = []
  for (const [name, value] of queryPairs(text)) {
    if (errors.length === MAX_ERRORS) break
    const loc = ['query', name.slice(0, 64)]
    if (!known.includes(name))
      errors.push(fieldError(loc, unknownName('parameter', hints.near(name, known)), 'extra_forbidden'))
    else if (Object.hasOwn(values, name)) errors.push(fieldError(loc, 'is given more than once', 'duplicate'))
    else values[name] = value
  }
  return withErrors(errors, check('query', schema, values, hints))
}

/** `application/x-www-form-urlencoded` pairs, in order. A broken escape is refused, not guessed at. */
function queryPairs(text: string): [name: string, value: string][] {
  const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))
  try {
    return text
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const [name = '', ...value] = pair.split('=')
        return [decode(name), decode(value.join('='))]
      })
  } catch {
    throw new Failure('malformed_request', 'The query holds a broken percent escape.')
  }
}

const NO_BODY: Checked<unknown> = { ok: true, value: undefined }

interface ReadBody extends JsonBody {
  /** Where texts are no whole characters. */
  readonly halves: ReturnType<typeof illFormed>
  /** What was checked already, and has no fault of its own; else null. */
  readonly right: Checked<unknown> | null
}

function checkBody(
  endpoint: Endpoint,
  { value, duplicates, halves, right }: ReadBody,
  hints: Hints,
): Checked<unknown> {
  const errors = [
    ...halves.map((loc) => fieldError(['body', ...loc], ILL_FORMED, 'text')),
    ...duplicates.map((loc) => fieldError(clipped(['body', ...loc]), 'is given more than once', 'duplicate')),
  ]
  return withErrors(errors, right ?? ledToQuery(endpoint, checkedBody(endpoint, value, hints)))
}

const EMPTY: JsonBody = { value: undefined, escaped: false, duplicates: [] }

const clipped = (loc: FieldError['loc']): FieldError['loc'] =>
  loc.map((part) => (typeof part === 'string' ? part.slice(0, 64) : part))

function checkedBody(endpoint: Endpoint, value: unknown, hints: Hints): Checked<unknown> {
  if (endpoint.body !== undefined) return check('body', endpoint.body, value, hints)
  // Many clients send `{}` where nothing is asked for.
  return value === undefined ? NO_BODY : withoutValue(check('body', NOTHING, value, hints))
}

/** What stands in the body and belongs into the address is led there. */
function ledToQuery({ query }: Endpoint, checked: Checked<unknown>): Checked<unknown> {
  if (checked.ok || query === undefined) return checked
  const errors = checked.errors.map((error) => {
    const [, name, ...deeper] = error.loc
    const is_query = error.type === 'extra_forbidden' && deeper.length === 0
    return is_query && Object.hasOwn(query.shape, String(name))
      ? { ...error, msg: `is no field but a query parameter: ?${String(name)}=…` }
      : error
  })
  return { ok: false, errors }
}

/** What is told of a place is told once. */
function withErrors(errors: readonly FieldError[], checked: Checked<unknown>): Checked<unknown> {
  if (errors.length === 0) return checked
  return { ok: false, errors: [...errors, ...(checked.ok ? [] : beyond(errors, checked.errors))] }
}

const withoutValue = (checked: Checked<unknown>): Checked<unknown> => (checked.ok ? NO_BODY : checked)

/** Those of fields that nothing was said of yet. */
function beyond(reported: readonly FieldError[], more: readonly FieldError[]): readonly FieldError[] {
  const field = ({ loc }: FieldError) => loc.slice(0, 2).join('.')
  const known = new Set(reported.map(field))
  return more.filter((error) => !known.has(field(error)))
}
