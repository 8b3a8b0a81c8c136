/** What a thread or process of ours gets to know of this one. */
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/** No setting and no secret: only where compiled code is kept, or it would load a compiler. */
export function childEnvironment(): Readonly<Record<string, string>> {
  const cache = getCompileCacheDir()
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }
}
