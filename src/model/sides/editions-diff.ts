/** A file on disk beside both editions of it, as unified diffs of which each says truly from where to where it runs. Pure. */
import { pieceDiff, type Pieces, type TextDiff, unequalDiff } from '../../kernel/text/diff.ts'

export interface EditionTexts {
  readonly path: string
  readonly there: string
  /** Null before the first release. */
  readonly released: string | null
  readonly working: string
  /** What `working` is called where it is no edition, as in a plan: one diff runs to it, whatever was released. */
  readonly wanted_as?: string | undefined
}

export type Side = 'there' | 'released' | 'working'

/** Entries as wholes, where two texts differ too much for a diff by lines. */
export type PiecesBetween = (before: Side, after: Side) => readonly Pieces[]

const NAMES: Readonly<Record<Side, string>> = {
  there: 'on disk',
  released: 'released edition',
  working: 'working edition',
}

/**
 * From what is there to what is wanted. Where a hand edit and a change that waits for its deploy meet, two: what a repair does, and
 * what a deploy does after it.
 */
export function editionsDiff(texts: EditionTexts, pieces?: PiecesBetween): TextDiff {
  const { there, released, working, wanted_as } = texts
  if (there === working) return { unified: null, note: 'The file already equals the working edition.' }
  if (wanted_as !== undefined) return diffOf(texts, ['there', 'working'], pieces)
  if (released === working) return diffOf(texts, ['there', 'released'], pieces)
  if (released === null || released === there) return diffOf(texts, ['there', 'working'], pieces)
  return together([
    diffOf(texts, ['there', 'released'], pieces),
    diffOf(texts, ['released', 'working'], pieces),
  ])
}

function diffOf(
  texts: EditionTexts,
  [from, to]: readonly [Side, Side],
  pieces: PiecesBetween | undefined,
): TextDiff {
  const { path, wanted_as } = texts
  const labels = { before: NAMES[from], after: to === 'working' ? (wanted_as ?? NAMES[to]) : NAMES[to] }
  return unequalDiff(
    { path, before: texts[from] ?? '', after: texts[to] ?? '', labels },
    pieces && (() => pieceDiff(path, pieces(from, to), labels)),
  )
}

function together(diffs: readonly TextDiff[]): TextDiff {
  const unified = diffs.flatMap((diff) => diff.unified ?? [])
  const notes = new Set(diffs.flatMap(({ note }) => note ?? []))
  return {
    unified: unified.length === 0 ? null : unified.join('\n'),
    note: notes.size === 0 ? null : [...notes].join(' '),
  }
}
