/** Why a file or folder that somebody named cannot be read, with what would help: the end of a sentence that begins with its path. */
import { systemErrorCode } from './failure.ts'

/** @param kind what is to be there */
export function readFailure(error: unknown, kind: 'file' | 'folder'): string {
  const code = systemErrorCode(error) ?? ''
  switch (code) {
    case 'ENOENT':
      return `does not exist. Correct the path, make the ${kind}, or leave the setting out`
    case 'ENOTDIR':
      return kind === 'folder'
        ? 'is no folder. Name the folder itself'
        : 'leads through what is no folder. Correct the path'
    case 'EISDIR':
      return 'is a folder. Name the file in it'
    case 'EACCES':
    case 'EPERM':
      return `cannot be read by user id ${process.geteuid?.() ?? 'unknown'}. Give that user read access to it and search access to the folders above`
    case 'ELOOP':
      return 'leads in a circle of links. Correct them'
    default:
      return `cannot be read (${code || String(error)}). See whether its disk or file server is well`
  }
}
