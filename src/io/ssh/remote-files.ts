/** The few calls of SFTP that are needed here, as promises, with bounds and with words for what goes wrong. */
import type { Attributes, FileEntry, SFTPWrapper } from 'ssh2'
import { Failure } from '../../kernel/failure.ts'
import { sftpFault, STATUS, statusOf } from './faults.ts'

const PIECE_BYTES = 32 * 1024

type Done<T> = (error: Error | null | undefined, value: T) => void

const call = <T>(operation: string, run: (done: Done<T>) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    try {
      run((error, value) =>
        error === undefined || error === null ? resolve(value) : reject(sftpFault(error, operation)),
      )
    } catch (error) {
      reject(error)
    }
  })

const causeOf = (error: unknown): unknown => (error instanceof Failure ? error.details.cause : error)
export const isDenied = (error: unknown): boolean => statusOf(causeOf(error)) === STATUS.permission_denied
export const isAbsence = (error: unknown): boolean => statusOf(causeOf(error)) === STATUS.no_such_file

/** Of the thing itself, never of what a link points to; null for nothing. */
export const attributesOf = (sftp: SFTPWrapper, path: string): Promise<Attributes | null> =>
  call<Attributes>(`look at ${path}`, (done) => sftp.lstat(path, done)).catch((error: unknown) => {
    if (isAbsence(error)) return null
    throw error
  })

/** Absolute and without links. */
export const realPath = (sftp: SFTPWrapper, path: string): Promise<string> =>
  call<string>(`resolve ${path}`, (done) => sftp.realpath(path, done))

/** Null for a file with more than `most` bytes. */
export async function readWhole(sftp: SFTPWrapper, path: string, most: number): Promise<Buffer | null> {
  const handle = await call<Buffer>(`open ${path}`, (done) => sftp.open(path, 'r', done))
  try {
    const pieces: Buffer[] = []
    for (let at = 0; at <= most;) {
      const piece = await readPiece(sftp, handle, { path, at })
      if (piece === null) return Buffer.concat(pieces)
      pieces.push(piece)
      at += piece.length
    }
    return null
  } finally {
    await close(sftp, handle)
  }
}

/** Null at the end. */
async function readPiece(
  sftp: SFTPWrapper,
  handle: Buffer,
  { path, at }: { readonly path: string; readonly at: number },
): Promise<Buffer | null> {
  const buffer = Buffer.alloc(PIECE_BYTES)
  const read = call<number>(`read ${path}`, (done) => sftp.read(handle, buffer, 0, PIECE_BYTES, at, done))
  const length = await read.catch((error: unknown) => {
    if (statusOf(causeOf(error)) === STATUS.eof) return 0
    throw error
  })
  return length === 0 ? null : buffer.subarray(0, length)
}

export interface NewFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly mode: number
}

/** Makes a file that was not there (a planted link is not followed), complete and, where the server can, on its disk. */
export async function writeNew(sftp: SFTPWrapper, { path, bytes, mode }: NewFile): Promise<void> {
  const handle = await call<Buffer>(`make ${path}`, (done) => sftp.open(path, 'wx', { mode: 0o600 }, done))
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const piece = Buffer.from(bytes.subarray(at, at + PIECE_BYTES))
      await call<void>(`write ${path}`, (done) => sftp.write(handle, piece, 0, piece.length, at, done))
    }
    await call<void>(`set the mode of ${path}`, (done) => sftp.fchmod(handle, mode, done))
    await sync(sftp, handle, path)
  } finally {
    await close(sftp, handle)
  }
}

/** `fsync@openssh.com` (OpenSSH's PROTOCOL §4.6); servers without it write when they will. */
const sync = (sftp: SFTPWrapper, handle: Buffer, path: string): Promise<void> =>
  call<void>(`sync ${path}`, (done) => sftp.ext_openssh_fsync(handle, done)).catch((error: unknown) => {
    if (!isUnsupported(error)) throw error
  })

/** ssh2 throws this before it asks. */
const isUnsupported = (error: unknown): boolean =>
  error instanceof Error && /does not support this extended request/i.test(error.message)

const close = (sftp: SFTPWrapper, handle: Buffer): Promise<void> =>
  call<void>('close a file', (done) => sftp.close(handle, done)).catch(() => undefined)

/** Nothing happens where nothing is. */
export const remove = (sftp: SFTPWrapper, path: string): Promise<void> =>
  call<void>(`remove ${path}`, (done) => sftp.unlink(path, done)).catch((error: unknown) => {
    if (!isAbsence(error)) throw error
  })

/** Of a file that was just seen; the server follows a link that took its place since. */
export const setMode = (sftp: SFTPWrapper, path: string, mode: number): Promise<void> =>
  call<void>(`set the mode of ${path}`, (done) => sftp.setstat(path, { mode }, done))

export const makeFolder = (sftp: SFTPWrapper, path: string): Promise<void> =>
  call<void>(`make the folder ${path}`, (done) => sftp.mkdir(path, { mode: 0o700 }, done))

/** A second name for the thing itself: link(2) of the server does not follow a symbolic link (OpenSSH's PROTOCOL §4.4). */
export const hardLink = (sftp: SFTPWrapper, from: string, to: string): Promise<void> =>
  call<void>(`link ${to}`, (done) => sftp.ext_openssh_hardlink(from, to, done))

export const namesIn = async (sftp: SFTPWrapper, folder: string): Promise<readonly string[]> =>
  (await call<FileEntry[]>(`list ${folder}`, (done) => sftp.readdir(folder, done))).map(
    ({ filename }) => filename,
  )

/** In one step (`posix-rename@openssh.com`): the plain rename of SFTP 3 would want the old file removed first. */
export const renameOver = (sftp: SFTPWrapper, from: string, to: string): Promise<void> =>
  call<void>(`rename to ${to}`, (done) => sftp.ext_openssh_rename(from, to, done)).catch((error: unknown) => {
    if (!isUnsupported(error)) throw error
    throw new Failure(
      'component_unavailable',
      'ssh: the gateway’s SFTP server has no posix-rename@openssh.com, so the file cannot be replaced in one step. ' +
        'Use that of OpenSSH (Subsystem sftp internal-sftp).',
    )
  })
