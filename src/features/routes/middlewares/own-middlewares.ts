/**
 * The operator's own catalogue: a YAML file of `name: { description?, position?, unfit_for?, changes_path?, config: { <type>: … } }`,
 * read elsewhere and checked here.
 *
 * The operator may write what a record's owner may not (`plugin`, `chain`, `errors`, `forwardAuth`, file names), but
 * nothing that would cost the whole file: see `config-check.ts`.
 */
import { type FieldError, fieldError } from '../../../kernel/failure.ts'
import { didYouMean } from '../../../kernel/text/nearest.ts'
import { SERVICE_TYPES } from '../../../model/domain/record.ts'
import { textFault } from '../../../model/text/text.ts'
import { trickHeaders } from '../target/before-sso.ts'
import { checkConfig, isMap } from '../opens/config-check.ts'
import { knownSince, MIDDLEWARE_TYPES } from './middleware-types.ts'
import { mayChangePath } from './path-changing.ts'
import { type NamedSecret, secretFaults } from './secrets-in.ts'
import { type OwnMiddleware, type PlainMap, type Position, POSITIONS } from '../render/settings.ts'
import { type Unfit, unfitByKind } from './unfit.ts'

export interface OwnMiddlewares {
  readonly entries: ReadonlyMap<string, OwnMiddleware>
  readonly errors: readonly FieldError[]
}

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/
const KEYS = ['description', 'position', 'unfit_for', 'changes_path', 'config']
const MAX_DESCRIPTION = 500
const MAX_ENTRIES = 500

/** Types that turn requests away or, like headers, override what we set: they belong outside the SSO check by default. */
const OUTSIDE: ReadonlySet<string> = new Set([
  'basicAuth',
  'digestAuth',
  'encodedCharacters',
  'headers',
  'inFlightReq',
  'ipAllowList',
  'ipWhiteList',
  'rateLimit',
])

/**
 * Good entries and, beside them, every fault with the path to it. An empty file is an empty catalogue.
 * @param secrets which no entry may hold
 */
export function parseOwnMiddlewares(data: unknown, secrets: readonly NamedSecret[] = []): OwnMiddlewares {
  if (data === null || data === undefined) return { entries: new Map(), errors: [] }
  if (!isMap(data)) return none(fieldError([], 'must be a map of names to entries', 'object_type'))
  const named = Object.entries(data)
  if (named.length > MAX_ENTRIES)
    return none(fieldError([], `must have at most ${MAX_ENTRIES} entries`, 'too_long'))
  const entries = new Map<string, OwnMiddleware>()
  const errors: FieldError[] = []
  for (const [name, value] of named) {
    const parsed = parseEntry(name, value)
    const secret_faults = secretFaults(name, value, secrets)
    if ('type' in parsed && secret_faults.length === 0) entries.set(name, parsed)
    else errors.push(...('type' in parsed ? [] : parsed.errors), ...secret_faults)
  }
  return { entries, errors }
}

const none = (error: FieldError): OwnMiddlewares => ({ entries: new Map(), errors: [error] })

interface Faults {
  readonly errors: readonly FieldError[]
}

function parseEntry(name: string, value: unknown): OwnMiddleware | Faults {
  const at = (path: readonly (string | number)[], msg: string, type: string): FieldError =>
    fieldError([name.slice(0, 64), ...path], msg, type)
  if (!NAME.test(name))
    return { errors: [at([], 'must be named with 1 to 63 lower-case letters, digits and hyphens', 'name')] }
  if (!isMap(value)) return { errors: [at([], 'must be a map with the key config', 'object_type')] }
  const typed = typeOf(value['config'])
  const errors = [
    ...Object.keys(value)
      .filter((key) => !KEYS.includes(key))
      .map((key) => at([key.slice(0, 64)], `is unknown.${didYouMean(key, KEYS)}`, 'extra_forbidden')),
    ...describedFaults(value).map(([key, msg]) => at([key], msg, key)),
    ...(value['changes_path'] === undefined || leavesPath(value, typed)
      ? []
      : [at(['changes_path'], LEAVES_PATH, 'changes_path')]),
    ...(typeof typed === 'string'
      ? [at(['config'], typed, 'config')]
      : checkConfig(typed.type, typed.config).map(({ path, msg }) =>
          at(['config', typed.type, ...path], msg, 'config'),
        )),
  ]
  if (errors.length > 0 || typeof typed === 'string') return { errors }
  const entry = entryOf(value, typed.type, typed.config as PlainMap)
  const tricks = entry.position === 'before_sso' ? trickHeaders(entry.type, entry.config) : []
  return tricks.length === 0 ? entry : { errors: [at(['position'], beforeSso(tricks), 'position')] }
}

const beforeSso = (headers: readonly string[]): string =>
  `must be after_sso: in front of the SSO check, ${headers.map((name) => name.slice(0, 64)).join(', ')} would make it judge another request than the one that is served`

/** Types of which nobody but the operator knows it. */
const OPAQUE: readonly string[] = ['chain', 'plugin']
const LEAVES_PATH = `may be left out, or be false, of a ${OPAQUE.join(' or ')} that hands on the path as it was sent`

const leavesPath = (
  { changes_path }: Readonly<Record<string, unknown>>,
  typed: ReturnType<typeof typeOf>,
): boolean => changes_path === false && typeof typed !== 'string' && OPAQUE.includes(typed.type)

/** The one Traefik type of an entry and what stands under it, or why there is none. */
function typeOf(config: unknown): { type: string; config: Record<string, unknown> } | string {
  if (config === undefined) return 'is required'
  if (!isMap(config)) return 'must be a map with one Traefik middleware type'
  const [type, ...others] = Object.keys(config)
  if (type === undefined || others.length > 0) return 'must have exactly one Traefik middleware type'
  if (!Object.hasOwn(MIDDLEWARE_TYPES, type))
    return `has the unknown type "${type.slice(0, 64)}".${didYouMean(type, Object.keys(MIDDLEWARE_TYPES))}`
  const inner = config[type]
  if (!isMap(inner)) return `${type} must be a map with at least one key`
  return { type, config: inner }
}

/** Faults of the parts that describe an entry, by key. */
function describedFaults(value: Readonly<Record<string, unknown>>): [string, string][] {
  const faults: [string, string][] = []
  const { description, position, unfit_for } = value
  if (description !== undefined) {
    const fault = typeof description === 'string' ? textFault(description, MAX_DESCRIPTION) : 'must be a text'
    if (fault !== null) faults.push(['description', fault])
  }
  if (position !== undefined && !POSITIONS.includes(position as Position))
    faults.push(['position', `must be one of ${POSITIONS.join(', ')}`])
  if (unfit_for !== undefined && !isUnfit(unfit_for))
    faults.push(['unfit_for', `must map service types (${SERVICE_TYPES.join(', ')}) to reasons`])
  return faults
}

const isUnfit = (value: unknown): value is Unfit =>
  isMap(value) &&
  Object.entries(value).every(
    ([type, reason]) =>
      (SERVICE_TYPES as readonly string[]).includes(type) &&
      typeof reason === 'string' &&
      textFault(reason, MAX_DESCRIPTION) === null,
  )

function entryOf(value: Readonly<Record<string, unknown>>, type: string, config: PlainMap): OwnMiddleware {
  return {
    description: (value['description'] as string | undefined) ?? '',
    position: (value['position'] as Position | undefined) ?? usualPosition(type, config),
    unfit_for: { ...unfitByKind(type, config), ...(value['unfit_for'] as Unfit | undefined) },
    type,
    since: knownSince(type, keysOf(config)),
    changes_path: value['changes_path'] !== false && mayChangePath(type),
    config,
  }
}

/** Request headers are meant for the backend: in front of the SSO check they would answer for the user there. */
const usualPosition = (type: string, config: PlainMap): Position =>
  OUTSIDE.has(type) && !Object.hasOwn(config, 'customRequestHeaders') ? 'before_sso' : 'after_sso'

/** Every key of a tree, whatever its depth. */
function keysOf(value: unknown): string[] {
  if (!isMap(value)) return []
  return Object.entries(value).flatMap(([key, below]) => [key, ...keysOf(below)])
}
