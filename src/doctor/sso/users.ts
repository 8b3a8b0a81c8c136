/** Reads the users file as the provider would: one that it does not take shuts everybody out at its next start. */
import { readFile } from 'node:fs/promises'
import { usersDocuments } from '../../features/people/users-file/documents.ts'
import type { Finding } from '../../cli/verb.ts'
import type { Milliseconds } from '../../kernel/clock.ts'
import { systemErrorCode } from '../../kernel/failure.ts'
import { evaluateUsers } from './evaluate.ts'

const WITHIN_MS: Milliseconds = 10_000

export async function users(path: string): Promise<Finding> {
  try {
    const text = await readFile(path, { encoding: 'utf8', signal: AbortSignal.timeout(WITHIN_MS) })
    return evaluateUsers(path, usersDocuments.read(text))
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === null) throw error
    return evaluateUsers(path, { unreadable: code })
  }
}
