/** From the environment to frozen, validated settings. Everything that is wrong is said at once, one line per fault. */
import { join } from 'node:path'
import { Failure, type FieldError, fieldError } from '../kernel/failure.ts'
import { didYouMean } from '../kernel/text/nearest.ts'
import { withoutUser } from './kinds/refine.ts'
import { type Environment, fileTwin, lookUp, type Source, textOf } from './lookup.ts'
import { type ReadFile, readSmallFile } from './read-file.ts'
import type { Declared, Settings } from './sections.ts'
import type { AnySetting } from './setting.ts'

export interface LoadedConfig {
  readonly settings: Settings
  /** All settings that there are, in the order of their sections. */
  readonly declared: readonly Declared[]
  /** Where each value came from, by the setting's name. */
  readonly sources: Readonly<Record<string, Source>>
  /** The files of those that came from one, by the setting's name. */
  readonly files: Readonly<Record<string, string>>
  /** Values that are allowed but unwise, one sentence each. They never hold a secret. */
  readonly warnings: readonly string[]
}

export interface LoadOptions {
  readonly read?: ReadFile
}

/**
 * Throws `bad_configuration`, with a line per fault as its message and the same as `errors`. Takes the secrets out of `env`.
 * @param declared all settings that there are: any other name of ours is a fault
 */
export function loadDeclared(
  declared: readonly Declared[],
  env: Environment,
  { read = readSmallFile }: LoadOptions,
): LoadedConfig {
  const faults = unknownNames(declared, env)
  const values = new Map<string, unknown>()
  const sources: Record<string, Source> = {}
  const files: Record<string, string> = {}
  for (const { setting } of declared) {
    const outcome = resolve(setting, { env, read, values })
    if (outcome.ok) {
      values.set(setting.name, outcome.value)
      sources[setting.name] = outcome.source
      if (outcome.path !== undefined) files[setting.name] = outcome.path
    } else faults.push(fieldError([setting.name], outcome.msg, 'config'))
  }
  if (faults.length > 0)
    throw new Failure('bad_configuration', faults.map(lineOf).join('\n'), { errors: faults })
  const settings = bySection(declared, values)
  return { declared, ...freezeDeeply({ settings, sources, files, warnings: warningsOf(declared, values) }) }
}

interface Surroundings {
  readonly env: Environment
  readonly read: ReadFile
  /** Settings that come earlier in the list. */
  readonly values: ReadonlyMap<string, unknown>
}

type Resolved =
  | { readonly ok: true; readonly value: unknown; readonly source: Source; readonly path?: string }
  | { readonly ok: false; readonly msg: string }

function resolve(setting: AnySetting, { env, read, values }: Surroundings): Resolved {
  const found = lookUp(setting, env, read)
  if (found.kind === 'fault') return { ok: false, msg: found.msg }
  if (found.kind === 'unset' && setting.default === null) return { ok: true, value: null, source: 'default' }
  const text = found.kind === 'found' ? found.text : defaultText(setting, values)
  const parsed = setting.schema.safeParse(text)
  if (parsed.success)
    return {
      ok: true,
      value: parsed.data,
      source: found.kind === 'found' ? found.source : 'default',
      ...(found.kind === 'found' && found.path !== undefined && { path: found.path }),
    }
  const shown = setting.secret ? '' : `${JSON.stringify(withoutUser(text).slice(0, 200))} `
  return { ok: false, msg: shown + (parsed.error.issues[0]?.message ?? 'is wrong') }
}

/** A default inside another setting's directory waits for no fault of that setting: any directory will do then. */
function defaultText(setting: AnySetting, values: ReadonlyMap<string, unknown>): string {
  const text = setting.default ?? ''
  if (setting.default_in === null) return text
  const folder = values.get(setting.default_in)
  return join(typeof folder === 'string' ? folder : '/', text)
}

/** Names that begin with PLUMBLINE_ and that nobody declared: a misspelt setting would silently do nothing. */
function unknownNames(declared: readonly Declared[], env: Environment): FieldError[] {
  const known = new Set(
    declared.flatMap(({ setting }) => (setting.secret ? namesOf(setting) : [setting.name])),
  )
  return Object.keys(env)
    .filter((name) => /^PLUMBLINE_/i.test(name) && !known.has(name) && textOf(env, name) !== null)
    .sort()
    .map((name) => fieldError([name], `is not a setting.${didYouMean(name, known)}`, 'unknown_setting'))
}

const namesOf = ({ name }: AnySetting): string[] => [name, fileTwin(name)]

const lineOf = ({ loc, msg }: FieldError): string => `${loc.join('.')} ${msg}${/[.?]$/.test(msg) ? '' : '.'}`

function bySection(declared: readonly Declared[], values: ReadonlyMap<string, unknown>): Settings {
  const settings: Record<string, Record<string, unknown>> = {}
  for (const { owner, key, setting } of declared) (settings[owner] ??= {})[key] = values.get(setting.name)
  return settings as unknown as Settings
}

const warningsOf = (declared: readonly Declared[], values: ReadonlyMap<string, unknown>): string[] =>
  declared.flatMap(({ setting }) => {
    const warning = setting.warn(values.get(setting.name))
    return warning === null ? [] : [`${setting.name} ${warning}.`]
  })

/** Freezes plain objects and arrays all the way down; instances of classes are left alone. */
function freezeDeeply<T>(value: T): T {
  if (isPlain(value)) for (const member of Object.values(Object.freeze(value))) freezeDeeply(member)
  return value
}

function isPlain(value: unknown): value is object {
  if (value === null || typeof value !== 'object') return false
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}
