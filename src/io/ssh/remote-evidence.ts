/** What a repair overwrites on another host is kept beside the file under a dated name; the newest ten of a file stay. */
import { posix } from 'node:path'
import type { SFTPWrapper } from 'ssh2'
import { sha256 } from '../../kernel/digest.ts'
import { nameTime } from '../../kernel/text/name-time.ts'
import type { FileLook } from '../../ports/files.ts'
import { hardLink, namesIn, remove, writeNew } from './remote-files.ts'

const MAX_EVIDENCE = 10
const MODE = 0o600

export interface RemoteEvidence {
  /** Of the file that is overwritten. */
  readonly path: string
  /** Tells copies of this file from those of other files and other installations in the same folder. */
  readonly mark: string
}

/** Keeps what was seen at the path; the path of the copy, null where nothing could be kept. */
export async function keepRemoteEvidence(
  sftp: SFTPWrapper,
  { path, mark }: RemoteEvidence,
  seen: FileLook,
): Promise<string | null> {
  const digest = digestOf(seen)
  if (digest === null) return null
  const folder = posix.dirname(path)
  const first = `.plumbline-evidence-${mark}`
  const kept = posix.join(folder, `${first}-${nameTime()}-${digest.slice(0, 8)}`)
  if (seen.kind === 'file') await writeNew(sftp, { path: kept, bytes: seen.bytes, mode: MODE })
  else if (!(await linked(sftp, path, kept))) return null
  await removeOldest(sftp, { kept, first }).catch(() => undefined)
  return kept
}

/** Null for what is not kept: nothing, a folder (which is never replaced), what is too large to be read. */
function digestOf(seen: FileLook): string | null {
  if (seen.kind === 'file') return seen.digest
  return seen.kind === 'intruder' && seen.what !== 'directory' ? sha256([seen.what]) : null
}

/** The link itself gets a second name, not what it leads to. Where the server refuses that, the repair goes on. */
const linked = (sftp: SFTPWrapper, path: string, kept: string): Promise<boolean> =>
  hardLink(sftp, path, kept).then(
    () => true,
    () => false,
  )

/** Never the one that was just kept: those of a clock that was ahead sort behind it. */
async function removeOldest(
  sftp: SFTPWrapper,
  { kept, first }: { readonly kept: string; readonly first: string },
): Promise<void> {
  const folder = posix.dirname(kept)
  const ours = (await namesIn(sftp, folder)).filter((name) => name === first || name.startsWith(`${first}-`))
  const others = ours
    .filter((name) => name !== posix.basename(kept))
    .toSorted()
    .toReversed()
  for (const name of others.slice(MAX_EVIDENCE - 1)) await remove(sftp, posix.join(folder, name))
}
