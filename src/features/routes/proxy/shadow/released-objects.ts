/** What the newest release wrote into the routes file, object by object. Read once for each release, and only where it changed. */
import { setImmediate as othersTurn } from 'node:timers/promises'
import { Failure } from '../../../../kernel/failure.ts'
import type { Deps } from '../../deps.ts'

interface ReleasedObject {
  readonly text: string
  /** As the proxy reads it; undefined where that cannot be told. */
  readonly content: unknown
}
export type ReleasedObjects = ReadonlyMap<string, ReleasedObject>

interface Kept {
  readonly digest: string
  readonly objects: ReleasedObjects
}
const KEPT = new WeakMap<object, Kept>()
/** So many are read in one turn of the event loop. */
const IN_ONE_TURN = 200

/** By item: `http.routers.plumbline-site_app.example.com`. Null before the first release. */
export async function releasedObjects({
  store,
  proxy,
}: Pick<Deps, 'store' | 'proxy'>): Promise<ReleasedObjects | null> {
  const digest = (await store.latestRelease())?.digests['routes']
  if (digest === undefined) return null
  const kept = KEPT.get(proxy)
  if (kept?.digest === digest) return kept.objects
  const artifact = await store.artifact('routes')
  if (artifact === null) return null
  const objects = new Map<string, ReleasedObject>()
  for (const [item, text] of proxy.objectsIn(artifact.chunks)) {
    if (objects.size % IN_ONE_TURN === 0) await othersTurn()
    const before = kept?.objects.get(item)
    objects.set(item, before?.text === text ? before : { text, content: contentOf(proxy, item, text) })
  }
  KEPT.set(proxy, { digest: artifact.digest, objects })
  return objects
}

/** What an older version wrote may have another form. */
function contentOf(proxy: Deps['proxy'], item: string, text: string): unknown {
  try {
    return proxy.contentOf(item, text)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
