/** An `authorized_keys` file on this host: others own it and edit it, so each write keeps what it finds. */
import type { Stats } from 'node:fs'
import { lstat, open, rename, stat, unlink } from 'node:fs/promises'
import { Failure, systemErrorCode } from '../../../kernel/failure.ts'
import type { Log } from '../../../kernel/log.ts'
import { mendedMode, SSH_KEYS } from '../../../model/file-access.ts'
import type { AuthorizedKeys, KeysReplacement } from '../authorized-keys-port.ts'
import { type FileLook, lastSeen, lookIdentity } from '../../../ports/files.ts'
import { untilAborted } from '../../../kernel/async/until-aborted.ts'
import { resolveDirectory, secureDirectory } from '../../../io/files/directory.ts'
import { keepEvidence } from '../../../io/files/evidence.ts'
import { writeFault } from '../../../io/files/faults.ts'
import { glanceAt } from '../../../kernel/glance.ts'
import { lookAt } from '../../../io/files/look.ts'
import { restoreMode } from '../../../io/files/restore-mode.ts'
import { removeStaleTemps } from '../../../io/files/temps.ts'
import { watchFile } from '../../../io/files/watch.ts'
import { wayToFile } from '../../../io/files/way-to-file.ts'
import { writeTemp } from '../../../io/files/write-temp.ts'

/** Thousands of keys; sshd reads the whole of it at each login. */
const MAX_KEYS_BYTES = 1024 * 1024
const NEW_MODE = 0o600
const mended = (mode: number): number => mendedMode({ mode }, SSH_KEYS)

const LOOK = { max_bytes: MAX_KEYS_BYTES, known: null, access: SSH_KEYS, through: true } as const

interface KeysFileLocation {
  readonly path: string
  readonly directory: string
  readonly log: Log
}

/** Throws `storage_unwritable` when the folder can be neither found nor made. */
export function authorizedKeysFile(file: string, { log }: { readonly log: Log }): AuthorizedKeys {
  const { path, directory, base, open_to_all } = resolveDirectory(file)
  if (open_to_all) log.warn('everybody may write to the folder of authorized_keys', { directory })
  removeStaleTemps(directory)
  const recall = lastSeen()
  let owned: Stats | null = null
  const met = (status: Stats) => void (owned = status)
  const look = async (signal: AbortSignal) => recall(await lookAt(path, { ...LOOK, met }, signal))
  const inWords = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
    untilAborted(
      work.catch((error: unknown) => {
        throw writeFault(error, path)
      }),
      signal,
    )
  const see: AuthorizedKeys['see'] = async (signal) => ({
    look: await untilAborted(look(signal), signal),
    way: await inWords(wayToFile(path), signal),
  })
  const replace: AuthorizedKeys['replace'] = (bytes, replacement, signal) =>
    inWords(replaceKeys({ path, directory, log }, { ...replacement, bytes, look, owned }, signal), signal)
  return {
    place: path,
    glance: () => glanceAt(path),
    look: (signal) => untilAborted(look(signal), signal),
    see,
    replace,
    async rewrite(make, replacement, signal) {
      const seen = await see(signal)
      const bytes = await make(seen)
      if (bytes !== null) await replace(bytes, { ...replacement, expected: lookIdentity(seen.look) }, signal)
    },
    restoreMode: (signal) => untilAborted(restoreMode(path, mended), signal),
    watch: (hint) => watchFile({ directory, base, log, hint }),
  }
}

/** A folder would be moved for it. */
const isToKeep = (stands: Stats, { evidence, expected }: KeysReplacement): boolean =>
  evidence && (stands.isFile() || (expected === 'intruder' && !stands.isDirectory()))

interface Work extends KeysReplacement {
  readonly bytes: Uint8Array
  readonly look: (signal: AbortSignal) => Promise<FileLook>
  /** The file as it was last seen. */
  readonly owned: Stats | null
}

async function replaceKeys(
  { path, directory, log }: KeysFileLocation,
  work: Work,
  signal: AbortSignal,
): Promise<void> {
  await secureDirectory(directory)
  // Opened first: a process that is out of descriptors must fail before the rename, not after it.
  const folder = await open(directory, 'r')
  try {
    const stands = await statusOf(path)
    const found = stands === null || stands.isFile() ? stands : work.owned
    const mode = found === null ? NEW_MODE : mended(found.mode)
    const temp = await writeTemp(directory, [work.bytes], { path, mode, replaces: found }, signal)
    try {
      await assertSameOwner(temp, found, path)
      if (stands !== null && isToKeep(stands, work))
        await keepEvidence(stands, { path, folder: directory, log, kept: work.kept, signal })
      await assertExpected(work, path, signal)
      await rename(temp, path)
    } catch (error) {
      await unlink(temp).catch(() => undefined)
      throw error
    }
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function statusOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** sshd passes over a file that belongs to neither its user nor root: everybody would be locked out. */
async function assertSameOwner(temp: string, found: Stats | null, path: string): Promise<void> {
  if (found === null) return
  const { uid } = await stat(temp)
  if (uid === found.uid) return
  throw new Failure(
    'storage_unwritable',
    `${path} belongs to user id ${found.uid}, and what user id ${uid} writes in its place would be ignored by sshd. ` +
      'Run Plumbline as that user, or let it write over SFTP (PLUMBLINE_AUTHORIZED_KEYS=sftp://…).',
  )
}

/** As late as it can be: between this and the rename only a few microseconds are left for somebody else's edit. */
async function assertExpected({ look, expected }: Work, path: string, signal: AbortSignal): Promise<void> {
  const is_expected = lookIdentity(await look(signal)) === expected
  signal.throwIfAborted()
  if (!is_expected)
    throw new Failure(
      'conflict',
      `${path} was changed by somebody while it was being written. It is left as it is.`,
    )
}
