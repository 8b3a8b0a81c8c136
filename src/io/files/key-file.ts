/** A key that is made once and kept in a file that only its owner can read. */
import { randomBytes } from 'node:crypto'
import { open, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure, systemErrorCode } from '../../kernel/failure.ts'
import { Secret } from '../../kernel/secret.ts'
import { readFault } from './faults.ts'
import { SAFE_READ } from './look.ts'

const KEY_BYTES = 32
/** Anything shorter was not made here, and may be guessed. */
const MIN_KEY_LENGTH = 24

/** The kept key, or null when there is none. */
export const readKeyFile = (path: string): Promise<Secret | null> => keyIn(path, () => readFile(path, 'utf8'))

/**
 * The same where the file is ours: whoever may write to its folder could plant a key that they know, so it must be a plain
 * file, of this user, of the folder's owner or of root. Throws `bad_configuration` with the cure.
 */
export const readOwnKeyFile = (path: string): Promise<Secret | null> => keyIn(path, () => readOwn(path))

async function keyIn(path: string, read: () => Promise<string>): Promise<Secret | null> {
  try {
    const text = (await read()).trim()
    return text === '' ? null : new Secret(text)
  } catch (error) {
    if (error instanceof Failure) throw error
    if (systemErrorCode(error) === 'ENOENT') return null
    if (systemErrorCode(error) === 'ELOOP') throw planted(path, 'is a link')
    throw readFault(error, path)
  }
}

async function readOwn(path: string): Promise<string> {
  const file = await open(path, SAFE_READ)
  try {
    const seen = await file.stat()
    if (!seen.isFile()) throw planted(path, 'is no plain file')
    const owners = [process.geteuid?.() ?? seen.uid, (await stat(dirname(path))).uid, 0]
    if (!owners.includes(seen.uid)) throw planted(path, `belongs to the user with the id ${seen.uid}`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

const planted = (path: string, what: string): Failure =>
  new Failure(
    'bad_configuration',
    `${path} ${what}, so whoever put it there may know the key. Remove it and start again: a new one is made. ` +
      `See that nobody else may write to ${dirname(path)} (chmod 700).`,
  )

/** 256 random bits. */
const randomKey = (): string => randomBytes(KEY_BYTES).toString('base64url')

/** The kept key; made first, with mode 0600, when there is none. Throws `bad_configuration` for one that is not ours, or short. */
export async function keyFile(path: string, make = randomKey): Promise<{ key: Secret; made: boolean }> {
  const kept = await readOwnKeyFile(path)
  if (kept !== null && kept.reveal().length < MIN_KEY_LENGTH)
    throw planted(path, `holds fewer than ${MIN_KEY_LENGTH} characters`)
  if (kept !== null) return { key: kept, made: false }
  const text = make()
  // Loaded when a key is made: a command that reads one has its answer sooner.
  const { writeAtomically } = await import('./write-atomically.ts')
  await writeAtomically(path, [Buffer.from(`${text}\n`)], { mode: 0o600 })
  return { key: new Secret(text), made: true }
}
