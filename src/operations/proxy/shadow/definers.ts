/** Which other files of the routes folder define an object of this name: of equal names the first file's wins. Pure. */
import { dirname, relative, sep } from 'node:path'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { DocumentData, Documents } from '../../../ports/documents.ts'
import type { Neighbour } from '../../../ports/neighbours.ts'

/**
 * By item (`http.services.plumbline-site_app.example.com`): paths, in the order in which the proxy reads them. A file that
 * is no plain YAML (TOML, a template) is there where it has the name at all.
 */
export async function definersOf(
  items: readonly string[],
  files: readonly Neighbour[],
  documents: Documents,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  for (const { file, text } of files.toSorted(inReadingOrder)) {
    if (text === null) continue
    // A large file takes a second, and there may be hundreds of them.
    await othersTurn()
    const data = isPlain(file, text) ? readOf(text, documents) : null
    for (const item of items)
      if (data === null ? text.includes(nameIn(item)) : defines(data, item))
        found.set(item, [...(found.get(item) ?? []), file])
  }
  return found
}

/** Folder by folder: a folder stands among the files beside it by its own name. */
function inReadingOrder(a: Neighbour, b: Neighbour): number {
  const [left, right] = [a.file.split(sep), b.file.split(sep)]
  for (const [i, part] of left.entries()) if (part !== right[i]) return part < (right[i] ?? '') ? -1 : 1
  return 0
}

/** For people: below the folder of the routes file. */
export const shortPath = (file: string, routes_path: string): string => relative(dirname(routes_path), file)

const isPlain = (file: string, text: string): boolean => !/\.toml$/i.test(file) && !text.includes('{{')

function readOf(text: string, documents: Documents): DocumentData {
  const read = documents.read(text, { scalars: 'text', most_bytes: MAX_BYTES })
  return read.ok ? read.data : null
}
const MAX_BYTES = 1024 * 1024

const nameIn = (item: string): string => item.split('.').slice(2).join('.')

function defines(data: DocumentData, item: string): boolean {
  const [root = '', kind = ''] = item.split('.', 2)
  return Object.hasOwn(mapIn(mapIn(mapIn(data)[root])[kind]), nameIn(item))
}

const mapIn = (data: DocumentData | undefined): Readonly<Record<string, DocumentData>> =>
  data !== null && typeof data === 'object' && !Array.isArray(data)
    ? (data as Readonly<Record<string, DocumentData>>)
    : {}
