/**
 * Why the routes file differs, for people: block by block where there is text to compare, in one sentence where not.
 *
 * Drift itself is decided by digests in `diff.ts`; nothing here is asked whether the file is true. The file's text is
 * cut, never parsed: a YAML bomb is just lines.
 */
import { causeOf } from '../../../engine/cause.ts'
import type { Explanation, Sides } from '../../../engine/target.ts'
import { type ExplainedDifference, unlistedNote } from '../../../model/drift.ts'
import { type FileLook, lookStamp } from '../../../ports/files.ts'
import { textOf } from '../render/text.ts'
import type { RoutesDesired } from './desire.ts'
import { hideInDiff } from '../../../kernel/text/hide-secrets.ts'
import { lineCounter } from '../../../kernel/text/lines.ts'
import {
  blockSides,
  type BlockSides,
  differingBlocks,
  hasEntry,
  isAt,
  piecesOf,
  sidesOf,
} from './differing-blocks.ts'
import { readLook } from './obstacle.ts'
import type { TextDiff } from '../../../kernel/text/diff.ts'
import { editionsDiff, type EditionTexts } from '../../../model/sides/editions-diff.ts'

type RoutesSides = Sides<RoutesDesired, FileLook>

/** Beyond this many bytes on any side a comparison would hold the event loop for too long. */
export const MAX_COMPARED_BYTES = 8 * 1024 * 1024
export const MAX_LISTED = 500

/** Pure but for the diff's time limit, which only decides between a minimal diff and one of whole blocks. */
export function explainRoutes(sides: RoutesSides, path: string): Explanation {
  const { working, released, observed, rows_moved, wanted_as } = sides
  const cause = causeOf(digestsOf(sides), rows_moved)
  if (cause === null) return { differences: [], ...NO_DIFF }
  const whole = (detail: string): ExplainedDifference => ({ item: path, cause, domains: [], detail })
  const closed = isAt(observed, working) ? observed.access : undefined
  if (closed !== undefined)
    return { differences: [{ ...whole(`the file ${closed.what}`), cause: 'access' }], ...NO_DIFF }
  if (isTooLarge(sides)) return tooLarge(observed, whole)
  const { obstacle, text } = readLook(observed, released !== null)
  if (obstacle !== null) {
    const diff = text === null ? noText(obstacle) : editionsDiff({ ...textsOf(sides, text), path, wanted_as })
    return { differences: [whole(obstacle)], ...named(diff) }
  }
  return compare(sides, { path, text: text ?? '', whole })
}

const NO_DIFF = { unified_diff: null, note: null }

const digestsOf = ({ working, released, observed }: RoutesSides) => ({
  working: working.checksum,
  released: released?.checksum ?? null,
  observed: observed.kind === 'absent' ? null : lookStamp(observed),
})

function tooLarge(observed: FileLook, whole: Comparison['whole']): Explanation {
  const obstacle = observed.kind === 'file' ? null : readLook(observed, true).obstacle
  return {
    differences: [whole(obstacle ?? 'the file differs as a whole')],
    unified_diff: null,
    note: `More than ${MAX_COMPARED_BYTES} bytes are not compared line by line.`,
  }
}

type Texts = Pick<EditionTexts, 'there' | 'released' | 'working'>

const textsOf = ({ working, released, observed }: RoutesSides, there: string): Texts => ({
  there,
  released: released && (isAt(observed, released) ? there : textOf(released.chunks)),
  working: textOf(working.chunks),
})

const named = ({ unified, note }: TextDiff) => ({ unified_diff: unified && hideInDiff(unified), note })

const noText = (obstacle: string) => ({ unified: null, note: `There is no text to compare: ${obstacle}.` })

function isTooLarge({ working, released, observed }: RoutesSides): boolean {
  const size = (chunks: readonly Uint8Array[]): number => chunks.reduce((sum, { length }) => sum + length, 0)
  return (
    Math.max(
      size(working.chunks),
      size(released?.chunks ?? []),
      observed.kind === 'file' ? observed.bytes.length : 0,
    ) > MAX_COMPARED_BYTES
  )
}

interface Comparison {
  readonly path: string
  readonly text: string
  readonly whole: (detail: string) => ExplainedDifference
}

function compare(all: RoutesSides, { path, text, whole }: Comparison): Explanation {
  const { sides, found, texts, lineAt } = comparedOf(all, text)
  const of_edition = { ...texts, path, wanted_as: all.wanted_as }
  if (all.observed.kind === 'file' && !hasEntry(sides.observed))
    return { differences: [whole(NO_ENTRY)], ...named(editionsDiff(of_edition)) }
  const differences = found.length > 0 ? found : [whole(OTHER_LAYOUT)]
  const diff = editionsDiff(of_edition, piecesOf(found, sides))
  return {
    differences: differences.slice(0, MAX_LISTED),
    unified_diff: diff.unified && hideInDiff(diff.unified),
    note: noteOf(differences.length, diff.note),
    sidesOf: (item) => sidesOf(sides, item, lineAt),
  }
}

/** All that does not depend on what the wanted side is called. */
interface Compared {
  readonly of: RoutesSides
  readonly sides: BlockSides
  readonly found: readonly ExplainedDifference[]
  readonly texts: Texts
  readonly lineAt: (offset: number) => number
}

/** A plan tells of one comparison twice: to whom it may concern, and to its caller. Kept no longer than somebody else keeps it. */
const COMPARED = new WeakMap<RoutesDesired, WeakRef<Compared>>()

function comparedOf(all: RoutesSides, text: string): Compared {
  const kept = COMPARED.get(all.working)?.deref()
  if (kept !== undefined && isSameQuestion(kept.of, all)) return kept
  const texts = textsOf(all, text)
  const sides = blockSides(all, text)
  const lineAt = lineCounter(text)
  const found = differingBlocks(sides, all.rows_moved, lineAt)
  const compared = { of: all, sides, found, texts, lineAt }
  COMPARED.set(all.working, new WeakRef(compared))
  return compared
}

const isSameQuestion = (a: RoutesSides, b: RoutesSides): boolean =>
  a.released === b.released && a.observed === b.observed && a.rows_moved === b.rows_moved

const NO_ENTRY = 'nothing in the file is an entry of a routes file'
const OTHER_LAYOUT = 'the entries are the same, but their order or layout is not'

function noteOf(differences: number, of_diff: string | null): string | null {
  const notes = [unlistedNote(differences, MAX_LISTED), of_diff]
  return notes.filter((note) => note !== null).join(' ') || null
}
