/** Points on the system calls under the file adapter, so that a moment inside a replacement can be named. For this process only. */
import fs, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import type { Failpoints } from './failpoints.ts'

type Call = (this: unknown, ...words: unknown[]) => Promise<unknown>

/** Looks are not crossed: they change nothing. */
const IN_FOLDERS = ['rename', 'link', 'unlink', 'mkdir'] as const
const IN_FILES = ['writev', 'chmod', 'sync'] as const

/** To be called before the house is built: what was imported earlier follows, too. */
export async function pointTheDisk(points: Failpoints): Promise<void> {
  for (const name of IN_FOLDERS) crossAt(fs, name, points)
  const handle = await fs.open('/dev/null', 'r')
  for (const name of IN_FILES) crossAt(Object.getPrototypeOf(handle) as FileHandle, name, points)
  await handle.close()
  syncBuiltinESMExports()
}

function crossAt<T extends object>(owner: T, name: keyof T & string, points: Failpoints): void {
  const plain = owner[name] as Call
  const crossed: Call = async function (this: unknown, ...words) {
    const at = points.cross(`disk.${name}`)
    await at('before')
    const result = await plain.apply(this, words)
    await at('after')
    return result
  }
  Object.assign(owner, { [name]: crossed })
}
