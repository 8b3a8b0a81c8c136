/**
 * The files of one resolver's configuration: the one that is named and what it includes, as far as that lies in the same
 * folder or below. What is read is bounded in number, depth and size.
 */
import { constants } from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { systemErrorCode } from '../../../kernel/failure.ts'
import { glanceAt } from '../../../kernel/glance.ts'
import { matchesWildcard } from '../wildcard.ts'
import type { ResolverConfig, ResolverRead } from './port.ts'

const MAX_BYTES = 4 * 1024 * 1024
const MAX_FILES = 500
export const DEEPEST_INCLUDE = 8

export type FileRead =
  | { readonly ok: true; readonly path: string; readonly text: string }
  /** `what`: the end of a sentence that begins with the path. */
  | { readonly ok: false; readonly what: string }

/** A source in files. @param read of the named file and what it includes */
export function fileSource(
  { source, path }: { readonly source: string; readonly path: string },
  read: (files: TextFiles) => Promise<ResolverRead>,
): ResolverConfig {
  let trail: readonly string[] = [path]
  return {
    source,
    kind: 'file',
    async read(signal) {
      const files = new TextFiles(path, signal)
      try {
        return await read(files)
      } finally {
        trail = files.trail
      }
    },
    glance() {
      const stamps = trail.map(glanceAt)
      return stamps.includes(null) ? null : stamps.join(' ')
    },
  }
}

export class TextFiles {
  readonly #main: string
  readonly #signal: AbortSignal
  readonly #read = new Set<string>()
  readonly #trail = new Set<string>()

  constructor(main: string, signal: AbortSignal) {
    this.#main = main
    this.#signal = signal
  }

  /** What was read or listed, whether it was there or not. */
  get trail(): readonly string[] {
    return [...this.#trail]
  }

  /** Relative paths begin at the named file's folder. */
  resolve(path: string): string {
    return isAbsolute(path) ? resolve(path) : resolve(dirname(this.#main), path)
  }

  async read(path: string): Promise<FileRead> {
    this.#signal.throwIfAborted()
    this.#trail.add(path)
    try {
      const real = await realpath(path)
      this.#trail.add(real)
      if (!(await this.#isInTree(path, real)))
        return { ok: false, what: 'lies outside the folder of the named file' }
      if (this.#read.has(real)) return { ok: true, path, text: '' }
      if (this.#read.size === MAX_FILES)
        return { ok: false, what: `is not read: there are over ${MAX_FILES} files` }
      this.#read.add(real)
      return await readText(path, real)
    } catch (error) {
      return { ok: false, what: `cannot be read (${systemErrorCode(error) ?? 'unknown error'})` }
    }
  }

  /** Full paths of the files in a folder, sorted; null when it cannot be listed. */
  async list(folder: string): Promise<readonly string[] | null> {
    this.#signal.throwIfAborted()
    this.#trail.add(folder)
    try {
      const entries = await readdir(folder, { withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile() || entry.isSymbolicLink())
      return files.map(({ name }) => join(folder, name)).sort()
    } catch {
      return null
    }
  }

  async isFolder(path: string): Promise<boolean> {
    return stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    )
  }

  /** The files that a pattern with stars in its last part means; null when its folder cannot be listed. */
  async matching(pattern: string): Promise<readonly string[] | null> {
    const last = basename(pattern)
    if (!/[*?]/.test(last)) return [pattern]
    const files = await this.list(dirname(pattern))
    return (
      files?.filter((path) => matchesWildcard(last, basename(path)) && !basename(path).startsWith('.')) ??
      null
    )
  }

  async #isInTree(path: string, real: string): Promise<boolean> {
    if (path === this.#main) return true
    const root = dirname(this.#main)
    const roots = [root, await realpath(root)]
    return roots.some((folder) => real.startsWith(folder.endsWith(sep) ? folder : folder + sep))
  }
}

/** O_NONBLOCK: a FIFO must not keep anybody waiting. */
async function readText(path: string, real: string): Promise<FileRead> {
  const handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = await handle.stat()
    if (!found.isFile()) return { ok: false, what: 'is not a regular file' }
    const buffer = Buffer.alloc(Math.min(found.size, MAX_BYTES) + 1)
    let length = 0
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    if (length > MAX_BYTES) return { ok: false, what: `is larger than ${MAX_BYTES} bytes` }
    return { ok: true, path, text: buffer.toString('utf8', 0, length) }
  } finally {
    await handle.close()
  }
}

/** The answer for a source whose own file cannot be read. */
export const unreadable = (source: string, what: string): ResolverRead => ({
  ok: false,
  reason: 'unreadable',
  detail: `${source} ${what}.`,
})
