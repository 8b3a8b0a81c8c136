/**
 * Why the routes file differs, for people: block by block where there is text to compare, in one sentence where not.
 *
 * Drift itself is decided by digests in `diff.ts`; nothing here is asked whether the file is true. The file's text is
 * cut, never parsed: a YAML bomb is just lines.
 */
import { causeOf } from '../../../engine/cause.ts'
import type { Explanation, Sides } from '../../../engine/target.ts'
import { type DriftCause, type ExplainedDifference, unlistedNote } from '../../../model/drift.ts'
import { type FileLook, lookStamp } from '../../../ports/files.ts'
import { scanBlocks } from '../read/blocks.ts'
import { domainOfItem } from '../render/objects.ts'
import { textOf } from '../render/text.ts'
import type { RoutesDesired } from './desire.ts'
import { hideInDiff } from '../../../kernel/text/hide-secrets.ts'
import { lineCounter } from '../../../kernel/text/lines.ts'
import { GENERATION_MARK } from '../render/names.ts'
import type { Sides as SideTexts } from '../../../model/sides/sides.ts'
import { readLook } from './obstacle.ts'
import type { TextDiff } from '../../../kernel/text/diff.ts'
import { editionsDiff, type EditionTexts } from '../../../model/sides/editions-diff.ts'

type RoutesSides = Sides<RoutesDesired, FileLook>
/** Of ours what the renderer knows of it, of the file what it is cut into. */
type Blocks = ReadonlyMap<string, { readonly text: string; readonly start: number; readonly placed: boolean }>

/** Beyond this many bytes on any side a comparison would hold the event loop for too long. */
export const MAX_COMPARED_BYTES = 8 * 1024 * 1024
export const MAX_LISTED = 500

/** Pure but for the diff's time limit, which only decides between a minimal diff and one of whole blocks. */
export function explainRoutes(sides: RoutesSides, path: string): Explanation {
  const { working, released, observed, rows_moved } = sides
  const cause = causeOf(digestsOf(sides), rows_moved)
  if (cause === null) return { differences: [], ...NO_DIFF }
  const whole = (detail: string): ExplainedDifference => ({ item: path, cause, domains: [], detail })
  const is_as_saved = observed.kind === 'file' && observed.digest === working.checksum
  const closed = is_as_saved ? observed.access : undefined
  if (closed !== undefined)
    return { differences: [{ ...whole(`the file ${closed.what}`), cause: 'access' }], ...NO_DIFF }
  if (isTooLarge(sides)) return tooLarge(observed, whole)
  const { obstacle, text } = readLook(observed, released !== null)
  if (obstacle !== null) {
    const diff = text === null ? noText(obstacle) : editionsDiff(textsOf(sides, { path, text }))
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

const textsOf = (
  { working, released, wanted_as }: RoutesSides,
  { path, text }: Pick<Comparison, 'path' | 'text'>,
): EditionTexts => ({
  path,
  there: text,
  released: released && textOf(released.chunks),
  working: textOf(working.chunks),
  wanted_as,
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
  const texts = textsOf(all, { path, text })
  const sides = blockSides(all, text)
  if (all.observed.kind === 'file' && !hasEntry(sides.observed))
    return { differences: [whole(NO_ENTRY)], ...named(editionsDiff(texts)) }
  const lineAt = lineCounter(text)
  const found = differingBlocks(sides, all.rows_moved, lineAt)
  const differences = found.length > 0 ? found : [whole(OTHER_LAYOUT)]
  const diff = editionsDiff(texts, piecesOf(found, sides))
  return {
    differences: differences.slice(0, MAX_LISTED),
    unified_diff: diff.unified && hideInDiff(diff.unified),
    note: noteOf(differences.length, diff.note),
    sidesOf: (item) => sidesOf(sides, item, lineAt),
  }
}

const NO_ENTRY = 'nothing in the file is an entry of a routes file'
const OTHER_LAYOUT = 'the entries are the same, but their order or layout is not'

function blockSides({ working, released, observed }: RoutesSides, text: string): BlockSides {
  const digest = observed.kind === 'file' ? observed.digest : null
  const ours = [working, released].find((side) => side !== null && side.checksum === digest)
  return {
    working: working.objects(),
    released: released?.objects() ?? new Map(),
    observed: digest === null ? new Map() : (ours?.objects() ?? scanBlocks(text)),
  }
}

/** What two of the sides have at the blocks that differ. */
function piecesOf(
  found: readonly ExplainedDifference[],
  { working, released, observed: there }: BlockSides,
): NonNullable<Parameters<typeof editionsDiff>[1]> {
  const blocksOf = { there, released, working }
  return (before, after) =>
    found
      .map(({ item }) => ({
        item,
        before: blocksOf[before].get(item)?.text ?? null,
        after: blocksOf[after].get(item)?.text ?? null,
      }))
      .filter((piece) => piece.before !== piece.after)
}

function noteOf(differences: number, of_diff: string | null): string | null {
  const notes = [unlistedNote(differences, MAX_LISTED), of_diff]
  return notes.filter((note) => note !== null).join(' ') || null
}

function sidesOf(
  { working, released, observed }: BlockSides,
  item: string,
  lineAt: (offset: number) => number,
): SideTexts | null {
  const there = observed.get(item)
  const of_editions = { saved: working.get(item)?.text ?? null, released: released.get(item)?.text ?? null }
  if (there === undefined && of_editions.saved === null && of_editions.released === null) return null
  return {
    ...of_editions,
    there: there?.text ?? null,
    line: there === undefined ? null : lineAt(there.start),
    noise: isMark(item),
  }
}

const isMark = (item: string): boolean => item.includes(`.${GENERATION_MARK}`)

function hasEntry(blocks: Blocks): boolean {
  for (const { placed } of blocks.values()) if (placed) return true
  return false
}

interface BlockSides {
  readonly working: Blocks
  readonly released: Blocks
  readonly observed: Blocks
}

/** Blocks whose sides disagree, in the order of the working edition's text. The generation marker alone says nothing new. */
function differingBlocks(
  sides: BlockSides,
  rows_moved: boolean,
  lineAt: (offset: number) => number,
): ExplainedDifference[] {
  const items = new Set([...sides.working.keys(), ...sides.released.keys(), ...sides.observed.keys()])
  const found: ExplainedDifference[] = []
  for (const item of items) {
    const working = sides.working.get(item)?.text ?? null
    const released = sides.released.get(item)?.text ?? null
    const observed = sides.observed.get(item)
    const cause = causeOf({ working, released, observed: observed?.text ?? null }, rows_moved)
    if (cause === null) continue
    const line = observed === undefined ? null : lineAt(observed.start)
    found.push({
      item,
      cause,
      domains: domainsOf(item),
      detail: detailOf(cause, { working, released, line }),
    })
  }
  const telling = found.filter(({ item }) => !isMark(item))
  return telling.length > 0 ? telling : found
}

function domainsOf(item: string): readonly string[] {
  const domain = domainOfItem(item)
  return domain === null ? [] : [domain]
}

interface Facts {
  readonly working: string | null
  readonly released: string | null
  /** Where it stands in the file; null when it does not. */
  readonly line: number | null
}

function detailOf(cause: DriftCause, { working, released, line }: Facts): string {
  switch (cause) {
    case 'pending_deploy':
      if (released === null) return 'saved but not deployed: the next deploy adds it'
      return working === null
        ? 'saved but not deployed: the next deploy removes it'
        : 'saved but not deployed: the next deploy changes it'
    case 'renderer_changed':
      return 'no record changed, but the settings or the version of Plumbline render it differently; deploy to apply'
    case 'edited':
      return released === null
        ? `added by hand at line ${line}; it belongs to no record`
        : `changed by hand at line ${line}`
    case 'lost':
      return 'missing from the file'
    case 'applied_unrecorded':
      return 'the file already shows the working edition, though no release says so'
    case 'edited_and_pending':
      return line === null
        ? 'missing from the file, and changed in the records since the last deploy'
        : `changed by hand at line ${line}, and changed in the records since the last deploy`
    case 'foreign_owner':
    case 'orphan':
      return 'held by somebody else'
    case 'not_loaded':
      return 'not loaded by the proxy'
    case 'rejected':
      return 'loaded by the proxy, which finds fault with it'
    case 'access':
      return 'its mode is not the one that was written'
    case 'neighbour':
      return 'another file stands in its way'
    case 'shadowed':
      return 'something else is asked before it'
    case 'not_served':
      return 'another certificate is served'
    case 'removing':
      return 'still there and to go'
  }
}
