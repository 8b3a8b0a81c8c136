/**
 * What a release wrote, with what is known of it. A release keeps bytes and rows: where the rows give the very bytes today,
 * the renderer says what stands in them; where they do not, because an older version or other settings have written them, the
 * bytes are read (`read/read-rendering.ts`). Nobody else reads a rendering of ours.
 */
import { Failure } from '../../../kernel/failure.ts'
import type { Intent } from '../../../model/intent.ts'
import type { StoreReader } from '../../../ports/store.ts'
import { generationIn, ReadRendering } from '../read/read-rendering.ts'
import { GENERATION_MARK } from '../render/names.ts'
import type { RoutesSettings } from '../render/settings.ts'
import { renderRoutes, type RoutesDesired } from './desire.ts'
import { ROUTES_KEY } from './diff.ts'

interface Frozen {
  readonly digest: string
  readonly chunks: readonly Uint8Array[]
  /** The released edition, where these are the newest release's. */
  readonly rows: Intent | undefined
}

/** Engine and operations ask for the same release, and ask again. */
const LATEST = new WeakMap<RoutesSettings, RoutesDesired>()

export function frozenRoutes({ digest, chunks, rows }: Frozen, settings: RoutesSettings): RoutesDesired {
  const latest = LATEST.get(settings)
  if (latest?.checksum === digest) return latest
  const fresh = rows === undefined ? null : renderedAgain(rows, settings)
  const released = fresh?.checksum === digest ? fresh : new ReadRendering(chunks, digest)
  if (rows !== undefined) LATEST.set(settings, released)
  return released
}

/** Null for rows that an older version has let through. */
function renderedAgain(rows: Intent, settings: RoutesSettings): RoutesDesired | null {
  try {
    return renderRoutes(rows, settings)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

export interface ReleasedRoutes {
  /** The newest release's; null before the first. */
  newest(): Promise<RoutesDesired | null>
  /** The middleware that names the newest one in the proxy, without the provider; null where none does. */
  marker(): Promise<string | null>
  /** The same of an older release. */
  markerAt(release: number): Promise<string | null>
}

type Releases = Pick<StoreReader, 'latestRelease' | 'intent' | 'artifact' | 'artifactAt'>

export function releasedRoutes(store: Releases, settings: RoutesSettings): ReleasedRoutes {
  async function newest(): Promise<RoutesDesired | null> {
    const digest = (await store.latestRelease())?.digests[ROUTES_KEY]
    if (digest === undefined) return null
    const latest = LATEST.get(settings)
    if (latest?.checksum === digest) return latest
    const rows = await store.intent('released')
    const frozen = await store.artifact(ROUTES_KEY)
    return frozen === null ? null : frozenRoutes({ ...frozen, rows }, settings)
  }
  return {
    newest,
    marker: async () => markerOf((await newest())?.generation ?? ''),
    async markerAt(release) {
      const frozen = await store.artifactAt(release, ROUTES_KEY)
      return frozen === null ? null : markerOf(generationIn(frozen.chunks) ?? '')
    },
  }
}

const markerOf = (generation: string): string | null =>
  generation === '' ? null : GENERATION_MARK + generation
