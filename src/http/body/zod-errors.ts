/** What a schema refuses, in our words: each message ends the sentence "backend_port …" and repeats no input. */
import { z } from 'zod'
import { type FieldError, fieldError } from '../../kernel/failure.ts'
import { didYouMean } from '../../kernel/text/nearest.ts'

export type InputPart = 'path' | 'query' | 'body'

type RawIssue = z.core.$ZodRawIssue
type Issue = z.core.$ZodIssue

/** Enough to mend a request by; a hostile body can be wrong in thousands of places. */
export const MAX_ERRORS = 50
const MAX_NAME = 64
const SEPARATOR = '\n'

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly FieldError[] }

/**
 * Whether names are suggested for those that are unknown. It costs time and tells what there is: strangers get none, and
 * of a body that is wrong in thousands of places the first ones do.
 */
export class Hints {
  #left: number

  constructor(most = MAX_ERRORS) {
    this.#left = most
  }

  static readonly none = new Hints(0)

  near(name: string, known: Iterable<string>): string {
    return this.#left > 0 && this.#left-- > 0 ? didYouMean(name, known) : ''
  }
}

export function check<T>(place: InputPart, schema: z.ZodType<T>, value: unknown, hints: Hints): Checked<T> {
  const result = schema.safeParse(value, { error: (issue) => messageOf(issue, hints) })
  return result.success
    ? { ok: true, value: result.data }
    : {
        ok: false,
        errors: result.error.issues.flatMap((issue) => fieldErrors(place, issue)).slice(0, MAX_ERRORS),
      }
}

function fieldErrors(place: InputPart, issue: Issue): FieldError[] {
  const loc = [place, ...issue.path.map((part) => (typeof part === 'number' ? part : clip(String(part))))]
  if (issue.code !== 'unrecognized_keys') return [fieldError(loc, issue.message, typeOf(issue))]
  const messages = issue.message.split(SEPARATOR)
  return issue.keys
    .slice(0, messages.length)
    .map((key, index) => fieldError([...loc, clip(key)], messages[index]!, 'extra_forbidden'))
}

const clip = (name: string) => name.slice(0, MAX_NAME)

/** Stable names, in the spelling that callers of FastAPI services know. */
function typeOf(issue: Issue): string {
  if (issue.message === MISSING) return 'missing'
  if (issue.code === 'invalid_type') return `${issue.expected}_type`
  if (issue.code === 'invalid_value') return 'enum'
  if (issue.code !== 'custom') return issue.code
  return typeof issue.params?.['type'] === 'string' ? issue.params['type'] : 'value_error'
}

const MISSING = 'is required'

/** A schema's own message wins over these. */
function messageOf(issue: RawIssue, hints: Hints): string {
  if (issue.input === undefined && issue.code !== 'custom') return MISSING
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${NAMED[issue.expected] ?? `of type ${issue.expected}`}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}${suggestion(issue.input, issue.values, hints)}`
    case 'too_small':
      return `must ${measured(issue.origin, 'at least', issue.minimum)}`
    case 'too_big':
      return `must ${measured(issue.origin, 'at most', issue.maximum)}`
    case 'unrecognized_keys':
      return unknownKeys(issue.keys, knownKeys(issue.inst), hints)
    case 'invalid_format':
      return `must be in the form "${issue.format}"`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_union':
      return 'has none of the forms that it may have'
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return 'is not acceptable'
  }
}

const NAMED: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
  undefined: 'left out',
}

function measured(origin: string, limit: string, bound: number | bigint): string {
  if (origin === 'string') return `have ${limit} ${bound} characters`
  return origin === 'array' || origin === 'set' ? `have ${limit} ${bound} entries` : `be ${limit} ${bound}`
}

const suggestion = (input: unknown, values: readonly unknown[], hints: Hints): string =>
  typeof input === 'string' ? `.${hints.near(input, values.map(String))}`.replace(/^\.$/, '') : ''

/** One message per key, in order, on one line each. */
const unknownKeys = (keys: readonly string[], known: readonly string[], hints: Hints): string =>
  keys
    .slice(0, MAX_ERRORS)
    .map((key) => unknownName('field', hints.near(key, known)))
    .join(SEPARATOR)

export const unknownName = (what: 'field' | 'parameter', hint: string): string =>
  `is not a known ${what}.${hint}`

const knownKeys = (schema: unknown): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
