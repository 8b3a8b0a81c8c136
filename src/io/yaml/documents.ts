/** The documents port over the `yaml` library. */
import { Document, Scalar, visit } from 'yaml'
import { Failure } from '../../kernel/failure.ts'
import type { DocumentData, Documents } from '../../ports/documents.ts'
import { readYaml } from './read.ts'

// Writing YAML that a reader of version 1.1 and one of 1.2 understand alike: every text that is not plainly a word is
// quoted, so no `no`, `010`, `1_000`, `22:30`, date or address can turn into something else on the way.

/** Starts with a letter or a slash, and every ":" has something behind it. */
const WORD = /^[A-Za-z/][A-Za-z0-9._/-]*(?::[A-Za-z0-9._/-]+)*$/
/** What YAML 1.1 or 1.2 reads as null or as true and false. */
const READ_AS_ELSE = /^(?:y|n|yes|no|on|off|true|false|null)$/i
/** Line ends of YAML 1.1, controls and marks that the library leaves raw; they can stand only inside double quotes. */
const RAW = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g
/** Half a pair, as the library spells it, among all escapes: Go's reader refuses the whole text for one. */
const HALF = /\\(?:ud[89a-f][0-9a-f]{2}|[^])/g

function writeYaml(data: DocumentData): string {
  const document = new Document(checked(data), { version: '1.2', aliasDuplicateObjects: false })
  visit(document, { Scalar: (_key, node) => void (node.type = styleOf(node.value)) })
  const text = document.toString({ lineWidth: 0, doubleQuotedAsJSON: true, indentSeq: true })
  return text
    .replaceAll(HALF, (escape) => (escape.length === 2 ? escape : '\\ufffd'))
    .replaceAll(RAW, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const styleOf = (value: unknown): Scalar.Type =>
  typeof value !== 'string' || (WORD.test(value) && !READ_AS_ELSE.test(value))
    ? Scalar.PLAIN
    : Scalar.QUOTE_DOUBLE

function checked(data: DocumentData): DocumentData {
  if (Array.isArray(data)) for (const item of data as readonly DocumentData[]) checked(item)
  else if (typeof data === 'object' && data !== null) for (const value of Object.values(data)) checked(value)
  else if (typeof data === 'number' ? !Number.isSafeInteger(data) : !isPlain(data))
    throw new Failure(
      'internal',
      `yaml: cannot write a ${typeof data} (${String(data)}); texts and whole numbers only`,
    )
  return data
}

const isPlain = (data: unknown): boolean => data === null || ['string', 'boolean'].includes(typeof data)

export const yamlDocuments: Documents = { read: readYaml, write: writeYaml }
