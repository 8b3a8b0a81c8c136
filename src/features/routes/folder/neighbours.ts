/** The other files of a folder that the proxy reads as a whole: their texts, read again only where they changed. */
import { isUtf8 } from 'node:buffer'
import { constants, type Stats } from 'node:fs'
import { lstat, open, readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { systemErrorCode } from '../../../kernel/failure.ts'
import type { Neighbour, Neighbours } from './port.ts'
import { readFault } from '../../../io/files/faults.ts'
import { folderFault } from '../../../io/files/folder-fault.ts'

/** What Traefik's file provider takes for configuration. */
const READ_BY_PROXY = ['.yml', '.yaml', '.toml']
const MAX_BYTES = 1024 * 1024
const MAX_FILES = 200

export interface NeighboursOptions {
  readonly folder: string
  /** Files of ours, which are looked at by themselves. */
  readonly ours: readonly string[]
}

export function neighbours({ folder, ours }: NeighboursOptions): Neighbours {
  let kept = new Map<string, Stamped>()
  return {
    folder,
    async folderFault() {
      const fault = await folderFault(folder)
      return fault === null ? null : `The proxy reads nothing: ${fault}`
    },
    async list(signal) {
      const files = (await filesIn(folder)).filter((path) => !ours.includes(path))
      kept = await stampedAt(files.slice(0, MAX_FILES), (file) => kept.get(file), signal)
      const found = [...kept.values()].map(({ neighbour }) => neighbour)
      return { found, beyond: Math.max(0, files.length - MAX_FILES) }
    },
  }
}

interface Stamped {
  readonly stamp: string
  readonly neighbour: Neighbour
}

async function stampedAt(
  files: readonly string[],
  before: (file: string) => Stamped | undefined,
  signal: AbortSignal,
): Promise<Map<string, Stamped>> {
  const seen = new Map<string, Stamped>()
  for (const file of files) {
    signal.throwIfAborted()
    const status = await statusOf(file)
    if (status !== null) seen.set(file, await stamped(file, status, before(file)))
  }
  return seen
}

async function stamped(file: string, status: Stats, before: Stamped | undefined): Promise<Stamped> {
  const { ino, size, mtimeMs, ctimeMs } = status
  const stamp = `${ino} ${size} ${mtimeMs} ${ctimeMs}`
  const is_unchanged = before?.stamp === stamp && Date.now() - ctimeMs > SETTLED_MS
  return is_unchanged ? before : { stamp, neighbour: await neighbourAt(file, status) }
}

/** A change this near to now may be followed by one with the same stamp. */
const SETTLED_MS = 20

/** Of what a link leads to; of the link itself where it leads nowhere. Null for what has gone meanwhile. */
const statusOf = (file: string): Promise<Stats | null> =>
  stat(file)
    .catch(() => lstat(file))
    .catch((error: unknown) => {
      if (systemErrorCode(error) === 'ENOENT') return null
      throw readFault(error, file)
    })

async function neighbourAt(file: string, status: Stats): Promise<Neighbour> {
  const { size, mode } = status
  // The proxy opens pipes, sockets and devices, too, and waits there or finds fault with the whole folder.
  if (!status.isFile()) return { file, text: null, mode }
  if (size > MAX_BYTES) return { file, text: null, mode, too_large: size }
  const bytes = await bytesOf(file).catch(() => null)
  if (bytes === null) return { file, text: null, mode }
  return { file, text: bytes.toString('utf8'), mode, ...(!isUtf8(bytes) && { not_utf8: true as const }) }
}

/** Null for what cannot be read here, is no file or is too large. */
export async function textOf(file: string): Promise<string | null> {
  const status = await stat(file).catch(() => null)
  if (status === null || !status.isFile() || status.size > MAX_BYTES) return null
  return (await bytesOf(file).catch(() => null))?.toString('utf8') ?? null
}

/** Null for what is no file: to open a pipe the plain way would wait for whoever writes into it. */
async function bytesOf(file: string): Promise<Buffer | null> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return (await handle.stat()).isFile() ? await handle.readFile() : null
  } finally {
    await handle.close()
  }
}

/** Below the folder, too: the proxy reads it with all that is in it. */
async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true })
    return (
      entries
        // The proxy follows links, too, and opens whatever is no folder.
        .filter((entry) => !entry.isDirectory() && isReadByProxy(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
    )
  } catch (error) {
    // Also of a folder below that went meanwhile, and then nobody knows what is in the others.
    if (systemErrorCode(error) === 'ENOENT' && (await statusOf(folder)) === null) return []
    throw readFault(error, folder)
  }
}

/** In either case of letters, as the proxy takes them. */
const isReadByProxy = (name: string): boolean => READ_BY_PROXY.includes(extname(name).toLowerCase())
