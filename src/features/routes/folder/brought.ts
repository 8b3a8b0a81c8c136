/** Certificates that somebody's own files of the routes folder name to the proxy: only read, and only what is public of them. */
import { lstat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { systemErrorCode } from '../../../kernel/failure.ts'
import { textOf } from './neighbours.ts'
import type { BroughtCertificate, Neighbour } from './port.ts'
import { isRecord } from '../../../kernel/text/lenient.ts'

/** Of more nobody is told here. */
const MAX_CERTIFICATES = 500

/**
 * What stands under `tls` as the proxy takes it: a path, or the text itself. One whose file cannot be read here, or whose key is
 * not there, is left out: nobody knows that it is served.
 * @param treeOf what stands in a file, every value as text; null for what cannot be read
 */
export async function broughtBy(
  neighbours: readonly Neighbour[],
  treeOf: (file: string, text: string) => Promise<unknown>,
): Promise<readonly BroughtCertificate[]> {
  const found: BroughtCertificate[] = []
  for (const { file, text } of neighbours) {
    if (text === null || !/certFile/i.test(text)) continue
    for (const pair of pairsIn(await treeOf(file, text))) {
      if (found.length >= MAX_CERTIFICATES) return found
      const pem = await pemOf(pair)
      if (pem !== null) found.push({ file, pem })
    }
  }
  return found
}

interface Pair {
  readonly cert: string
  readonly key: string
}

function pairsIn(tree: unknown): readonly Pair[] {
  const tls = field(tree, 'tls')
  const listed = field(tls, 'certificates')
  const stores = field(tls, 'stores')
  const defaults = isRecord(stores)
    ? Object.values(stores).map((one) => field(one, 'defaultCertificate'))
    : []
  return [...(Array.isArray(listed) ? (listed as readonly unknown[]) : []), ...defaults].flatMap((one) => {
    const [cert, key] = [field(one, 'certFile'), field(one, 'keyFile')]
    return typeof cert === 'string' && typeof key === 'string' && cert !== '' && key !== ''
      ? [{ cert, key }]
      : []
  })
}

/** In either case of letters, as the proxy takes its keys. */
function field(value: unknown, name: string): unknown {
  if (!isRecord(value)) return undefined
  return Object.entries(value).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
}

const isText = (value: string): boolean => value.includes('-----BEGIN')

async function pemOf({ cert, key }: Pair): Promise<string | null> {
  if (!isText(key) && (await isAbsent(key))) return null
  if (isText(cert)) return cert
  return isAbsolute(cert) ? textOf(cert) : null
}

/** A key that cannot be looked at from here may well be there for the proxy. */
const isAbsent = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => false,
    (error: unknown) => systemErrorCode(error) === 'ENOENT',
  )
