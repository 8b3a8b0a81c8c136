/** An `authorized_keys` file on another host, over SFTP: one session for each look and each write. */
import { posix } from 'node:path'
import type { Attributes, SFTPWrapper } from 'ssh2'
import { sha256 } from '../../../kernel/digest.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { PeerGate } from '../../../kernel/async/peer-gate.ts'
import { foldersAbove, type PathFacts, type WayToFile } from '../../../model/ssh/strict-modes.ts'
import { mendedMode, SSH_KEYS } from '../../../model/file-access.ts'
import type { AuthorizedKeys, KeysReplacement } from '../authorized-keys-port.ts'
import { type FileLook, lastSeen, lookIdentity } from '../../../ports/files.ts'
import { type SshServer, withSftp } from '../../../io/ssh/connection.ts'
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
} from '../../../io/ssh/remote-files.ts'

const MAX_BYTES = 1024 * 1024
const NEW_MODE = 0o600
const OWNER_READS = 0o400

export interface RemoteKeys {
  readonly server: SshServer
  /** Absolute, or from the user's home. */
  readonly path: string
  /** How it is called in messages. */
  readonly place: string
  /** Tells our unfinished file from another installation's. */
  readonly installation_id: string
  /** Stands before every session. */
  readonly gate: Pick<PeerGate, 'run'>
  /** Calls `hint` when the server answers again. */
  readonly onBack: (hint: () => void) => { close(): void }
}

export function remoteAuthorizedKeys(options: RemoteKeys): AuthorizedKeys {
  const { server, path, place, installation_id, gate, onBack } = options
  const session = async <T>(use: (sftp: SFTPWrapper) => Promise<T>, signal: AbortSignal): Promise<T> => {
    signal.throwIfAborted()
    return gate.run(() => withSftp(server, use, signal), { signal })
  }
  const mark = sha256([installation_id]).slice(0, 16)
  const beside = (word: string) => posix.join(posix.dirname(path), `.plumbline-${word}-${mark}`)
  const recall = lastSeen()
  const names: Names = { path, place, temp: beside('temp'), kept: beside('evidence') }
  return {
    place,
    glance: () => null,
    look: (signal) => session(async (sftp) => recall(await look(sftp, path)), signal),
    see: (signal) =>
      session(
        async (sftp) => ({ look: recall(await look(sftp, path)), way: await wayTo(sftp, path) }),
        signal,
      ),
    replace: (bytes, replacement, signal) =>
      session((sftp) => replaceKeys(sftp, names, { ...replacement, bytes }), signal),
    restoreMode: (signal) => session((sftp) => restoreMode(sftp, path), signal),
    watch: onBack,
  }
}

interface Names {
  readonly path: string
  readonly place: string
  readonly temp: string
  /** What was overwritten last by a repair. */
  readonly kept: string
}

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

async function look(sftp: SFTPWrapper, path: string): Promise<FileLook> {
  const found = await attributesOf(sftp, path)
  if (found === null) return { kind: 'absent' }
  const kind = found.mode & KIND_BITS
  const what = kind === REGULAR ? null : (KINDS[kind] ?? 'device')
  if (what !== null) {
    const behind = what === 'symlink' ? await behindLink(sftp, path) : null
    return { kind: 'intruder', what, ...(behind !== null && { behind }) }
  }
  if (found.size > MAX_BYTES) return { kind: 'oversize', size: found.size }
  const bytes = await readWhole(sftp, path, MAX_BYTES).catch((error: unknown) => {
    if (isDenied(error) && (found.mode & OWNER_READS) === 0) return 'closed' as const
    throw error
  })
  // We log in as its owner, who can open it again.
  if (bytes === 'closed') return { kind: 'intruder', what: 'closed file' }
  return bytes === null
    ? { kind: 'oversize', size: found.size }
    : { kind: 'file', digest: sha256([bytes]), bytes }
}

/** What a link leads to; null where that is no file, or cannot be read. */
async function behindLink(sftp: SFTPWrapper, path: string): Promise<Uint8Array | null> {
  const real = await realPath(sftp, path).catch(noneIfShut)
  const found = real === null ? null : await attributesOf(sftp, real).catch(noneIfShut)
  if (real === null || found === null || (found.mode & KIND_BITS) !== REGULAR) return null
  return found.size > MAX_BYTES ? null : readWhole(sftp, real, MAX_BYTES).catch(noneIfShut)
}

function noneIfShut(error: unknown): null {
  if (isDenied(error) || isAbsence(error)) return null
  throw error
}

/** SETSTAT (draft-ietf-secsh-filexfer-02 §6.9). A server lets only the owner of the file do it. */
async function restoreMode(sftp: SFTPWrapper, path: string): Promise<void> {
  const found = await attributesOf(sftp, path)
  if (found !== null && (found.mode & KIND_BITS) === REGULAR)
    await setMode(sftp, path, mendedMode(found, SSH_KEYS))
}

/** We log in as the user for whom sshd reads the file, and begin in its home (draft-ietf-secsh-filexfer-02 §6.2). */
async function wayTo(sftp: SFTPWrapper, path: string): Promise<WayToFile | null> {
  if ((await attributesOf(sftp, path)) === null) return null
  const home = await realPath(sftp, '.')
  const real = await realPath(sftp, path)
  const steps: PathFacts[] = []
  for (const step of [real, ...foldersAbove(real, home)]) {
    const found = await attributesOf(sftp, step).catch((error: unknown) => {
      if (isDenied(error)) return null
      throw error
    })
    if (found !== null) steps.push({ path: step, uid: found.uid, mode: found.mode })
  }
  const uid = (await attributesOf(sftp, home))?.uid ?? steps[0]?.uid ?? 0
  return { uid, steps }
}

interface Work extends KeysReplacement {
  readonly bytes: Uint8Array
}

async function replaceKeys(
  sftp: SFTPWrapper,
  names: Names,
  { bytes, expected, evidence, kept: tell }: Work,
): Promise<void> {
  const { path, place, temp, kept } = names
  const stands = await attributesOf(sftp, path)
  const found = stands !== null && (stands.mode & KIND_BITS) === REGULAR ? stands : null
  if (stands === null) await makeMissingFolder(sftp, path)
  // Left behind by a session that was cut off.
  await remove(sftp, temp)
  const mode = found === null ? NEW_MODE : mendedMode(found, SSH_KEYS)
  try {
    await writeNew(sftp, { path: temp, bytes, mode })
    await assertWhole(sftp, { temp, place, bytes, found })
    const now = await look(sftp, path)
    if (lookIdentity(now) !== expected)
      throw new Failure(
        'conflict',
        `${place} was changed by somebody while it was being written. It is left as it is.`,
      )
    if (evidence && now.kind === 'file') {
      await keep(sftp, kept, now.bytes)
      tell?.(kept)
    }
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

interface Written {
  readonly temp: string
  readonly place: string
  readonly bytes: Uint8Array
  readonly found: Attributes | null
}

/** Read back as it is there, and sshd will not pass over it for its owner. */
async function assertWhole(sftp: SFTPWrapper, { temp, place, bytes, found }: Written): Promise<void> {
  const back = await readWhole(sftp, temp, MAX_BYTES)
  if (back === null || Buffer.compare(back, bytes) !== 0)
    throw new Failure(
      'component_unavailable',
      `${place}: what was written does not read back. See the gateway’s disk.`,
    )
  const made = await attributesOf(sftp, temp)
  if (found === null || made?.uid === found.uid) return
  throw new Failure(
    'storage_unwritable',
    `${place} belongs to user id ${found.uid}, and what we write in its place would be ignored by sshd. Log in as that user.`,
  )
}

async function keep(sftp: SFTPWrapper, path: string, bytes: Uint8Array): Promise<void> {
  await remove(sftp, path)
  await writeNew(sftp, { path, bytes, mode: NEW_MODE })
}
