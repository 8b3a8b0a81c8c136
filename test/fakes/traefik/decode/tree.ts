/** YAML as go-yaml reads it: a tree whose leaves are texts. What version 1.1 and 1.2 of YAML disagree on is as there. */
import { isAlias, isMap, isScalar, isSeq, type Node, parseAllDocuments, type Pair, type Scalar } from 'yaml'
import { plainText } from './scalars.ts'

export type Tree = string | null | readonly Tree[] | { readonly [key: string]: Tree }

/** Raw characters that its reader does not take; the mark at the beginning is one that it does. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/
/** Half of a pair as an escape: JSON has them, YAML has not. */
const SURROGATE = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F][0-9a-fA-F]{2}/

/** @returns null for a file without content. @throws with the reader's words. */
export function treeOf(bytes: Buffer): Tree {
  const text = textOf(bytes)
  const strange = UNPRINTABLE.exec(text)
  if (strange !== null) throw new Error('yaml: control characters are not allowed')
  // The library's own check for duplicate keys is quadratic. A second document is never looked at.
  const [document] = [
    ...parseAllDocuments(text, {
      schema: 'failsafe',
      uniqueKeys: false,
      merge: false,
      keepSourceTokens: true,
    }),
  ]
  if (document === undefined || !('contents' in document)) return null
  const [error] = document.errors
  if (error !== undefined) throw new Error(`yaml: ${error.message.split('\n')[0]}`)
  const anchors = new Map<string, Node>()
  return read(document.contents, anchors)
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new Error('yaml: invalid leading UTF-8 octet', { cause: error })
  }
}

function read(node: Node | null | undefined, anchors: Map<string, Node>): Tree {
  if (node === null || node === undefined) return null
  if (isAlias(node)) {
    const meant = anchors.get(node.source)
    if (meant === undefined) throw new Error(`yaml: unknown anchor '${node.source}' referenced`)
    return read(meant, anchors)
  }
  if ('anchor' in node && node.anchor !== undefined) anchors.set(node.anchor, node)
  if (isScalar(node)) return scalar(node)
  if (isSeq(node)) return node.items.map((item) => read(item as Node, anchors))
  if (isMap(node)) return mapping(node.items, anchors)
  return null
}

function scalar(node: Scalar): string | null {
  const text = String(node.value)
  if (node.type === 'PLAIN') return node.tag === 'tag:yaml.org,2002:str' ? text : plainText(text)
  const source = (node.srcToken as { readonly source?: string } | undefined)?.source ?? ''
  if (node.type === 'QUOTE_DOUBLE' && SURROGATE.test(source))
    throw new Error('yaml: found invalid Unicode character escape code')
  // Next line is the end of a line in YAML 1.1, and folded as one.
  return source.includes('\u0085') ? text.replaceAll('\u0085', ' ') : text
}

function mapping(items: readonly Pair[], anchors: Map<string, Node>): Tree {
  const own = new Map<string, Tree>()
  const merged = new Map<string, Tree>()
  for (const { key, value } of items) {
    if (isScalar(key) && key.type === 'PLAIN' && key.source === '')
      throw new Error('yaml: did not find expected key')
    const name = keyOf(key as Node | null)
    const isMerge = name === '<<' && isScalar(key) && key.type === 'PLAIN'
    if (!isMerge && own.has(name))
      throw new Error(`yaml: mapping key ${JSON.stringify(name)} already defined`)
    const found = read(value as Node | null, anchors)
    if (!isMerge) own.set(name, found)
    else
      for (const one of Array.isArray(found) ? (found as readonly Tree[]) : [found]) {
        if (one === null || typeof one !== 'object' || Array.isArray(one))
          throw new Error('yaml: map merge requires map or sequence of maps as the value')
        for (const [inner, content] of Object.entries(one)) if (!merged.has(inner)) merged.set(inner, content)
      }
  }
  return Object.fromEntries([...merged, ...own])
}

/** Keys that are no texts all become one, `<int Value>`. */
function keyOf(key: Node | null): string {
  if (!isScalar(key)) return '<interface {} Value>'
  const text = String(key.value)
  if (key.type !== 'PLAIN') return text
  if (/^[-+]?[\d.]/.test(text) && plainText(text) !== text) return '<int Value>'
  return /^[-+]?\d+$/.test(text) ? '<int Value>' : text
}
