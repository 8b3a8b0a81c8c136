/** A file of which every byte is ours: how it differs from what is wanted, and how that is explained. Pure. */
import { unequalDiff } from '../kernel/text/diff.ts'
import type { DriftCause } from '../model/drift.ts'
import { type FileLook, lookStamp } from '../ports/files.ts'
import type { Difference, Explanation } from './target.ts'

/** Whether it is written anew, or gets its own mode back. */
export type FileChange = 'bytes' | 'mode'

interface WantedFile {
  readonly key: string
  readonly path: string
  /** Whether what stands there says what is wanted. */
  readonly is_same: boolean
  /** Of what is wanted. */
  readonly digest: string
}

/** At most one. */
export function fileDifferences(
  look: FileLook,
  { key, path, is_same, digest }: WantedFile,
): readonly Difference<FileChange>[] {
  const fault = look.kind === 'file' ? look.access : undefined
  if (is_same && fault === undefined) return []
  return [
    {
      key,
      verb: look.kind === 'absent' ? 'create' : 'update',
      item: path,
      before: look.kind === 'absent' ? null : is_same ? fault!.what : lookStamp(look).slice(0, 12),
      after: is_same ? 'its own mode' : digest.slice(0, 12),
      payload: is_same ? 'mode' : 'bytes',
    },
  ]
}

export const fileText = (look: FileLook): string | null =>
  look.kind === 'file' ? Buffer.from(look.bytes).toString('utf8') : null

interface FileWords {
  /** What is compared of it; null for what is no file. */
  readonly was: string | null
  readonly is_to_say: string
  /** As details: of a file that is missing, and of one that says something else. */
  readonly missing: string
  readonly edited: string
}

const SIDES = { before: 'on disk', after: 'as it should be' }

export function explainFile(
  look: FileLook,
  wanted: WantedFile,
  { was, is_to_say, missing, edited }: FileWords,
): Explanation {
  const [difference] = fileDifferences(look, wanted)
  if (difference === undefined) return UNCHANGED
  const { item, payload, before } = difference
  const is_mode = payload === 'mode'
  const cause: DriftCause = look.kind === 'absent' ? 'lost' : is_mode ? 'access' : 'edited'
  const text = look.kind === 'absent' ? '' : was
  const { unified, note } =
    is_mode || text === null
      ? { unified: null, note: null }
      : unequalDiff({ path: item, before: text, after: is_to_say, labels: SIDES })
  const detail = (): string => {
    if (look.kind === 'absent') return missing
    if (is_mode) return `the file ${before}`
    return look.kind === 'file'
      ? edited
      : `something that is no file of ours stands there (${lookStamp(look)})`
  }
  return { differences: [{ item, cause, domains: [], detail: detail() }], unified_diff: unified, note }
}

export const UNCHANGED: Explanation = { differences: [], unified_diff: null, note: null }
