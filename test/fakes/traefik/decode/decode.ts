/**
 * A file as Traefik decodes it, all or nothing: unknown keys, empty objects, nulls in lists and values of another type refuse
 * the whole of it. Held to what the decoder of 3.7.9 itself said (fixtures/traefik).
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
  return structOf(ROOT, partOf('', Object.fromEntries(known))) as Configuration
}

/** What its decoder (paerser 0.2.2) makes of a value before it looks at types. What is null is not there. */
interface Part {
  readonly name: string
  readonly tree: Tree
  readonly text: string
  readonly parts: readonly Part[]
}

/** Between the elements of a list it writes this character, behind the kind of its elements (24: texts). */
const BETWEEN = '\u2551'
const OF_LIST = `${BETWEEN}24${BETWEEN}`

function partOf(name: string, tree: Tree): Part {
  if (typeof tree === 'string') return { name, tree, text: tree, parts: [] }
  if (!Array.isArray(tree)) return { name, tree, text: '', parts: inner(Object.entries(tree ?? {})) }
  const items = tree as readonly Tree[]
  const odd = items.find((one) => one === null || Array.isArray(one))
  if (odd !== undefined)
    throw new Error(`field not supported: ${odd === null ? '<nil>' : 'slice'}, node: ${name}`)
  const texts = items.filter((one) => typeof one === 'string')
  const text = texts.length === 0 ? '' : OF_LIST + texts.join(BETWEEN)
  return {
    name,
    tree,
    text,
    parts: inner(items.flatMap((one, i) => (typeof one === 'string' ? [] : [[`[${i}]`, one]]))),
  }
}

const inner = (entries: readonly (readonly [string, Tree])[]): readonly Part[] =>
  entries.flatMap(([key, one]) => (one === null ? [] : partOf(key, one)))

/** Undefined: nothing was said. */
function value(kind: Kind, part: Part): unknown {
  const { name, parts, text, tree } = part
  switch (kind.kind) {
    case 'anything':
      return tree
    case 'list':
      return list(kind.of, part)
    case 'text':
    case 'file':
    case 'flag':
    case 'whole':
    case 'duration':
      if (parts.length > 0) throw new Error(`invalid node ${name}: ${kind.kind}`)
      return scalarOf(kind.kind, text, name)
    case 'map':
      if (parts.length === 0) throw standalone(name)
      return Object.fromEntries(parts.flatMap((entry) => entriesOf(kind.of, entry, entry.name)))
    case 'struct':
      if (parts.length === 0 && !kind.may_be_empty) throw standalone(name)
      // Where `{}` is allowed, `true` stands for it, and any other text for nothing.
      if (parts.length === 0 && text !== '' && text.toLowerCase() !== 'true') return undefined
      return structOf(kind.fields, part)
  }
}

/** An object may hold nothing: it is decoded, and fails when it is built. A text that holds others becomes several: `a.b`. */
function entriesOf(kind: Kind, part: Part, name: string): readonly (readonly [string, unknown])[] {
  if (kind.kind === 'struct') return [[name, structOf(kind.fields, part)]]
  if (kind.kind === 'text' && part.parts.length > 0)
    return part.parts.flatMap((one) => entriesOf(kind, one, `${name}.${one.name}`))
  return [[name, value(kind, part)]]
}

const standalone = (name: string): Error => new Error(`${name} cannot be a standalone element (type map)`)

function structOf(fields: Fields, { parts }: Part): Decoded {
  const found: Record<string, unknown> = {}
  for (const one of parts) {
    const name = fieldOf(fields, one.name)
    if (name === null) throw new Error(`field not found, node: ${one.name}`)
    const decoded = value(fields[name]!, one)
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

function list(kind: Kind, { parts, text, name }: Part): readonly unknown[] | undefined {
  if (kind.kind === 'struct') return parts.map((one) => structOf(kind.fields, one))
  const deeper = parts.flatMap((one) => one.parts).at(0)
  if (deeper !== undefined) throw new Error(`field not found, node: ${deeper.name}`)
  if (text === '') return undefined
  const texts = text.includes(BETWEEN) ? text.split(BETWEEN).slice(2) : text.split(',')
  return texts.map((one) => scalarOf(kind.kind as Scalar, one.trim(), name))
}

function scalarOf(kind: Scalar, text: string, name: string): unknown {
  try {
    if (kind === 'flag') return flagOf(text)
    if (kind === 'whole') return wholeOf(text)
    if (kind === 'duration') return durationText(text)
    return text
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
