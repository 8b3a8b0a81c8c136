/** Reading one YAML document within bounds: size, then tokens and depth, then nodes, then data. */
import { isMap, isScalar, isSeq, type Node, Scalar, type YAMLMap } from 'yaml'
import {
  type DocumentData,
  type DocumentRead,
  MAX_DOCUMENT_BYTES,
  MAX_IMPORT_BYTES,
  type ReadOptions,
} from '../../ports/documents.ts'
import { compose } from './compose.ts'
import { lineAt, YamlFault } from './fault.ts'
import { scan } from './scan.ts'

export function readYaml(text: string, options: ReadOptions = {}): DocumentRead {
  const max_bytes = Math.min(options.max_bytes ?? MAX_DOCUMENT_BYTES, MAX_IMPORT_BYTES)
  // A UTF-8 text is at least as long as its count of UTF-16 units, so a giant is not even measured.
  if (text.length > max_bytes || Buffer.byteLength(text) > max_bytes)
    return { ok: false, line: null, msg: `is larger than ${max_bytes} bytes` }
  try {
    return {
      ok: true,
      data: plain(compose(scan(text, { reader: options.reader ?? 'any' })), options.scalars ?? 'typed'),
    }
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error
    return { ok: false, line: error.offset === null ? null : lineAt(text, error.offset), msg: error.message }
  }
}

// From the library's nodes to plain data. Depth is bounded by `scan.ts`, so recursion is safe here.

type ScalarReading = 'typed' | 'text'

/** Throws YamlFault for duplicate keys, merge keys and keys that are missing. */
function plain(node: unknown, scalars: ScalarReading): DocumentData {
  if (node === null) return null
  if (isScalar(node)) return scalarOf(node, scalars)
  if (isSeq(node)) return node.items.map((item) => plain(item, scalars))
  if (isMap(node)) return mappingOf(node, scalars)
  throw new YamlFault(startOf(node), 'holds something that is neither a value, a list nor a mapping')
}

function mappingOf(map: YAMLMap, scalars: ScalarReading): DocumentData {
  const mapping = Object.create(null) as Record<string, DocumentData>
  const seen = new Set<string>()
  for (const { key, value } of map.items) {
    const name = keyOf(key)
    if (seen.has(name)) throw new YamlFault(startOf(key), `has the key "${name.slice(0, 64)}" a second time`)
    seen.add(name)
    mapping[name] = plain(value ?? null, scalars)
  }
  return mapping
}

function keyOf(key: unknown): string {
  if (!isScalar(key) || typeof key.value !== 'string')
    throw new YamlFault(startOf(key), 'has a key that is not a word')
  if (key.type !== Scalar.PLAIN) return key.value
  if (key.value === '') throw new YamlFault(startOf(key), 'has a value without a key')
  if (key.value === '<<') throw new YamlFault(startOf(key), 'uses a merge key ("<<"); write the keys out')
  return key.value
}

function scalarOf({ value, source }: Scalar, scalars: ScalarReading): DocumentData {
  if (value === null || typeof value === 'string') return value
  if (source === undefined || scalars === 'text') return source ?? ''
  if (typeof value === 'boolean') return value
  return typeof value === 'number' && Number.isFinite(value) && String(value) === source ? value : source
}

const startOf = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0
