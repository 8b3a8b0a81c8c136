/** What a routes file holds for single domains: their entries, cut out under the headings of their sections. */
import type { Excerpt } from '../../../engine/target.ts'
import type { FileLook } from '../../../ports/files.ts'
import { scanBlocks } from '../read/blocks.ts'
import type { RoutesDesired } from './desire.ts'
import { MOST_COMPARED_BYTES } from './explain.ts'
import { domainOfItem } from '../render/objects.ts'
import { readLook } from './obstacle.ts'
import { visible } from '../../../kernel/text/diff.ts'

/** A stranger's entry may be as long as the file; nobody reads further than this. */
export const MOST_EXCERPT_CHARACTERS = 16 * 1024

export const routesExcerpt: Excerpt<RoutesDesired, FileLook> = {
  desired: (desired, domains) => entriesOf(desired.objects(), domains),
  observed: (look, domains) => {
    if (look.kind === 'absent') return null
    if (look.kind === 'file' && look.bytes.length > MOST_COMPARED_BYTES)
      return `# The file is too large to be cut into entries: ${look.bytes.length} bytes.\n`
    const { obstacle, text } = readLook(look, true)
    return text === null ? `# There is no text to show: ${obstacle}.\n` : entriesOf(scanBlocks(text), domains)
  },
}

/** In the order of the text. Sections are named again where they change, so that an excerpt reads like the file. */
function entriesOf(entries: Entries, domains: readonly string[]): string | null {
  const wanted = new Set(domains)
  let excerpt = ''
  let section = ''
  for (const [item, { placed, text }] of entries) {
    const domain = placed ? domainOfItem(item) : null
    if (domain === null || !wanted.has(domain)) continue
    const [root = '', part = ''] = item.split('.', 2)
    const heading = `${root}:\n  ${part}:\n`
    excerpt += section === heading ? text : heading + text
    section = heading
  }
  return excerpt === '' ? null : bounded(excerpt)
}

type Entries = ReadonlyMap<string, { readonly placed: boolean; readonly text: string }>

/** What a stranger wrote ends up on terminals, so what could drive one is made visible. A rendering of ours is plain ASCII. */
function bounded(excerpt: string): string {
  const text = visible(excerpt.slice(0, MOST_EXCERPT_CHARACTERS))
  const beyond = excerpt.length - MOST_EXCERPT_CHARACTERS
  return beyond <= 0 ? text : `${text}\n# … and ${beyond} characters more.\n`
}
