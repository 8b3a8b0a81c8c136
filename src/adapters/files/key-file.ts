/** A key that is made once and kept in a file that only its owner can read. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { systemErrorCode } from '../../kernel/failure.ts'
import { Secret } from '../../kernel/secret.ts'
import { readFault } from './faults.ts'
import { writeAtomically } from './write-atomically.ts'

const KEY_BYTES = 32

/** The kept key, or null when there is none. */
export async function readKeyFile(path: string): Promise<Secret | null> {
  try {
    const text = (await readFile(path, 'utf8')).trim()
    return text === '' ? null : new Secret(text)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null
    throw readFault(error, path)
  }
}

/** 256 random bits. */
const randomKey = (): string => randomBytes(KEY_BYTES).toString('base64url')

/** The kept key; made first, with mode 0600, when there is none. */
export async function keyFile(path: string, make = randomKey): Promise<{ key: Secret; made: boolean }> {
  const kept = await readKeyFile(path)
  if (kept !== null) return { key: kept, made: false }
  const text = make()
  await writeAtomically(path, [Buffer.from(`${text}\n`)], { mode: 0o600 })
  return { key: new Secret(text), made: true }
}
