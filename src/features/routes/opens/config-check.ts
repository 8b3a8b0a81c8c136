/**
 * Checks hand-written middleware configuration against `middleware-types.ts`, and for everything that Traefik's reader
 * would alter or refuse the whole file for: unknown keys, wrong kinds, nulls, empty maps, templates, U+2551 (which its
 * reader splits lists at), blanks around a list's entries (which it trims).
 */
import { didYouMean } from '../../../kernel/text/nearest.ts'
import { textFault } from '../../../model/text/text.ts'
import { type Keys, MIDDLEWARE_TYPES, type Scalar } from '../middlewares/middleware-types.ts'

export interface ConfigFault {
  readonly path: readonly (string | number)[]
  /** The end of a sentence. */
  readonly msg: string
}

/** A record of plain data, as a YAML or JSON reader makes it. */
export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)

const MAX_TEXT = 8192
const MAX_ITEMS = 1000
const DEEPEST = 12
const DURATION = /^-?(?:[0-9]{1,15}|(?:[0-9]{1,9}(?:\.[0-9]{1,9})?(?:ns|us|ms|s|m|h)){1,6})$/
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/
const STATUSES = /^[0-9]{3}(?:-[0-9]{3})?$/
/** Box drawings double vertical: Traefik's reader joins and splits lists at it. */
const LIST_MARK = '\u2551'

/** Every fault of one middleware's configuration; `type` is one of `MIDDLEWARE_TYPES`. */
export const checkConfig = (type: string, config: Record<string, unknown>): readonly ConfigFault[] =>
  type === 'plugin' ? anything(config, []) : keys(MIDDLEWARE_TYPES[type]!, config, [])

type Path = readonly (string | number)[]
const fault = (path: Path, msg: string): ConfigFault[] => [{ path, msg }]

function keys(known: Keys, value: unknown, path: Path): ConfigFault[] {
  if (!isMap(value)) return fault(path, 'must be a map')
  const names = Object.keys(value)
  if (names.length === 0) return fault(path, 'must have at least one key')
  return names.flatMap((name) => {
    const inner = [...path, name.slice(0, 64)]
    if (!Object.hasOwn(known, name)) return fault(inner, `is unknown.${didYouMean(name, Object.keys(known))}`)
    const kind = known[name]!
    return typeof kind === 'string' ? CHECKS[kind](value[name], inner) : keys(kind, value[name], inner)
  })
}

const CHECKS: Readonly<Record<Scalar, (value: unknown, path: Path) => ConfigFault[]>> = {
  text: (value, path) =>
    typeof value === 'string' ? text(value, path) : fault(path, 'must be a text; put it in quotes'),
  whole: (value, path) => (Number.isSafeInteger(value) ? [] : fault(path, 'must be a whole number')),
  flag: (value, path) => (typeof value === 'boolean' ? [] : fault(path, 'must be true or false')),
  span: (value, path) =>
    DURATION.test(String(value)) ? [] : fault(path, 'must be a duration such as "10s" or whole seconds'),
  texts: (value, path) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_ITEMS)
      return fault(path, `must be a list of 1 to ${MAX_ITEMS} texts`)
    return value.flatMap((item, i) => listItem(item, [...path, i]))
  },
  headers: (value, path) =>
    named(value, path, (name, inner) =>
      HEADER.test(name)
        ? CHECKS.text((value as Record<string, unknown>)[name], inner)
        : fault(inner, 'is no header name'),
    ),
  statuses: (value, path) =>
    named(value, path, (name, inner) =>
      STATUSES.test(name)
        ? CHECKS.whole((value as Record<string, unknown>)[name], inner)
        : fault(inner, 'must be a status such as "418" or a range such as "500-503"'),
    ),
  anything: (value, path) => anything(value, path),
}

function named(
  value: unknown,
  path: Path,
  check: (name: string, path: Path) => ConfigFault[],
): ConfigFault[] {
  if (!isMap(value)) return fault(path, 'must be a map')
  const names = Object.keys(value)
  if (names.length === 0 || names.length > MAX_ITEMS) return fault(path, `must have 1 to ${MAX_ITEMS} keys`)
  return names.flatMap((name) =>
    name === '' ? fault(path, 'must not have an empty key') : check(name, [...path, name.slice(0, 64)]),
  )
}

function text(value: string, path: Path): ConfigFault[] {
  const found = textFault(value, MAX_TEXT)
  if (found !== null) return fault(path, found)
  return value.includes(LIST_MARK)
    ? fault(path, "must not hold U+2551, which splits lists in Traefik's reader")
    : []
}

function listItem(value: unknown, path: Path): ConfigFault[] {
  if (typeof value !== 'string') return fault(path, 'must be a text; put it in quotes')
  return value === value.trim() && value !== ''
    ? text(value, path)
    : fault(path, 'must not be empty or padded with blanks')
}

/** Plain data of any shape, for plugins: bounded, and free of what YAML cannot say in one way only. */
function anything(value: unknown, path: Path): ConfigFault[] {
  if (path.length > DEEPEST) return fault(path.slice(0, 4), `must not be nested deeper than ${DEEPEST}`)
  if (typeof value === 'boolean') return []
  if (typeof value === 'string') return text(value, path)
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? [] : fault(path, 'must be a whole number; write others in quotes')
  if (Array.isArray(value)) {
    if (value.length === 0 || value.length > MAX_ITEMS)
      return fault(path, `must have 1 to ${MAX_ITEMS} entries`)
    return value.flatMap((item, i) =>
      typeof item === 'string' ? listItem(item, [...path, i]) : anything(item, [...path, i]),
    )
  }
  return named(value, path, (name, inner) => [
    ...text(name, inner),
    ...anything((value as Record<string, unknown>)[name], inner),
  ])
}
