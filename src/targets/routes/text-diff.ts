/** Two texts side by side as people read them: a unified diff, bounded in time and size. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import type { Block } from './blocks.ts'

export interface TextDiff {
  /** Null where there is nothing to show. */
  readonly unified: string | null
  /** Why it is missing or shortened, else null. */
  readonly note: string | null
}

const LABELS = { before: 'on disk', after: 'working edition' } as const
const MOST_TIME_MS = 40
const MOST_EDITS = 5_000
export const MOST_DIFF_CHARACTERS = 256 * 1024

/** From what is there to what the working edition asks for. `otherwise` gives a coarser text when the two differ too much. */
export function textDiff(path: string, before: string, after: string, otherwise?: () => string): TextDiff {
  if (before === after) return { unified: null, note: 'The file already equals the working edition.' }
  const patch = createTwoFilesPatch(path, path, visible(before), after, LABELS.before, LABELS.after, {
    context: 3,
    timeout: MOST_TIME_MS,
    maxEditLength: MOST_EDITS,
    headerOptions: FILE_HEADERS_ONLY,
  })
  if (patch !== undefined) return shortened(patch, null)
  if (otherwise === undefined) return { unified: null, note: 'The texts differ too much for a diff.' }
  return shortened(otherwise(), 'The texts differ too much for a minimal diff; whole entries are shown.')
}

/** Every item as a whole: what is there, then what should be. Not made for `patch`. */
export function blockDiff(
  path: string,
  items: readonly string[],
  sides: { readonly before: ReadonlyMap<string, Block>; readonly after: ReadonlyMap<string, Block> },
): string {
  const parts = [`--- ${path}\t${LABELS.before}\n+++ ${path}\t${LABELS.after}\n`]
  let length = 0
  for (const item of items) {
    const before = prefixed('-', visible(sides.before.get(item)?.text ?? ''))
    const part = `@@ ${item} @@\n${before}${prefixed('+', sides.after.get(item)?.text ?? '')}`
    parts.push(part)
    length += part.length
    if (length > MOST_DIFF_CHARACTERS) break
  }
  return parts.join('')
}

const prefixed = (mark: string, text: string): string =>
  text === '' ? '' : `${text.replace(/\n$/, '').replace(/^/gm, mark)}\n`

function shortened(text: string, note: string | null): TextDiff {
  if (text.length <= MOST_DIFF_CHARACTERS) return { unified: text, note }
  const cut = text.lastIndexOf('\n', MOST_DIFF_CHARACTERS) + 1
  const kept = text.slice(0, cut === 0 ? MOST_DIFF_CHARACTERS : cut).toWellFormed()
  return { unified: kept, note: [note, 'The diff is shortened.'].filter((part) => part !== null).join(' ') }
}

// C0 but for tab and line feed, DEL and C1, line separators, marks that reorder text. The file is anybody's: none of it may drive a terminal.
// eslint-disable-next-line no-control-regex
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

const visible = (text: string): string =>
  text.replace(INVISIBLE, (mark) =>
    mark < ' ' ? String.fromCharCode(0x2400 + mark.charCodeAt(0)) : '\ufffd',
  )
