/** The entries of a routes file on its three sides: which of them are not alike, why, and what each side has. */
import { causeOf, type SidesCause } from '../../../engine/cause.ts'
import type { Sides } from '../../../engine/target.ts'
import type { ExplainedDifference } from '../../../model/drift.ts'
import type { editionsDiff } from '../../../model/sides/editions-diff.ts'
import type { Sides as SideTexts } from '../../../model/sides/sides.ts'
import type { FileLook } from '../../../ports/files.ts'
import { scanBlocks } from '../read/blocks.ts'
import { GENERATION_MARK } from '../render/names.ts'
import { domainOfItem, textComparer } from '../render/objects.ts'
import type { RoutesDesired } from './desire.ts'

/** Of ours what the renderer knows of it, of the file what it is cut into. */
type Blocks = ReadonlyMap<string, { readonly text: string; readonly start: number; readonly placed: boolean }>

export interface BlockSides {
  readonly working: Blocks
  readonly released: Blocks
  readonly observed: Blocks
}

/** @param text of the file; empty where there is none */
export function blockSides(
  { working, released, observed }: Sides<RoutesDesired, FileLook>,
  text: string,
): BlockSides {
  const ours = [working, released].find((side) => side !== null && isAt(observed, side))
  return {
    working: working.objects(),
    released: released?.objects() ?? new Map(),
    observed: ours?.objects() ?? scanBlocks(text),
  }
}

/** Whether the file is this rendering. A rendering is ASCII: its bytes are its text. */
export const isAt = (
  observed: FileLook,
  { checksum }: RoutesDesired,
): observed is FileLook & { readonly kind: 'file' } =>
  observed.kind === 'file' && observed.digest === checksum

/** What two of the sides have at the blocks that differ. */
export function piecesOf(
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

export function sidesOf(
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

export function hasEntry(blocks: Blocks): boolean {
  for (const { placed } of blocks.values()) if (placed) return true
  return false
}

/** Blocks whose sides disagree, in the order of the working edition's text. The generation marker alone says nothing new. */
export function differingBlocks(
  sides: BlockSides,
  rows_moved: boolean,
  lineAt: (offset: number) => number,
): ExplainedDifference[] {
  const found: ExplainedDifference[] = []
  for (const item of unlikeItems(sides)) {
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

/** Items whose text is not the same on all three sides, in the order of the first that has them. */
function unlikeItems({ working, released, observed }: BlockSides): ReadonlySet<string> {
  const isSameText = textComparer()
  const unlike = new Set<string>()
  for (const [item, wanted] of working) {
    const frozen = released.get(item)
    const there = released === observed ? frozen : observed.get(item)
    if (!isSameText(wanted, frozen) || !isSameText(wanted, there)) unlike.add(item)
  }
  for (const item of released.keys()) if (!working.has(item)) unlike.add(item)
  if (released === observed) return unlike
  for (const item of observed.keys()) if (!working.has(item)) unlike.add(item)
  return unlike
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

function detailOf(cause: SidesCause, { working, released, line }: Facts): string {
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
  }
}
