/** One file on another host, over SFTP: one session for each look and each write. */
import { posix } from 'node:path'
import type { Attributes, SFTPWrapper } from 'ssh2'
import { sha256 } from '../../kernel/digest.ts'
import { Failure } from '../../kernel/failure.ts'
import { accessFault, type AccessRule, mendedMode } from '../../model/file-access.ts'
import { type FileLook, lastSeen, lookIdentity } from '../../ports/files.ts'
import { type SshServer, withSftp } from './connection.ts'
import { keepRemoteEvidence } from './remote-evidence.ts'
import {
  attributesOf,
  isAbsence,
  isDenied,
  makeFolder,
  readWhole,
  realPath,
  remove,
  renameOver,
  setMode,
  writeNew,
} from './remote-files.ts'
import type { ServerGate } from './server-gate.ts'

const OWNER_READS = 0o400

export interface RemoteFileOptions extends Pick<ServerGate, 'gate' | 'onBack'> {
  readonly server: SshServer
  /** Absolute, or from the user's home. */
  readonly path: string
  /** How it is called in messages. */
  readonly place: string
  /** Tells our unfinished file from another installation's, and from that of another file of the folder. */
  readonly mark: string
  readonly max_bytes: number
  /** Of a file that is made. */
  readonly mode: number
  /** What its mode is put right by. */
  readonly access: AccessRule
  /** A mode that is wrong is part of each look; left out: somebody else looks at it. */
  readonly tells_mode?: true
}

export interface RemoteReplacement {
  /** What must stand there right before the rename, as `lookIdentity` says; left out: whatever does is replaced. */
  readonly expected?: string | null
  readonly evidence: boolean
  readonly kept?: ((path: string) => void) | undefined
}

export interface RemoteFile {
  readonly place: string
  look(signal: AbortSignal): Promise<FileLook>
  /** A look, and what else is asked in the same session. */
  lookAnd<T>(
    use: (sftp: SFTPWrapper) => Promise<T>,
    signal: AbortSignal,
  ): Promise<{ readonly look: FileLook; readonly also: T }>
  /** The same, and in that session a replacement of what was seen by what `make` makes of it; nothing for null. */
  lookAndReplace<T>(
    work: {
      readonly use: (sftp: SFTPWrapper) => Promise<T>
      readonly make: (seen: { readonly look: FileLook; readonly also: T }) => Promise<Uint8Array | null>
    },
    replacement: Omit<RemoteReplacement, 'expected'>,
    signal: AbortSignal,
  ): Promise<void>
  /** Throws `conflict` where something else stands there than was expected; then that is left as it is. */
  replace(bytes: Uint8Array, replacement: RemoteReplacement, signal: AbortSignal): Promise<void>
  restoreMode(signal: AbortSignal): Promise<void>
  glance(): null
  watch(hint: () => void): { close(): void }
}

export function remoteFile(options: RemoteFileOptions): RemoteFile {
  const { server, path, place, mark, gate, onBack } = options
  const session = async <T>(use: (sftp: SFTPWrapper) => Promise<T>, signal: AbortSignal): Promise<T> => {
    signal.throwIfAborted()
    return gate.run(() => withSftp(server, use, signal), { signal })
  }
  const recall = lastSeen()
  const names: Names = { ...options, temp: posix.join(posix.dirname(path), `.plumbline-temp-${mark}`) }
  const lookAnd = async <T>(sftp: SFTPWrapper, use: (sftp: SFTPWrapper) => Promise<T>) => ({
    look: recall(await look(sftp, options)),
    also: await use(sftp),
  })
  return {
    place,
    glance: () => null,
    look: (signal) => session(async (sftp) => recall(await look(sftp, options)), signal),
    lookAnd: (use, signal) => session((sftp) => lookAnd(sftp, use), signal),
    lookAndReplace: ({ use, make }, replacement, signal) =>
      session(async (sftp) => {
        const seen = await lookAnd(sftp, use)
        const bytes = await make(seen)
        const expected = lookIdentity(seen.look)
        if (bytes !== null) await replace(sftp, names, { ...replacement, expected, bytes })
      }, signal),
    replace: (bytes, replacement, signal) =>
      session((sftp) => replace(sftp, names, { ...replacement, bytes }), signal),
    restoreMode: (signal) => session((sftp) => restoreMode(sftp, options), signal),
    watch: onBack,
  }
}

interface Names extends RemoteFileOptions {
  readonly temp: string
}

type Looked = Pick<RemoteFileOptions, 'path' | 'max_bytes' | 'access' | 'tells_mode'>

const KINDS: Readonly<Record<number, Extract<FileLook, { kind: 'intruder' }>['what']>> = {
  0o040000: 'directory',
  0o120000: 'symlink',
  0o010000: 'fifo',
  0o140000: 'socket',
  0o020000: 'device',
  0o060000: 'device',
}
const KIND_BITS = 0o170000
const REGULAR = 0o100000

async function look(sftp: SFTPWrapper, { path, max_bytes, access, tells_mode }: Looked): Promise<FileLook> {
  const found = await attributesOf(sftp, path)
  if (found === null) return { kind: 'absent' }
  const kind = found.mode & KIND_BITS
  const what = kind === REGULAR ? null : (KINDS[kind] ?? 'device')
  if (what !== null) {
    const behind = what === 'symlink' ? await behindLink(sftp, path, max_bytes) : null
    return { kind: 'intruder', what, ...(behind !== null && { behind }) }
  }
  if (found.size > max_bytes) return { kind: 'oversize', size: found.size }
  const bytes = await readWhole(sftp, path, max_bytes).catch((error: unknown) => {
    if (isDenied(error) && (found.mode & OWNER_READS) === 0) return 'closed' as const
    throw error
  })
  // We log in as its owner, who can open it again.
  if (bytes === 'closed') return { kind: 'intruder', what: 'closed file' }
  if (bytes === null) return { kind: 'oversize', size: found.size }
  const fault = tells_mode === true ? accessFault(found, access) : null
  return { kind: 'file', digest: sha256([bytes]), bytes, ...(fault !== null && { access: fault }) }
}

/** What a link leads to; null where that is no file, or cannot be read. */
async function behindLink(sftp: SFTPWrapper, path: string, max_bytes: number): Promise<Uint8Array | null> {
  const real = await realPath(sftp, path).catch(noneIfShut)
  const found = real === null ? null : await attributesOf(sftp, real).catch(noneIfShut)
  if (real === null || found === null || (found.mode & KIND_BITS) !== REGULAR) return null
  return found.size > max_bytes ? null : readWhole(sftp, real, max_bytes).catch(noneIfShut)
}

function noneIfShut(error: unknown): null {
  if (isDenied(error) || isAbsence(error)) return null
  throw error
}

/** SETSTAT (draft-ietf-secsh-filexfer-02 §6.9). A server lets only the owner of the file do it. */
async function restoreMode(
  sftp: SFTPWrapper,
  { path, access }: Pick<RemoteFileOptions, 'path' | 'access'>,
): Promise<void> {
  const found = await attributesOf(sftp, path)
  if (found !== null && (found.mode & KIND_BITS) === REGULAR)
    await setMode(sftp, path, mendedMode(found, access))
}

interface Work extends RemoteReplacement {
  readonly bytes: Uint8Array
}

async function replace(
  sftp: SFTPWrapper,
  names: Names,
  { bytes, expected, evidence, kept: tell }: Work,
): Promise<void> {
  const { path, place, temp, access } = names
  const stands = await attributesOf(sftp, path)
  const found = stands !== null && (stands.mode & KIND_BITS) === REGULAR ? stands : null
  if (stands === null) await makeMissingFolder(sftp, path)
  // Left behind by a session that was cut off.
  await remove(sftp, temp)
  const mode = found === null ? names.mode : mendedMode(found, access)
  try {
    await writeNew(sftp, { path: temp, bytes, mode })
    await assertWhole(sftp, { ...names, bytes, found })
    const now = await look(sftp, names)
    if (expected !== undefined && lookIdentity(now) !== expected)
      throw new Failure(
        'conflict',
        `${place} was changed by somebody while it was being written. It is left as it is.`,
      )
    const kept = evidence ? await keepRemoteEvidence(sftp, names, now) : null
    if (kept !== null) tell?.(kept)
    await renameOver(sftp, temp, path)
  } catch (error) {
    await remove(sftp, temp).catch(() => undefined)
    throw error
  }
}

async function makeMissingFolder(sftp: SFTPWrapper, path: string): Promise<void> {
  const folder = posix.dirname(path)
  if ((await attributesOf(sftp, folder)) === null) await makeFolder(sftp, folder)
}

interface Written extends Pick<Names, 'temp' | 'place' | 'max_bytes'> {
  readonly bytes: Uint8Array
  readonly found: Attributes | null
}

/** Read back as it is there, and whoever reads it will not pass over it for its owner. */
async function assertWhole(
  sftp: SFTPWrapper,
  { temp, place, bytes, found, max_bytes }: Written,
): Promise<void> {
  const back = await readWhole(sftp, temp, max_bytes)
  if (back === null || Buffer.compare(back, bytes) !== 0)
    throw new Failure(
      'component_unavailable',
      `${place}: what was written does not read back. See the gateway’s disk.`,
    )
  const made = await attributesOf(sftp, temp)
  if (found === null || made?.uid === found.uid) return
  throw new Failure(
    'storage_unwritable',
    `${place} belongs to user id ${found.uid}, and what we write in its place would be ignored. Log in as that user.`,
  )
}
