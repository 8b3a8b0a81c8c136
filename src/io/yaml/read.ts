/** Reading one YAML document within bounds: size, then tokens and depth, then nodes, then data. */
import type { DocumentRead, ReadOptions } from '../../ports/documents.ts'
import { MOST_DOCUMENT_BYTES, MOST_IMPORT_BYTES } from '../../ports/documents.ts'
import { compose } from './compose.ts'
import { lineAt, YamlFault } from './fault.ts'
import { plain } from './plain.ts'
import { scan } from './scan.ts'

export function readYaml(text: string, options: ReadOptions = {}): DocumentRead {
  const most_bytes = Math.min(options.most_bytes ?? MOST_DOCUMENT_BYTES, MOST_IMPORT_BYTES)
  // A UTF-8 text is at least as long as its count of UTF-16 units, so a giant is not even measured.
  if (text.length > most_bytes || Buffer.byteLength(text) > most_bytes)
    return { ok: false, line: null, msg: `is larger than ${most_bytes} bytes` }
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
