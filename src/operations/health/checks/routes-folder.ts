/**
 * The other files beside the routes file. The proxy reads the folder as a whole: of equal names the first file wins, and one
 * file that it cannot read keeps every change of all of them from it (Traefik's file provider). They are told, never touched.
 */
import type { HealthDifference } from '../../../model/health.ts'
import { octal } from '../../../model/file-access.ts'
import type { DocumentData, Documents } from '../../../ports/documents.ts'
import type { Neighbour, NeighbourList, Neighbours } from '../../../ports/neighbours.ts'
import {
  drifting,
  FILES_EVERY_MS,
  type HealthCheck,
  healthy,
  type LookedAt,
  named,
  unknown,
} from '../check.ts'

/** Every name of ours in the proxy begins with it. */
const OUR_NAMES = 'plumbline-'

export const routesFolderCheck = (neighbours: Neighbours, documents: Documents): HealthCheck => ({
  name: 'routes_folder',
  kind: 'watch',
  configured: true,
  every_ms: FILES_EVERY_MS,
  async look({ signal }) {
    const fault = await neighbours.folderFault()
    if (fault !== null) {
      const item = neighbours.folder
      return drifting('access', fault, {
        differences: [{ item, cause: 'access', domains: [], detail: fault }],
      })
    }
    return judgeFolder(await neighbours.list(signal), documents)
  },
})

/** Pure. */
function judgeFolder({ found, beyond }: NeighbourList, documents: Documents): LookedAt {
  const differences = found.flatMap((neighbour): HealthDifference[] => {
    const why = faultOf(neighbour, documents)
    return why === null ? [] : [{ item: neighbour.file, cause: 'neighbour', domains: [], detail: why }]
  })
  const [first] = differences
  if (first === undefined && beyond > 0)
    return unknown(
      'unreadable',
      `${found.length} files of the folder were looked at and found well, ${beyond} more were not. Move what the proxy need not read out of it.`,
    )
  if (first === undefined) return healthy('No other file stands in the way of the routes file.')
  return drifting(
    'neighbour',
    `${named(differences.map(({ item }) => item))}: ${first.detail} Correct it or move it out of the folder.`,
    { differences },
  )
}

function faultOf({ file, text, mode, too_large }: Neighbour, documents: Documents): string | null {
  if (too_large !== undefined)
    return `It has ${too_large} bytes, which is too much to be looked at here, so nobody knows whether it defines names of ours.`
  const stops = 'The proxy then takes no change of any file in the folder.'
  if (text === null || (mode & 0o444) === 0) return `It cannot be read (mode ${octal(mode)}). ${stops}`
  // Templates and TOML are the proxy's to read; only what names ours can be told.
  if (file.toLowerCase().endsWith('.toml') || text.includes('{{'))
    return /^[^#]*plumbline-(?:site|home|redirect|assets|cors|tcp)_/m.test(text) ? CLASHES : null
  const read = documents.read(text, { scalars: 'text' })
  if (!read.ok) return `It is no YAML that can be read (line ${read.line ?? '?'}). ${stops}`
  return definesOurs(read.data) ? CLASHES : null
}

const CLASHES = 'It defines names of ours, and of two files with the same name the first one wins.'

/** `http.routers.plumbline-…` and its like. */
const definesOurs = (data: DocumentData): boolean =>
  ['http', 'tcp', 'udp'].some((kind) =>
    Object.values(mapIn(mapIn(data)[kind])).some((objects) =>
      Object.keys(mapIn(objects)).some((name) => name.startsWith(OUR_NAMES)),
    ),
  )

const mapIn = (data: DocumentData | undefined): Readonly<Record<string, DocumentData>> =>
  data !== null && typeof data === 'object' && !Array.isArray(data)
    ? (data as Readonly<Record<string, DocumentData>>)
    : {}
