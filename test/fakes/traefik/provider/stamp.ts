/** What of the world is an event to the file provider: its file, or any name in its folder, but nothing in a folder below. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Every write is an event, also one that brings the same text again. */
export function stampOf(path: string): string {
  const own = one(path)
  if (!own.startsWith('folder')) return own
  try {
    return readdirSync(path)
      .toSorted()
      .map((name) => `${name} ${one(join(path, name))}`)
      .join('\n')
  } catch {
    return 'unreadable'
  }
}

function one(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (found === undefined) return 'absent'
  if (found.isDirectory()) return 'folder'
  return `${found.ino} ${found.mtimeNs} ${found.ctimeNs} ${found.size}`
}
