/**
 * The file that tells the proxy of our certificates (`tls.certificates` of Traefik's dynamic configuration). Pure.
 *
 * Versions have paths of their own, so the rename of this file is what switches from one to the next, and its new text is
 * what makes the proxy read them: it watches this file, never the files that it names.
 */
import { join, relative } from 'node:path'
import { sha256 } from '../../../kernel/digest.ts'
import { quote } from '../../../kernel/text/quoted.ts'
import type { StoredVersion } from '../files/port.ts'

/** Constant: anything variable in a comment would be a difference that changes nothing. */
const HEADER = '# Written by Plumbline; edits are undone.\n'

export interface Places {
  /** Where the versions are, for us. */
  readonly directory: string
  /** The same directory as the proxy sees it. */
  readonly in_proxy: string
}

export interface RenderedFile {
  readonly chunks: readonly Uint8Array[]
  readonly checksum: string
}

/** Without any entry there is no map at all: an empty one would be refused. */
export function renderFile(entries: readonly StoredVersion[], { directory, in_proxy }: Places): RenderedFile {
  const path = (file: string): string => quote(join(in_proxy, relative(directory, file)))
  const lines = entries.map(
    ({ chain_file, key_file }) => `    - certFile: ${path(chain_file)}\n      keyFile: ${path(key_file)}\n`,
  )
  const text = lines.length === 0 ? HEADER : `${HEADER}tls:\n  certificates:\n${lines.join('')}`
  const chunks = [Buffer.from(text)]
  return { chunks, checksum: sha256(chunks) }
}
