/**
 * Whether Traefik takes a file of its folder: one fault anywhere, and it takes no change of any file in it; at its next restart
 * all routes of the folder are gone. Pure. What disables a single object alone is no fault here.
 *
 * Its decoder (paerser) makes every value text and reads it again by the type of its field, overlooks unknown keys at the
 * root and no others, and takes names of fields in either case of letters.
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

function faultOfRoot(root: FileNode): Fault | null {
  if (root.kind === 'null') return null
  if (root.kind !== 'map') return { line: root.line, why: 'is no mapping at its root' }
  for (const [key, { value }] of root.entries) {
    const kind = kindIn(ROOT_KEYS, key)
    if (kind === null) continue
    const fault = unreadable(value) ?? faultOf(kind, value, key)
    if (fault !== null) return { ...fault, line: fault.line ?? root.entries.get(key)!.line }
  }
  return null
}

/** What cannot be made text, wherever it stands. */
function unreadable(node: FileNode): Fault | null {
  if (node.kind === 'time')
    return { line: node.line, why: 'field not supported: time.Time; put the date in quotes' }
  if (node.kind === 'list') {
    const empty = node.items.find(({ kind }) => kind === 'null')
    if (empty !== undefined)
      return { line: empty.line ?? node.line, why: 'field not supported: <nil> in a list' }
  }
  for (const one of partsOf(node)) {
    const fault = unreadable(one)
    if (fault !== null) return fault
  }
  return null
}

const partsOf = (node: FileNode): readonly FileNode[] =>
  node.kind === 'list'
    ? node.items
    : node.kind === 'map'
      ? [...node.entries.values()].map(({ value }) => value)
      : []

function faultOf(kind: Kind, node: FileNode, name: string): Fault | null {
  if (node.kind === 'null') return null
  switch (kind.kind) {
    case 'anything':
      return null
    case 'list':
      return faultOfList(kind.of, node, name)
    case 'named':
      return faultOfNamed(kind.of, node, name)
    case 'keys':
      return faultOfKeys(kind, node, name)
    case 'text':
    case 'whole':
    case 'flag':
    case 'span':
      return node.kind === 'text'
        ? faultOfText(kind.kind, node, name)
        : at(node, `${name} is no single value`)
  }
}

function faultOfNamed(of: Kind, node: FileNode, name: string): Fault | null {
  if (node.kind !== 'map' || node.entries.size === 0) return standalone(node, name)
  return first(node, (key, value) => (isEmptyMap(value) ? null : faultOf(of, value, key)))
}

function faultOfKeys(
  { keys, may_be_empty }: Extract<Kind, { kind: 'keys' }>,
  node: FileNode,
  name: string,
): Fault | null {
  // `true` stands for `{}` where that is allowed.
  if (may_be_empty && node.kind === 'text') return faultOfText('flag', node, name)
  if (node.kind !== 'map' || (node.entries.size === 0 && !may_be_empty)) return standalone(node, name)
  return first(node, (key, value, line) => {
    const kind = kindIn(keys, key)
    return kind === null
      ? { line, why: `field not found, node: ${key}`, is_unknown_key: true }
      : faultOf(kind, value, key)
  })
}

/** Between elements the decoder writes this character, and splits there again. */
const BETWEEN = '\u2551'

function faultOfList(of: Kind, node: FileNode, name: string): Fault | null {
  const items = node.kind === 'text' ? pieces(node, ',') : node.kind === 'list' ? node.items : null
  if (items === null) return at(node, `invalid slice: type map, node: ${name}`)
  for (const item of items) {
    if (of.kind !== 'keys' && item.kind !== 'text') return at(item, `invalid slice element, node: ${name}`)
    const parts = item.kind === 'text' ? pieces(item, BETWEEN) : [item]
    for (const part of parts) {
      const fault = faultOf(of, part, name)
      if (fault !== null) return { ...fault, line: fault.line ?? node.line }
    }
  }
  return null
}

const pieces = (node: Extract<FileNode, { kind: 'text' }>, between: string): readonly FileNode[] =>
  node.text.split(between).map((text) => ({ ...node, text: text.trim() }))

/** The keys of a mapping are read one after another. */
function first(
  node: Extract<FileNode, { kind: 'map' }>,
  look: (key: string, value: FileNode, line: number | null) => Fault | null,
): Fault | null {
  for (const [key, { line, value }] of node.entries) {
    const fault = look(key, value, line)
    if (fault !== null) return { ...fault, line: fault.line ?? line }
  }
  return null
}

function kindIn(keys: KeyKinds, key: string): Kind | null {
  const exact = keys.get(key)
  if (exact !== undefined) return exact
  const lower = key.toLowerCase()
  for (const [name, kind] of keys) if (name.toLowerCase() === lower) return kind
  return null
}

const FLAGS: ReadonlySet<string> = new Set('1 t T TRUE true True 0 f F FALSE false False'.split(' '))
const SPAN = /^[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/

function faultOfText(
  kind: 'text' | 'whole' | 'flag' | 'span',
  node: Extract<FileNode, { kind: 'text' }>,
  name: string,
): Fault | null {
  const { text } = node
  const shown = JSON.stringify(text.slice(0, 64))
  if (kind === 'flag' && !FLAGS.has(text)) return at(node, `${name} is ${shown}, and not true or false`)
  if (kind === 'whole' && !isWhole(text)) return at(node, `${name} is ${shown}, and no whole number`)
  if (kind === 'span' && !isWhole(text) && !SPAN.test(text))
    return at(node, `${name} is ${shown}, and no duration`)
  return null
}

const isWhole = (text: string): boolean =>
  /^[-+]?\d{1,40}$/.test(text) &&
  BigInt.asIntN(64, BigInt(text.replace('+', ''))) === BigInt(text.replace('+', ''))

const isEmptyMap = (node: FileNode): boolean =>
  (node.kind === 'map' && node.entries.size === 0) || (node.kind === 'list' && node.items.length === 0)

const at = ({ line }: FileNode, why: string): Fault => ({ line, why })

const standalone = (node: FileNode, name: string): Fault => at(node, `${name} cannot be a standalone element`)

/** Of routers, services, middlewares and transports. */
const namesIn = (root: FileNode): readonly string[] =>
  ['http', 'tcp', 'udp'].flatMap((section) =>
    partsIn(root, section).flatMap((part) => (part.kind === 'map' ? [...part.entries.keys()] : [])),
  )

function partsIn(root: FileNode, section: string): readonly FileNode[] {
  if (root.kind !== 'map') return []
  return [...root.entries]
    .filter(([key]) => key.toLowerCase() === section)
    .flatMap(([, { value }]) => partsOf(value))
}
