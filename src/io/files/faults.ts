/** What a system error at a file means for the operator: which failure it is, and what would help. */
import { dirname } from 'node:path'
import { Failure, type FailureCode, systemErrorCode } from '../../kernel/failure.ts'

const who = (): string => `user id ${process.geteuid?.() ?? 'unknown'}`

/** The middle and the remedy of the sentence `<path> could not be written: …`. */
function writeRemedy(code: string, path: string): { code: FailureCode; text: string } {
  const unwritable = (text: string) => ({ code: 'storage_unwritable' as const, text })
  switch (code) {
    case 'ENOSPC':
      return {
        code: 'storage_full',
        text: 'the file system has no space or no inodes left. Free some; the next attempt goes on by itself',
      }
    case 'EDQUOT':
      return {
        code: 'storage_full',
        text: `the disk quota of ${who()} is used up. Raise it or delete files; the next attempt goes on by itself`,
      }
    case 'EROFS':
      return unwritable(`the file system is mounted read-only. Mount ${dirname(path)} writable`)
    case 'EACCES':
    case 'EPERM':
      return unwritable(
        `permission denied for ${who()}. Give that user write access to ${dirname(path)} (and see that nothing there is marked immutable)`,
      )
    case 'EBUSY':
      return unwritable(`${path} is a mount point of a single file; mount its directory instead`)
    case 'EIO':
      return unwritable('the disk reported an error. Look at the kernel log and check the disk')
    case 'EMFILE':
    case 'ENFILE':
      return unwritable('too many files are open. Raise the limit of open files (LimitNOFILE=)')
    case 'ENOTDIR':
    case 'EEXIST':
    case 'ELOOP':
      return unwritable(`${dirname(path)} is not a directory. Move away what stands there`)
    default:
      return unwritable('the system refused. The cause is in the log')
  }
}

/** A Failure for whatever went wrong while `path` was written; anything else passes unchanged. */
export function writeFault(error: unknown, path: string): unknown {
  const code = errnoOf(error)
  if (code === null) return error
  const remedy = writeRemedy(code, path)
  return new Failure(remedy.code, `${path} could not be written (${code}): ${remedy.text}.`, {
    cause: error,
    inside: String(error),
  })
}

function readRemedy(code: string, path: string): string {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `permission denied for ${who()}. Give that user read access to the file and search access to ${dirname(path)}`
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files are open. Raise the limit of open files (LimitNOFILE=)'
    case 'EIO':
    case 'ESTALE':
      return 'the disk or the file server reported an error. Look at the kernel log'
    case 'ENOTDIR':
    case 'ELOOP':
      return `${dirname(path)} is not a directory. Move away what stands there`
    default:
      return 'the system refused. The cause is in the log'
  }
}

/** As `writeFault`, for reading. */
export function readFault(error: unknown, path: string): unknown {
  const code = errnoOf(error)
  if (code === null) return error
  return new Failure(
    'component_unavailable',
    `${path} could not be read (${code}): ${readRemedy(code, path)}.`,
    {
      cause: error,
      inside: String(error),
    },
  )
}

/** Null for what is no error of the system: failures, aborts (`ABORT_ERR`) and mistakes of ours (`ERR_…`). */
function errnoOf(error: unknown): string | null {
  const code = systemErrorCode(error)
  return code !== null && /^E[A-Z0-9]+$/.test(code) ? code : null
}
