/** Which other files of the routes folder define an object of this name: of equal names the first file's wins. Pure. */
import { dirname, relative, sep } from 'node:path'
import type { DocumentData, ReadAside } from '../../../../ports/documents.ts'
import type { Neighbour } from '../../folder/port.ts'

/**
 * By item (`http.services.plumbline-site_app.example.com`): paths, in the order in which the proxy reads them. A file that
 * is no plain YAML (TOML, a template) is there where it has the name at all.
 */
export async function definersOf(
  items: readonly string[],
  files: readonly Neighbour[],
  { read, signal }: { readonly read: ReadAside; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  for (const { file, text } of files.toSorted(inReadingOrder)) {
    if (text === null) continue
    const looked = isPlain(file, text) ? await read(text, READ, signal) : null
    const data = looked?.ok === true ? looked.data : null
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

const READ = { scalars: 'text', max_bytes: 1024 * 1024 } as const

const nameIn = (item: string): string => item.split('.').slice(2).join('.')

function defines(data: DocumentData, item: string): boolean {
  const [root = '', kind = ''] = item.split('.', 2)
  return Object.hasOwn(mapIn(mapIn(mapIn(data)[root])[kind]), nameIn(item))
}

const mapIn = (data: DocumentData | undefined): Readonly<Record<string, DocumentData>> =>
  data !== null && typeof data === 'object' && !Array.isArray(data)
    ? (data as Readonly<Record<string, DocumentData>>)
    : {}
