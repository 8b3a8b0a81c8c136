/** TOML as a tree whose leaves are texts, as for YAML. */
import { parse, TomlDate } from 'smol-toml'
import type { Tree } from './tree.ts'

/** @throws with the words of the parser, or for a date: it is no simple value to the decoder. */
export const tomlTree = (bytes: Buffer): Tree =>
  treeOf(parse(bytes.toString('utf8').replace(/^\ufeff/, ''), { integersAsBigInt: true }))

function treeOf(value: unknown): Tree {
  if (value instanceof TomlDate) throw new Error('field not supported: time.Time')
  if (Array.isArray(value)) return value.map(treeOf)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, treeOf(one)]))
  return typeof value === 'number' ? value.toFixed(6) : String(value)
}
