/** The deploy status beside the routes file: what can still be told when memory and database are gone. */
import { lookAt } from '../../../io/files/look.ts'
import { writeAtomically } from '../../../io/files/write-atomically.ts'
import type { DeployStatusFile } from '../deps.ts'

const MAX_BYTES = 64 * 1024
const READ_TIMEOUT_MS = 2000

export function statusFile(path: string): DeployStatusFile {
  let last: string | null = null
  return {
    fromMemory: () => last,
    fromFile: async () => readStatus(path).catch(() => null),
    async keep(status) {
      last = status
      await writeAtomically(path, [Buffer.from(status)], { mode: 0o644, watched: true })
    },
  }
}

async function readStatus(path: string): Promise<string | null> {
  const found = await lookAt(
    path,
    { max_bytes: MAX_BYTES, known: null },
    AbortSignal.timeout(READ_TIMEOUT_MS),
  )
  if (found.kind !== 'file') return null
  const text = Buffer.from(found.bytes).toString('utf8')
  JSON.parse(text)
  return text
}
