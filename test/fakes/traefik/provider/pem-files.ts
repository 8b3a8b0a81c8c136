/**
 * "File or content": what names a file that is there is replaced by what it holds, at the time at which the routes file is
 * read. Those files are not watched. One that cannot be read is a line in the log and a certificate less, nothing else.
 */
import { existsSync, readFileSync } from 'node:fs'
import type { Configuration } from '../decode/decode.ts'

interface Listed {
  readonly certFile?: string
  readonly keyFile?: string
}

export function withPemFiles(read: Configuration, log: (line: string) => void): Configuration {
  const { tls } = read
  if (tls === undefined) return read
  const certificates = (tls['certificates'] as readonly Listed[] | undefined)?.flatMap((one) => {
    try {
      return [{ ...one, certFile: fileOrContent(one.certFile), keyFile: fileOrContent(one.keyFile) }]
    } catch (error) {
      log(`unable to read certificate: ${(error as Error).message}`)
      return []
    }
  })
  const stores = tls['stores'] as Readonly<Record<string, { defaultCertificate?: Listed }>> | undefined
  return {
    ...read,
    tls: {
      ...tls,
      ...(certificates !== undefined && { certificates }),
      ...(stores !== undefined && { stores: Object.fromEntries(Object.entries(stores).map(readStore)) }),
    },
  }
}

function readStore([name, store]: [string, { defaultCertificate?: Listed }]) {
  const { defaultCertificate: one } = store
  if (one === undefined) return [name, store] as const
  const read = { certFile: contentOrNothing(one.certFile), keyFile: contentOrNothing(one.keyFile) }
  return [name, { ...store, defaultCertificate: read }] as const
}

function fileOrContent(value = ''): string {
  return existsSync(value) ? readFileSync(value, 'utf8') : value
}

function contentOrNothing(value = ''): string {
  try {
    return fileOrContent(value)
  } catch {
    return ''
  }
}
