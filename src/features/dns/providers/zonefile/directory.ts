/** Which zones a folder holds: its files named `<zone>.zone`. */
import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure, systemErrorCode } from '../../../../kernel/failure.ts'
import type { Log } from '../../../../kernel/log.ts'
import type { DnsZone } from '../../../../model/network/dns.ts'

const SUFFIX = '.zone'
// Lower-case labels; underscores stand in zones of services. Nothing that could lead out of the folder.
const ZONE =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/

export const isZoneName = (name: string): boolean => ZONE.test(name)

export const zonePath = (directory: string, zone: string): string => join(directory, `${zone}${SUFFIX}`)

/** Ordered by name; none where there is no folder yet. A file whose name is no zone's is told to the log. */
export async function zonesIn(directory: string, account: string, log: Log): Promise<DnsZone[]> {
  const zones: DnsZone[] = []
  for (const entry of await entriesOf(directory)) {
    if (entry.name.startsWith('.') || !entry.name.endsWith(SUFFIX)) continue
    const name = entry.name.slice(0, -SUFFIX.length)
    if (isZoneName(name)) zones.push({ name, account, ...judged(entry) })
    else
      log.warn('a file is not taken for a zone: its name is none in lower case', {
        file: join(directory, entry.name),
      })
  }
  return zones.sort((a, b) => (a.name < b.name ? -1 : 1))
}

const judged = (entry: Dirent): Pick<DnsZone, 'writable' | 'detail'> =>
  entry.isFile()
    ? { writable: true, detail: null }
    : { writable: false, detail: `${entry.name} is not a regular file; put the zone itself there` }

async function entriesOf(directory: string): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true })
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === 'ENOENT') return []
    throw new Failure(
      'component_unavailable',
      `zonefile: ${directory} could not be read (${code ?? 'unknown'}). See that it is a folder that this user may read.`,
      { cause: error },
    )
  }
}
