/** Two renderings of the routes file side by side, such as what two releases froze. */
import type { DiffRenderings, LabelledRendering, RenderingDiff } from '../../../ports/rendering.ts'
import { ReadRendering } from '../read/read-rendering.ts'
import { textOf } from '../render/text.ts'
import { MAX_COMPARED_BYTES } from './explain.ts'
import { pieceDiff, unequalDiff } from '../../../kernel/text/diff.ts'

/** @param path the routes file, for the diff's head. */
export const diffRenderings =
  (path: string): DiffRenderings =>
  (before, after) => {
    if (Math.max(sizeOf(before), sizeOf(after)) > MAX_COMPARED_BYTES)
      return { unified_diff: null, note: `More than ${MAX_COMPARED_BYTES} bytes are not compared.` }
    return compare(path, before, after)
  }

function compare(path: string, old: LabelledRendering, young: LabelledRendering): RenderingDiff {
  const [before, after] = [textOf(old.chunks), textOf(young.chunks)]
  if (before === after) return { unified_diff: null, note: 'The bytes are the same.' }
  const labels = { before: old.label, after: young.label }
  const { unified, note } = unequalDiff({ path, before, after, labels }, () =>
    pieceDiff(path, differingObjects(old, young), labels),
  )
  return { unified_diff: unified, note }
}

/** Of two releases at any time, so both are read. */
function differingObjects(before: LabelledRendering, after: LabelledRendering) {
  const objectsIn = ({ chunks }: LabelledRendering) => new ReadRendering(chunks).objects()
  const [old, young] = [objectsIn(before), objectsIn(after)]
  return [...new Set([...old.keys(), ...young.keys()])]
    .map((item) => ({
      item,
      before: old.get(item)?.text ?? null,
      after: young.get(item)?.text ?? null,
    }))
    .filter((piece) => piece.before !== piece.after)
}

const sizeOf = ({ chunks }: LabelledRendering): number => chunks.reduce((sum, { length }) => sum + length, 0)
