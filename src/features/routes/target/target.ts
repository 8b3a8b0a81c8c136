/** The routes file as something that is kept true: one file, replaced as a whole. */
import { fileTarget, observed } from '../../../engine/file-target.ts'
import type { Excerpt, Target } from '../../../engine/target.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { visible } from '../../../kernel/text/visible.ts'
import { type FileLook, lookStamp, type ManagedFile } from '../../../ports/files.ts'
import { opensRoutes } from '../opens/opens.ts'
import { scanBlocks } from '../read/blocks.ts'
import { domainOfItem } from '../render/objects.ts'
import type { RoutesSettings } from '../render/settings.ts'
import { routesCodec } from './codec.ts'
import { renderRoutes, renderRoutesInPieces, type RoutesDesired } from './desire.ts'
import { diffRoutes, ROUTES_KEY } from './diff.ts'
import { explainRoutes, MAX_COMPARED_BYTES } from './explain.ts'
import { readLook } from './obstacle.ts'

/** Traefik runs as another user and only reads. */
const FILE_MODE = 0o644

/** The settings are fixed for the target's life; a change of them is a new target, and its rendering `renderer_changed`. */
export function routesTarget(
  settings: RoutesSettings,
  file: ManagedFile,
  clock: Clock,
): Target<RoutesDesired, FileLook, null> {
  return fileTarget({
    key: ROUTES_KEY,
    file,
    place: file.path,
    every_ms: 1_000,
    full_look_every_ms: 3_600_000,
    deadline_ms: 10_000,
    backoff: { first_ms: 1_000, max_ms: 60_000 },
    whole: true,
    may_be_ignored: true,
    read_in: 'plumbline import traefik FILE',
    reads: ['domains'],
    desire: (intent) => renderRoutes(intent, settings),
    desireInPieces: async (intent) => renderRoutesInPieces(intent, settings),
    codec: routesCodec(settings),
    observe: (signal) =>
      observed({ clock }, signal, async () => {
        const state = await file.look(signal)
        return { state, digest: lookStamp(state) }
      }),
    diff: (desired, look) => diffRoutes(desired, look, file.path),
    opens: (desired, look) => opensRoutes(desired, look),
    async apply(differences, desired, { signal, evidence, kept }) {
      if (differences.length === 0) return []
      const options = { mode: FILE_MODE, evidence, kept, digest: desired.checksum }
      await file.replace(desired.chunks, options, signal)
      return differences.map(({ key }) => ({ key, ok: true }))
    },
    explain: (sides) => explainRoutes(sides, file.path),
    excerpt: routesExcerpt,
  })
}

// What a routes file holds for single domains: their entries, cut out under the headings of their sections.

/** A stranger's entry may be as long as the file; nobody reads further than this. */
export const MAX_EXCERPT_CHARACTERS = 16 * 1024

export const routesExcerpt: Excerpt<RoutesDesired, FileLook> = {
  desired: (desired, domains) => entriesOf(desired.objects(), domains),
  observed: (look, domains) => {
    if (look.kind === 'absent') return null
    if (look.kind === 'file' && look.bytes.length > MAX_COMPARED_BYTES)
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
  const text = visible(excerpt.slice(0, MAX_EXCERPT_CHARACTERS))
  const beyond = excerpt.length - MAX_EXCERPT_CHARACTERS
  return beyond <= 0 ? text : `${text}\n# … and ${beyond} characters more.\n`
}
