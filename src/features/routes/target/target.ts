/** The routes file as something that is kept true: one file, replaced as a whole. */
import { fileTarget, observed } from '../../../engine/file-target.ts'
import type { Target } from '../../../engine/target.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { type FileLook, lookStamp, type ManagedFile } from '../../../ports/files.ts'
import { routesCodec } from './codec.ts'
import { renderRoutes, type RoutesDesired } from './desire.ts'
import { diffRoutes, ROUTES_KEY } from './diff.ts'
import { routesExcerpt } from './excerpt.ts'
import { explainRoutes } from './explain.ts'
import { opensRoutes } from '../opens/opens.ts'
import type { RoutesSettings } from '../render/settings.ts'

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
    backoff: { first_ms: 1_000, most_ms: 60_000 },
    whole: true,
    reads: ['domains'],
    desire: (intent) => renderRoutes(intent, settings),
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
