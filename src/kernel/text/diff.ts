/**
 * Two texts side by side as people read them: a unified diff, bounded in work and size.
 *
 * The search for a minimal diff is quadratic in what differs and slow in what does not, so equal lines at both ends are
 * taken off first, and what is left must be small; else the caller's coarser text stands in.
 */
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff'
import { visible } from './visible.ts'
import { commonPrefix, commonSuffix, lineCounter } from './lines.ts'

export interface TextDiff {
  /** Null where there is nothing to show. */
  readonly unified: string | null
  /** Why it is missing or shortened, else null. */
  readonly note: string | null
}

/** What the two sides are called. */
export interface Labels {
  readonly before: string
  readonly after: string
}

const CONTEXT_LINES = 3
/** Lines compared, long ones counted several times: some ten milliseconds, on a busy machine more, with the same answer. */
const MAX_COMPARISONS = 150_000
const CHARACTERS_AT_ONCE = 64
const MAX_EDITS = 5_000
const MAX_SEARCHED_CHARACTERS = 512 * 1024
export const MAX_DIFF_CHARACTERS = 256 * 1024

interface Unequal {
  readonly path: string
  readonly before: string
  readonly after: string
  readonly labels: Labels
}

/** From one text to another that differs. `otherwise` gives a coarser text when the two differ too much. */
export function unequalDiff(texts: Unequal, otherwise?: () => string): TextDiff {
  const patch = minimalDiff(texts)
  if (patch !== null) return shortened(patch, null)
  if (otherwise === undefined) return { unified: null, note: 'The texts differ too much for a diff.' }
  return shortened(otherwise(), 'The texts differ too much for a minimal diff; whole entries are shown.')
}

function minimalDiff({ path, before, after, labels }: Unequal): string | null {
  const start = commonPrefix(before, after, CONTEXT_LINES)
  const end = commonSuffix(before, after, { start, context: CONTEXT_LINES })
  const old_part = before.slice(start, before.length - end)
  const new_part = after.slice(start, after.length - end)
  if (Math.max(old_part.length, new_part.length) > MAX_SEARCHED_CHARACTERS) return null
  const patch = withinWork((comparator) => {
    // The comparator goes on to the search by lines; the types of the patch do not name it.
    const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDITS, comparator }
    return structuredPatch(path, path, visible(old_part), new_part, labels.before, labels.after, options)
  })
  if (patch === undefined) return null
  const lines_before = lineCounter(before)(start) - 1
  const hunks = patch.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + lines_before,
    newStart: hunk.newStart + lines_before,
  }))
  return formatPatch({ ...patch, hunks }, FILE_HEADERS_ONLY)
}

/** One place where two texts differ, as data. */
export interface Hunk {
  readonly old_start: number
  readonly old_lines: number
  readonly new_start: number
  readonly new_lines: number
  readonly lines: readonly HunkLine[]
}

export interface HunkLine {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
  /** It says nothing but that something else differs. */
  readonly noise: boolean
}

/**
 * From `before` to `after`; null where that takes too much work.
 * @param first_line the number of the first line of both in the file that they are a part of
 */
export function hunksBetween(
  before: string,
  after: string,
  { first_line, noise }: { readonly first_line: number; readonly noise: boolean },
): readonly Hunk[] | null {
  const patch = withinWork((comparator) => {
    const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDITS, comparator }
    return structuredPatch('', '', before, after, '', '', options)
  })
  if (patch === undefined) return null
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    old_start: oldStart + first_line - 1,
    old_lines: oldLines,
    new_start: newStart + first_line - 1,
    new_lines: newLines,
    lines: lines.flatMap((line) => hunkLine(line, noise)),
  }))
}

/** `\ No newline at end of file` is no line of either. */
function hunkLine(line: string, noise: boolean): HunkLine[] {
  const sign = line[0]
  return sign === ' ' || sign === '-' || sign === '+' ? [{ sign, text: line.slice(1), noise }] : []
}

class TooMuchWork extends Error {}

/** Undefined where it takes too many comparisons. */
function withinWork<T>(search: (isEqual: (a: string, b: string) => boolean) => T): T | undefined {
  let left = MAX_COMPARISONS
  const isEqual = (a: string, b: string): boolean => {
    left -= a.length === b.length ? 1 + Math.floor(a.length / CHARACTERS_AT_ONCE) : 1
    if (left < 0) throw new TooMuchWork()
    return a === b
  }
  try {
    return search(isEqual)
  } catch (error) {
    if (error instanceof TooMuchWork) return undefined
    throw error
  }
}

export interface Pieces {
  readonly item: string
  /** What is there; null for nothing. */
  readonly before: string | null
  readonly after: string | null
}

/** Every item as a whole: what is there, then what should be. Not made for `patch`. */
export function pieceDiff(path: string, pieces: Iterable<Pieces>, labels: Labels): string {
  const parts = [`--- ${path}\t${labels.before}\n+++ ${path}\t${labels.after}\n`]
  let length = 0
  for (const { item, before, after } of pieces) {
    // Cut first: one piece may be the whole of a very large file.
    const [old_part, new_part] = [before ?? '', after ?? ''].map((text) => text.slice(0, MAX_DIFF_CHARACTERS))
    const part = `@@ ${item} @@\n${prefixed('-', visible(old_part!))}${prefixed('+', new_part!)}`
    parts.push(part)
    length += part.length
    if (length > MAX_DIFF_CHARACTERS) break
  }
  return parts.join('')
}

const prefixed = (mark: string, text: string): string =>
  text === '' ? '' : `${text.replace(/\n$/, '').replace(/^/gm, mark)}\n`

function shortened(text: string, note: string | null): TextDiff {
  if (text.length <= MAX_DIFF_CHARACTERS) return { unified: text, note }
  const cut = text.lastIndexOf('\n', MAX_DIFF_CHARACTERS - 1) + 1
  const kept = text.slice(0, cut === 0 ? MAX_DIFF_CHARACTERS : cut).toWellFormed()
  return {
    unified: kept,
    note: [note, 'The diff is shortened.'].filter((part) => part !== null).join(' '),
  }
}
