/** The deploy status beside the routes file: what can still be told when memory and database are gone. */
import { readFile } from 'node:fs/promises'
import { writeAtomically } from './write-atomically.ts'

const MOST_BYTES = 64 * 1024

export interface StatusFile {
  readonly path: string
  fromMemory(): string | null
  /** Null when there is no readable status. */
  fromFile(): Promise<string | null>
  keep(status: string): Promise<void>
}

export function statusFile(path: string): StatusFile {
  let last: string | null = null
  return {
    path,
    fromMemory: () => last,
    fromFile: async () => readStatus(path).catch(() => null),
    async keep(status) {
      last = status
      await writeAtomically(path, [Buffer.from(status)], { mode: 0o644, watched: true })
    },
  }
}

async function readStatus(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8')
  if (text.length > MOST_BYTES) return null
  JSON.parse(text)
  return text
}
