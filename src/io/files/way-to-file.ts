/** Who owns a key file of this host and every folder above it, and who may write to them: what sshd looks at. */
import { readFile, realpath, stat } from 'node:fs/promises'
import { systemErrorCode } from '../../kernel/failure.ts'
import { foldersAbove, type WayToFile } from '../../model/ssh/strict-modes.ts'

/** Null where there is no file. Throws what the system says when it cannot be told. */
export async function wayToFile(path: string): Promise<WayToFile | null> {
  const real = await realpath(path).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return null
    throw error
  })
  if (real === null) return null
  const { uid } = await stat(real)
  const home = await homeOf(uid)
  const steps = []
  for (const step of [real, ...foldersAbove(real, home)]) {
    const found = await stat(step)
    steps.push({ path: step, uid: found.uid, mode: found.mode })
  }
  return { uid, steps }
}

/** As passwd(5) has it; null for a user of another source, for whom all folders count. */
async function homeOf(uid: number): Promise<string | null> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const home = text
    .split('\n')
    .map((line) => line.split(':'))
    .find((fields) => fields[2] === String(uid))?.[5]
  return home === undefined || home === '' ? null : realpath(home).catch(() => null)
}
