/**
 * Whether Traefik takes a file of its folder: one fault anywhere, and it takes no change of any file in it; at its next restart
 * all routes of the folder are gone. Pure. What disables a single object alone is no fault here.
 *
 * Its decoder (paerser 0.2.2) makes every value text and reads it again by the type of its field, overlooks unknown keys at the
 * root and no others, and takes names of fields in either case of letters. A key whose value is null is not there: what holds
 * nothing else is empty, and an empty section refuses the file.
 */
import type { FileEvaluation, FileNode } from '../../../ports/proxy-files.ts'
import { type KeyKinds, type Kind, ROOT_KEYS } from './dynamic-keys.ts'

interface Fault {
  readonly line: number | null
  readonly why: string
  /** A later version may know it. */
  readonly is_unknown_key?: true
}

/** @param knows_all whether our list of keys is that of the version that runs */
export function evaluateDynamicFile(root: FileNode, knows_all: boolean): FileEvaluation {
  const fault = faultOfRoot(root)
  if (fault === null) return { kind: 'taken', names: namesIn(root) }
  const { line, why, is_unknown_key } = fault
  return is_unknown_key === true && !knows_all
    ? { kind: 'not_judged', why: `holds a key that is not known here (${why})` }
    : { kind: 'refused', line, why }
}

/**
 * A value as the decoder has it before it knows any type: its text, and what stands in it by name. What is null is not there at
 * all, and a mapping in a list is called by its place: `[0]`.
 */
interface Part {
  readonly name: string
  /** Of the key. */
  readonly key_line: number | null
  readonly line: number | null
  /** Empty for a mapping, and for a list without single values. */
  readonly text: string
  readonly parts: readonly Part[]
}

/** Between the elements of a list the decoder writes this character. */
const BETWEEN = '\u2551'

function partOf(name: string, key_line: number | null, node: FileNode): Part {
  const line = node.line ?? key_line
  const place = { name, key_line, line }
  if (node.kind === 'list') {
    const parts = node.items.flatMap((item, i) => (item.kind === 'map' ? partOf(`[${i}]`, line, item) : []))
    const texts = node.items.flatMap((item) => (item.kind === 'text' ? item.text : []))
    return { ...place, text: texts.map((text) => BETWEEN + text).join(''), parts }
  }
  return { ...place, text: node.kind === 'text' ? node.text : '', parts: partsOf(node) }
}

const partsOf = (node: FileNode): readonly Part[] =>
  node.kind !== 'map'
    ? []
    : [...node.entries].flatMap(([key, { line, value }]) =>
        value.kind === 'null' ? [] : partOf(key, line, value),
      )

/** What cannot be made text, wherever it stands. */
function unreadable(node: FileNode): Fault | null {
  if (node.kind === 'time')
    return { line: node.line, why: 'field not supported: time.Time; put the date in quotes' }
  if (node.kind === 'map') return firstOf([...node.entries.values()], ({ value }) => unreadable(value))
  if (node.kind !== 'list') return null
  return firstOf(node.items, (item) => {
    if (item.kind === 'null')
      return { line: item.line ?? node.line, why: 'field not supported: <nil> in a list' }
    if (item.kind === 'list')
      return { line: item.line ?? node.line, why: 'field not supported: a list in a list' }
    return unreadable(item)
  })
}

function firstOf<T>(items: readonly T[], look: (item: T) => Fault | null): Fault | null {
  for (const item of items) {
    const fault = look(item)
    if (fault !== null) return fault
  }
  return null
}

/** Root keys that it does not know are overlooked with all that they hold. */
function faultOfRoot(root: FileNode): Fault | null {
  if (root.kind === 'null') return null
  if (root.kind !== 'map') return { line: root.line, why: 'is no mapping at its root' }
  const known = [...root.entries].filter(([key]) => kindIn(ROOT_KEYS, key) !== null)
  return (
    firstOf(known, ([, { line, value }]) => withLine(unreadable(value), line)) ??
    firstOf(known, ([key, { line, value }]) =>
      value.kind === 'null' ? null : faultOf(kindIn(ROOT_KEYS, key)!, partOf(key, line, value)),
    )
  )
}

const withLine = (fault: Fault | null, line: number | null): Fault | null =>
  fault === null ? null : { ...fault, line: fault.line ?? line }

function faultOf(kind: Kind, part: Part): Fault | null {
  switch (kind.kind) {
    case 'anything':
      return null
    case 'list':
      return firstOf(part.parts, (item) => faultOfItem(kind.of, item))
    case 'named':
      return part.parts.length === 0
        ? standalone(part)
        : firstOf(part.parts, (entry) => faultOfEntry(kind.of, entry))
    case 'keys':
      return part.parts.length === 0 && !kind.may_be_empty ? standalone(part) : faultOfKeys(kind.keys, part)
    case 'text':
    case 'whole':
    case 'flag':
    case 'span':
      return part.parts.length > 0
        ? at(part, `${part.name} is no single value`)
        : faultOfText(kind.kind, part)
  }
}

/** An entry that holds nothing is taken, and fails by itself later. What a header's name holds becomes headers of its own. */
const faultOfEntry = (of: Kind, entry: Part): Fault | null =>
  of.kind === 'keys' ? faultOfKeys(of.keys, entry) : of.kind === 'text' ? null : faultOf(of, entry)

/** A mapping in a list of texts is overlooked where it is empty, and a single value in a list of objects in any case. */
function faultOfItem(of: Kind, item: Part): Fault | null {
  if (of.kind === 'keys') return faultOfKeys(of.keys, item)
  const [inner] = item.parts
  return inner === undefined ? null : notFound(inner)
}

function faultOfKeys(keys: KeyKinds, { parts }: Part): Fault | null {
  return firstOf(parts, (part) => {
    const kind = kindIn(keys, part.name)
    return kind === null ? notFound(part) : faultOf(kind, part)
  })
}

function kindIn(keys: KeyKinds, key: string): Kind | null {
  const exact = keys.get(key)
  if (exact !== undefined) return exact
  const lower = key.toLowerCase()
  for (const [name, kind] of keys) if (name.toLowerCase() === lower) return kind
  return null
}

const notFound = ({ name, key_line, line }: Part): Fault => ({
  line: key_line ?? line,
  why: `field not found, node: ${name}`,
  ...(!name.startsWith('[') && { is_unknown_key: true }),
})

const FLAGS: ReadonlySet<string> = new Set('1 t T TRUE true True 0 f F FALSE false False'.split(' '))
const SPAN = /^[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/

function faultOfText(kind: 'text' | 'whole' | 'flag' | 'span', part: Part): Fault | null {
  const { name, text } = part
  const shown = JSON.stringify(text.slice(0, 64))
  if (kind === 'flag' && !FLAGS.has(text)) return at(part, `${name} is ${shown}, and not true or false`)
  if (kind === 'whole' && !isWhole(text)) return at(part, `${name} is ${shown}, and no whole number`)
  if (kind === 'span' && !isWhole(text) && !SPAN.test(text))
    return at(part, `${name} is ${shown}, and no duration`)
  return null
}

const isWhole = (text: string): boolean =>
  /^[-+]?\d{1,40}$/.test(text) &&
  BigInt.asIntN(64, BigInt(text.replace('+', ''))) === BigInt(text.replace('+', ''))

const at = ({ line }: Part, why: string): Fault => ({ line, why })

const standalone = ({ name, key_line, line }: Part): Fault => ({
  line: key_line ?? line,
  why: `${name} cannot be a standalone element`,
})

/** Of routers, services, middlewares and transports. */
const namesIn = (root: FileNode): readonly string[] =>
  partsOf(root)
    .filter(({ name }) => ['http', 'tcp', 'udp'].includes(name.toLowerCase()))
    .flatMap(({ parts }) => parts.flatMap((section) => section.parts.map(({ name }) => name)))
