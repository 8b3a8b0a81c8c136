/** Which older release of ours the proxy shows, found again by the bytes that were kept of it. */
import type { ReleaseHead } from '../../../ports/records/trails.ts'
import type { ReleaseRecord } from '../../../ports/records/trails.ts'
import type { Deps } from '../deps.ts'
import { ROUTES_KEY } from '../target/diff.ts'

export interface ShownRelease {
  readonly number: number
  readonly created_at: ReleaseRecord['created_at']
  readonly reason: string
  /** Of its routes file. */
  readonly digest: string
}

const RELEASES_SEARCHED = 50

/** Null unless it shows one rendering of ours alone, that of a release before `head`. */
export async function shownRelease(
  { store, proxy }: Deps,
  head: ReleaseHead,
  markers: readonly string[],
): Promise<ShownRelease | null> {
  const [marker] = markers
  if (marker === undefined || markers.length > 1) return null
  const known = LAST.get(proxy)
  if (known?.before === head.number && known.marker === marker) return known.shown
  const shown = await search({ store, proxy }, head, marker)
  LAST.set(proxy, { before: head.number, marker, shown })
  return shown
}

/** Whoever asks what runs asks again soon, and every release searched is a whole file read. */
const LAST = new WeakMap<object, { before: number; marker: string; shown: ShownRelease | null }>()

async function search(
  { store, proxy }: Pick<Deps, 'store' | 'proxy'>,
  head: ReleaseHead,
  marker: string,
): Promise<ShownRelease | null> {
  const page = { limit: RELEASES_SEARCHED, before: head.number }
  for (const { number, created_at, reason, digests } of await store.releases(page)) {
    const digest = digests[ROUTES_KEY]
    if (digest !== undefined && (await proxy.released.markerAt(number)) === marker)
      return { number, created_at, reason, digest }
  }
  return null
}
