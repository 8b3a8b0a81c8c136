/** Somebody else on the host, who has other ideas about the routes file. */
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { sha256 } from '../../src/kernel/digest.ts'

export const HAND_EDITS = [
  'append',
  'the same foreign bytes',
  'another text',
  'delete',
  'directory',
  'symlink',
  'truncate',
  'an older release',
] as const
export type HandEdit = (typeof HAND_EDITS)[number]

export const isHandEdit = (deed: string): deed is HandEdit => (HAND_EDITS as readonly string[]).includes(deed)

const COMMENT = '# somebody was here\n'

export class Stranger {
  readonly #path: string
  /** Digests of all that was left behind as a file. */
  readonly left = new Set<string>()
  #edits = 0

  constructor(path: string) {
    this.#path = path
  }

  /** @param older bytes that were released once. */
  edit(edit: HandEdit, older: readonly Uint8Array[]): void {
    this.#edits++
    const was = bytesAt(this.#path)
    if (!(['append', 'truncate'].includes(edit) && was !== null))
      rmSync(this.#path, { recursive: true, force: true })
    this.#carryOut(edit, was, older)
    const digest = digestAt(this.#path)
    if (digest !== null) this.left.add(digest)
  }

  #carryOut(edit: HandEdit, was: Uint8Array | null, older: readonly Uint8Array[]): void {
    const path = this.#path
    switch (edit) {
      case 'append':
        return appendFileSync(path, COMMENT)
      case 'the same foreign bytes':
        return writeFileSync(path, 'http: {routers: {mine: {rule: x}}}\n')
      case 'another text':
        return writeFileSync(path, `# edit ${this.#edits}\n`)
      case 'delete':
        return
      case 'directory':
        mkdirSync(path)
        return
      case 'symlink':
        return symlinkSync('/nowhere/at/all', path)
      case 'truncate':
        return was === null ? writeFileSync(path, '') : truncateSync(path, Math.floor(was.length / 2))
      case 'an older release':
        return writeFileSync(path, older[this.#edits % Math.max(older.length, 1)] ?? '')
    }
  }
}

/** Null for whatever is no regular file. */
function bytesAt(path: string): Uint8Array | null {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path) : null
}

/** SHA-256 of the regular file there, or null. */
export function digestAt(path: string): string | null {
  const bytes = bytesAt(path)
  return bytes === null ? null : sha256([bytes])
}

/** What stands there, in a word: a digest, or the kind of thing. Equal for equal things. */
export function standingAt(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return 'nothing'
  return digestAt(path) ?? (found.isDirectory() ? 'a directory' : 'a symlink')
}

/** The proxy reads through links and folders, and a router of somebody's is never released. What is cut or older may be either. */
export function opensAt(path: string, wanted: string): boolean | 'unsure' {
  const status = lstatSync(path, { throwIfNoEntry: false })
  if (status === undefined) return false
  if (!status.isFile()) return true
  const text = readFileSync(path, 'utf8')
  if (text.includes('routers: {mine')) return true
  let rest = text
  while (rest.endsWith(COMMENT)) rest = rest.slice(0, -COMMENT.length)
  return sha256([rest]) === wanted || rest === '' || /^# edit \d+\n$/.test(rest) ? false : 'unsure'
}
