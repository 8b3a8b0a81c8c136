/** The users file as a tree of nodes with their places in the text, aliases and merges allowed, and its data. */
import { type Document, isMap, isScalar, type Node, type Pair, Scalar, visit, type YAMLMap } from 'yaml'
import { composeDocument } from '../../../io/yaml/compose.ts'
import { YamlFault } from '../../../io/yaml/fault.ts'
import { scan } from '../../../io/yaml/scan.ts'

export interface UsersTree {
  readonly document: Document.Parsed | null
  /** Null where the file is empty or its root is no mapping. */
  readonly root: YAMLMap<Node, Node | null> | null
  /** The pair of the key `users`; null where there is none. */
  readonly pair: Pair<Node, Node | null> | null
  /** Mappings as maps, `null` for an empty file. */
  readonly data: unknown
}

const MAX_USERS_BYTES = 2 * 1024 * 1024
/** Nobody's users file needs more; a few lines can otherwise stand for gigabytes. */
const MAX_ALIASES = 1000
/** A directive or a second document is no form that the provider takes. */
const REFUSED = {
  'directive-line': 'starts with "%", a YAML directive; leave it out',
  'explicit-key-ind': 'uses a complex key ("? "); keys must be plain words',
}

/**
 * A text is looked at many times on its way: read, edited, read again, written, seen. Trees are never changed, so the last
 * few are kept: of 200 users, each parse takes some milliseconds of everybody's time. So is what is wrong with a text: two
 * megabytes that nobody can read take a quarter of a minute.
 */
const recent: { readonly text: string; readonly tree: UsersTree | YamlFault }[] = []
const MAX_RECENT = 3

/** Throws YamlFault. */
export function usersTree(text: string): UsersTree {
  const known = recent.find((one) => one.text === text)
  const tree = known?.tree ?? parsedOrFault(text)
  if (known === undefined) recent.unshift({ text, tree })
  if (recent.length > MAX_RECENT) recent.pop()
  if (tree instanceof YamlFault) throw tree
  return tree
}

function parsedOrFault(text: string): UsersTree | YamlFault {
  try {
    return parsed(text)
  } catch (error) {
    if (error instanceof YamlFault) return error
    throw error
  }
}

function parsed(text: string): UsersTree {
  if (Buffer.byteLength(text) > MAX_USERS_BYTES)
    throw new YamlFault(null, `is larger than ${MAX_USERS_BYTES} bytes`)
  const document = composeDocument(scan(text, { refused: REFUSED, reader: 'go' }), { merge: true })
  if (document === null || document.contents === null) return { document, root: null, pair: null, data: null }
  refuseTwins(document)
  const root = document.contents
  const map = isMap(root) ? (root as YAMLMap<Node, Node | null>) : null
  const pair = map?.items.find(({ key }) => isScalar(key) && key.value === 'users') ?? null
  return { document, root: map, pair, data: dataOf(document) }
}

function dataOf(document: Document.Parsed): unknown {
  try {
    return document.toJS({ mapAsMap: true, maxAliasCount: MAX_ALIASES })
  } catch (error) {
    throw new YamlFault(null, `cannot be resolved: ${(error as Error).message}`)
  }
}

/** The provider's reader refuses a mapping that has a key twice. */
function refuseTwins(document: Document.Parsed): void {
  visit(document, {
    Map(_key, map) {
      const seen = new Set<unknown>()
      for (const { key } of map.items) {
        const name = isScalar(key) ? key.value : key
        if (isScalar(key) && key.type === Scalar.PLAIN && key.source === '')
          throw new YamlFault(key.range?.[0] ?? null, 'has a value without a key')
        if (seen.has(name))
          throw new YamlFault((key as Node).range?.[0] ?? null, `has the key "${String(name)}" a second time`)
        seen.add(name)
      }
    },
  })
}
