/** What to change about the routes file: it is one thing, replaced as a whole or not at all. */
import type { Difference } from '../../../engine/target.ts'
import { type FileLook, lookStamp } from '../../../ports/files.ts'
import type { RoutesDesired } from './desire.ts'

export const ROUTES_KEY = 'routes'

/** No difference when the digests agree; the file's contents are never parsed to find out. */
export function diffRoutes(
  desired: RoutesDesired,
  look: FileLook,
  path: string,
): readonly Difference<null>[] {
  if (lookStamp(look) === desired.checksum) return []
  return [
    {
      key: ROUTES_KEY,
      verb: look.kind === 'absent' ? 'create' : 'update',
      item: path,
      before: look.kind === 'absent' ? null : nameOf(look),
      after: `${shortDigest(desired.checksum)}, ${desired.domains} ${desired.domains === 1 ? 'domain' : 'domains'}`,
      payload: null,
    },
  ]
}

/** What stands at the path, in a few words. */
function nameOf(look: FileLook): string {
  switch (look.kind) {
    case 'file':
      return look.access?.what ?? shortDigest(look.digest)
    case 'absent':
      return 'nothing'
    case 'oversize':
      return `a file of ${look.size} bytes`
    case 'intruder':
      return `a ${look.what}`
  }
}

const shortDigest = (digest: string): string => `sha256 ${digest.slice(0, 12)}`
