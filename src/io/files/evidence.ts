/** What a repair overwrites is kept beside the file under a dated name, and what a rename cannot replace is moved away. */
import type { Dirent, Stats } from 'node:fs'
import { link, lstat, readdir, rename, rmdir, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { sha256 } from '../../kernel/digest.ts'
import type { Log } from '../../kernel/log.ts'
import { nameTime } from '../../kernel/text/name-time.ts'
import { lookAt } from './look.ts'
import { overtaken, renameToNothing } from './rename-over.ts'

const MAX_EVIDENCE = 10
const MAX_EVIDENCE_BYTES = 16 * 1024 * 1024
// The time sorts as text; no suffix that a proxy would take for configuration.
const EVIDENCE = /^(?:\.plumbline-)?evidence-\d{8}T\d{6}\.\d{3}Z-[0-9a-f]{8}$/

export interface EvidenceContext {
  readonly path: string
  /** Where temps go; evidence goes there too. */
  readonly folder: string
  readonly log: Log
  readonly kept?: ((path: string) => void) | undefined
  readonly signal: AbortSignal
}

/**
 * A directory cannot be renamed over: it is moved aside with all that is in it. Everything else is replaced by the
 * rename itself, without a moment in which nothing stands there. Throws `conflict` where a file has come in its place; then
 * that stands.
 */
export async function moveDirectoryAside(found: Stats, context: EvidenceContext): Promise<void> {
  const kept = join(context.folder, evidenceName(context, sha256([`${found.dev}:${found.ino}`])))
  await rename(context.path, kept)
  if (!(await lstat(kept)).isDirectory()) {
    // Somebody has put the file back in that moment.
    await renameToNothing(kept, context.path)
    throw overtaken(context.path)
  }
  context.log.warn('a directory stood in the way of a file and was moved aside', {
    path: context.path,
    moved_to: kept,
  })
  context.kept?.(kept)
  await removeOldest(kept).catch(() => undefined)
}

/** Keeps the thing at the path by a second link, so it stays where it is until it is replaced. Never fails the repair. */
export async function keepEvidence(found: Stats, context: EvidenceContext): Promise<void> {
  try {
    const kept = found.isFile() ? await keepFile(found, context) : await keepIntruder(found, context)
    if (kept === null) return
    context.log.info('overwritten content was kept', { path: context.path, kept_as: kept })
    context.kept?.(kept)
    await removeOldest(kept)
  } catch (error) {
    if (context.signal.aborted) throw error
    context.log.warn('overwritten content could not be kept', { path: context.path, error })
  }
}

/** The path of the copy; null when the file is too large or already gone. */
async function keepFile(found: Stats, context: EvidenceContext): Promise<string | null> {
  const look = await lookAt(context.path, { max_bytes: MAX_EVIDENCE_BYTES, known: null }, context.signal)
  if (look.kind === 'oversize')
    context.log.warn('overwritten content is too large to be kept', { path: context.path, bytes: found.size })
  if (look.kind !== 'file') return null
  const kept = join(context.folder, evidenceName(context, look.digest))
  // Some file systems have no hard links, and some kernels refuse links to files of other owners.
  await link(context.path, kept).catch(() => writeFile(kept, look.bytes, { flag: 'wx', mode: 0o600 }))
  return kept
}

async function keepIntruder(found: Stats, context: EvidenceContext): Promise<string> {
  const kept = join(context.folder, evidenceName(context, sha256([`${found.dev}:${found.ino}`])))
  // link(2) does not follow a symbolic link: the link itself gets a second name.
  await link(context.path, kept).catch(() => rename(context.path, kept))
  return kept
}

function evidenceName({ path, folder }: EvidenceContext, digest: string): string {
  const hidden = join(folder, basename(path)) === path ? '.plumbline-' : ''
  return `${hidden}evidence-${nameTime()}-${digest.slice(0, 8)}`
}

/**
 * Of files and of directories the newest stay, and what was just kept, also where others are of a clock that was ahead. A
 * directory with something in it is somebody's data: it always stays.
 */
async function removeOldest(kept: string): Promise<void> {
  const [folder, newest] = [dirname(kept), basename(kept)]
  const all = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => EVIDENCE.test(name))
  const rank = ({ name }: Dirent) => (name === newest ? 1 : 0)
  const newest_first = all.sort((a, b) => rank(b) - rank(a) || (a.name > b.name ? -1 : 1))
  const [directories, others] = [newest_first.filter(isDirectory), newest_first.filter(isOther)]
  for (const entry of others.slice(MAX_EVIDENCE)) await unlink(join(folder, entry.name))
  for (const entry of directories.slice(MAX_EVIDENCE))
    await rmdir(join(folder, entry.name)).catch(() => undefined)
}

const isDirectory = (entry: Dirent): boolean => entry.isDirectory()
const isOther = (entry: Dirent): boolean => !entry.isDirectory()
