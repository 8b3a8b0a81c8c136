/** The hosts of the routes file as it stands, ours and anybody's. */
import { Failure } from '../../../kernel/failure.ts'
import type { ManagedFile } from '../../../ports/files.ts'
import { hostsIn } from './hosts-in.ts'

const LOOK_WITHIN_MS = 10_000

/** Null where the file cannot be read; without a file there is no route. */
export async function routedHosts(file: ManagedFile): Promise<readonly string[] | null> {
  try {
    const look = await file.look(AbortSignal.timeout(LOOK_WITHIN_MS))
    if (look.kind === 'absent') return []
    return look.kind === 'file' ? hostsIn(Buffer.from(look.bytes).toString('utf8')) : null
  } catch (error) {
    if (error instanceof Failure || error instanceof DOMException) return null
    throw error
  }
}
