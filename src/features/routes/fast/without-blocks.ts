/** A rendering with some of its entries cut out, and no section left without any. */
import { sha256 } from '../../../kernel/digest.ts'
import type { Block } from './blocks.ts'
import type { RoutesDesired } from '../target/desire.ts'

/** @param blocks of the text, in its order */
export function withoutBlocks(
  text: string,
  blocks: ReadonlyMap<string, Block>,
  isCut: (item: string, block: Block) => boolean,
): Pick<RoutesDesired, 'chunks' | 'checksum'> {
  let rest = ''
  let from = 0
  for (const [item, block] of blocks) {
    if (!isCut(item, block)) continue
    rest += text.slice(from, block.start)
    from = block.start + block.text.length
  }
  const chunks = [Buffer.from(withoutEmpty(rest + text.slice(from)), 'latin1')]
  return { chunks, checksum: sha256(chunks) }
}

/** Traefik refuses a whole file for a section without entries: its line goes, and then a root without sections. */
const withoutEmpty = (text: string): string =>
  text.replace(/^ {2}[A-Za-z]+:\n(?! {4})/gm, '').replace(/^[A-Za-z]+:\n(?! {2})/gm, '')
