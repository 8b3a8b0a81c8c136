/** From the text of one of Traefik's files to a document of the import, Go templates told apart first. */
import { type Documents, MAX_IMPORT_BYTES } from '../../../ports/documents.ts'
import { isTemplate, type TraefikDocument } from './inventory.ts'
import { isMapping } from '../../routes/grammar/tree.ts'

/** Actions that add, drop or repeat parts of the file, and marks that join its lines. */
const STRUCTURAL =
  /\{\{-|-\}\}|\{\{\s*(?:\/\*|(?:if|else|end|range|with|define|block|template|break|continue)\b)/

/**
 * Traefik renders the file as a template before it reads it as YAML, comments included. An action inside a value spoils
 * that value alone, and the import leaves the thing that holds it; any other makes the whole file unreadable here.
 */
export function traefikDocument(file: string, text: string, documents: Documents): TraefikDocument {
  const start = text.indexOf('{{')
  const read = documents.read(text, { scalars: 'text', max_bytes: MAX_IMPORT_BYTES })
  const template = start !== -1 && (STRUCTURAL.test(text) || !read.ok || countIn(read.data) !== count(text))
  if (template) {
    const line = text.slice(0, start).split('\n').length
    return { file, unreadable: { line, reason: 'is part of a Go template, which only Traefik can render' } }
  }
  return read.ok ? { file, data: read.data } : { file, unreadable: { line: read.line, reason: read.msg } }
}

const count = (text: string): number => (isTemplate(text) ? text.split('{{').length - 1 : 0)

/** Template marks in keys and values. The reader bounds the depth. */
function countIn(data: unknown): number {
  if (typeof data === 'string') return count(data)
  if (Array.isArray(data)) return data.reduce<number>((sum, item) => sum + countIn(item), 0)
  if (!isMapping(data)) return 0
  return Object.entries(data).reduce((sum, [key, value]) => sum + count(key) + countIn(value), 0)
}
