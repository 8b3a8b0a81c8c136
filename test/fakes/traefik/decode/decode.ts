/**
 * A file as Traefik decodes it, all or nothing: unknown keys, empty objects, nulls in lists and values of another type refuse
 * the whole of it (reference, §1.4).
 */
import { ROOT } from './file-schema.ts'
import type { Fields, Kind, Scalar } from './schema.ts'
import { durationOf, flagOf, wholeOf } from './scalars.ts'
import { templated, type Environment } from './template.ts'
import { tomlTree } from './toml.ts'
import { type Tree, treeOf } from './tree.ts'

export type Decoded = Readonly<Record<string, unknown>>
/** What a provider says: `http`, `tcp`, `udp` and `tls`, each with its objects by name. */
export type Configuration = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** @throws with Traefik's words for a file that it refuses. */
export function decodeFile(bytes: Buffer, environment: Environment): Configuration {
  return decodeTree(treeOf(templated(bytes, environment)))
}

/** The same of TOML. */
export const decodeToml = (bytes: Buffer, environment: Environment): Configuration =>
  decodeTree(tomlTree(templated(bytes, environment)))

function decodeTree(tree: Tree): Configuration {
  if (tree === null) return {}
  if (typeof tree === 'string' || Array.isArray(tree))
    throw new Error('yaml: cannot unmarshal into map[string]interface {}')
  const known = Object.entries(tree).filter(([key]) => fieldOf(ROOT, key) !== null)
  return structOf(ROOT, Object.fromEntries(known)) as Configuration
}

/** Undefined: nothing was said. */
function value(kind: Kind, tree: Tree, name: string): unknown {
  if (tree === null) return undefined
  switch (kind.kind) {
    case 'anything':
      return tree
    case 'list':
      return list(kind.of, tree, name)
    case 'text':
    case 'file':
    case 'flag':
    case 'whole':
    case 'duration':
      return scalarOf(kind.kind, tree, name)
    case 'map':
      return Object.fromEntries(
        Object.entries(children(tree, name)).flatMap(([key, one]) => {
          const found = entry(kind.of, one, key)
          return found === undefined ? [] : [[key, found]]
        }),
      )
    case 'struct':
      if (kind.may_be_empty && isSwitch(tree)) return flagFromSwitch(tree)
      return structOf(kind.fields, children(tree, name, kind.may_be_empty))
  }
}

/** An entry of a map may be `{}`: it is decoded, and its object fails when it is built. */
const entry = (kind: Kind, tree: Tree, name: string): unknown =>
  kind.kind === 'struct' && isEmpty(tree) ? {} : value(kind, tree, name)

function structOf(fields: Fields, tree: Readonly<Record<string, Tree>>): Decoded {
  const found: Record<string, unknown> = {}
  for (const [key, one] of Object.entries(tree)) {
    const name = fieldOf(fields, key)
    if (name === null) throw new Error(`field not found, node: ${key}`)
    const decoded = value(fields[name]!, one, key)
    if (decoded !== undefined) found[name] = decoded
  }
  return found
}

/** Case does not count in the name of a field. */
function fieldOf(fields: Fields, key: string): string | null {
  if (Object.hasOwn(fields, key)) return key
  const lower = key.toLowerCase()
  return Object.keys(fields).find((name) => name.toLowerCase() === lower) ?? null
}

const isEmpty = (tree: Tree): boolean =>
  tree !== null && typeof tree === 'object' && Object.keys(tree).length === 0

/** `true` stands for `{}` where that is allowed. */
const isSwitch = (tree: Tree): tree is string => typeof tree === 'string'
const flagFromSwitch = (text: string): Decoded | undefined => (flagOf(text) ? {} : undefined)

function children(tree: Tree, name: string, may_be_empty = false): Readonly<Record<string, Tree>> {
  if (tree === null || typeof tree === 'string' || Array.isArray(tree) || (isEmpty(tree) && !may_be_empty))
    throw new Error(`${name} cannot be a standalone element (type map)`)
  return tree as Readonly<Record<string, Tree>>
}

/** Between elements the decoder writes this character, and splits there again. */
const BETWEEN = '\u2551'

function list(kind: Kind, tree: Tree, name: string): readonly unknown[] {
  if (typeof tree === 'string') return scalars(kind, tree.split(','), name)
  if (!Array.isArray(tree)) throw new Error(`invalid slice: type ${typeof tree}, node: ${name}`)
  if (tree.some((one) => one === null)) throw new Error(`field not supported: <nil>, node: ${name}`)
  if (kind.kind === 'struct') return tree.map((one, i) => value(kind, one as Tree, `[${i}]`))
  if (tree.some((one) => typeof one !== 'string')) throw new Error(`invalid slice element, node: ${name}`)
  return scalars(
    kind,
    (tree as readonly string[]).flatMap((one) => one.split(BETWEEN)),
    name,
  )
}

const scalars = (kind: Kind, texts: readonly string[], name: string): readonly unknown[] =>
  texts.map((text) => value(kind, text.trim(), name))

function scalarOf(kind: Scalar, tree: Tree, name: string): unknown {
  if (typeof tree !== 'string') throw new Error(`field ${name} is no simple value`)
  try {
    if (kind === 'flag') return flagOf(tree)
    if (kind === 'whole') return wholeOf(tree)
    if (kind === 'duration') return durationText(tree)
    return tree
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error })
  }
}

/** As Go prints it in the API: `1s`, `100ms`. */
function durationText(text: string): string {
  const ms = durationOf(text)
  if (ms % 1000 !== 0) return `${ms}ms`
  const [hours, minutes, seconds] = [
    Math.floor(ms / 3_600_000),
    Math.floor(ms / 60_000) % 60,
    (ms / 1000) % 60,
  ]
  if (hours > 0) return `${hours}h${minutes}m${seconds}s`
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`
}
