/** From the library's nodes to plain data. Depth is bounded by `scan.ts`, so recursion is safe here. */
import { isMap, isScalar, isSeq, type Node, Scalar, type YAMLMap } from 'yaml'
import type { DocumentData } from '../../ports/documents.ts'
import { YamlFault } from './fault.ts'

export type ScalarReading = 'typed' | 'text'

/** Throws YamlFault for duplicate keys, merge keys and keys that are missing. */
export function plain(node: unknown, scalars: ScalarReading): DocumentData {
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
