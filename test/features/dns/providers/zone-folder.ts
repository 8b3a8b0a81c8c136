/** A folder of zone files with a provider on it, on the real file adapter; gone after each test. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { managedFile } from '../../../../src/io/files/managed-file.ts'
import {
  ZonefileProvider,
  type ZonefileSettings,
} from '../../../../src/features/dns/providers/zonefile/provider.ts'
import { MAX_ZONE_BYTES } from '../../../../src/features/dns/providers/zonefile/zone-file.ts'
import { type Clock, systemClock } from '../../../../src/kernel/clock.ts'
import { type Log, silentLog } from '../../../../src/kernel/log.ts'
import type { RrsetChange } from '../../../../src/features/dns/providers/port.ts'

const made: string[] = []

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

export const never = new AbortController().signal

export interface FolderOptions extends Partial<Pick<ZonefileSettings, 'nameservers' | 'reload'>> {
  readonly now?: () => number
  readonly log?: Log
  /** Of another one, as another process has it. */
  readonly directory?: string
}

export function zoneFolder({
  nameservers = ['ns1.provider.test'],
  reload = null,
  now,
  log = silentLog,
  directory: given,
}: FolderOptions = {}) {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'plumbline-zones-'))
  made.push(root)
  const directory = given ?? join(root, 'zones')
  const clock: Clock = { ...systemClock, ...(now !== undefined && { now }) }
  const file = (path: string) => managedFile(path, { max_bytes: MAX_ZONE_BYTES, log })
  const settings = { account: 'default', directory, nameservers, contact: null, reload }
  const provider = new ZonefileProvider(settings, { file, clock, log })
  const pathOf = (zone: string): string => join(directory, `${zone}.zone`)
  // Makes the folder.
  file(pathOf('example.org'))
  return {
    directory,
    provider,
    pathOf,
    put: (zone: string, text: string | Buffer) => writeFileSync(pathOf(zone), text),
    textOf: (zone: string): string => readFileSync(pathOf(zone), 'latin1'),
  }
}

export const HEAD =
  '$TTL 3600\n@ IN SOA ns1.provider.test. host.provider.test. 7 10800 3600 1209600 300\n@ NS ns1.provider.test.\n'

/** A change of a set, by what matters. */
export const wish = (
  name: string,
  type: string,
  values: readonly string[] | null,
  {
    ttl = 300,
    comment = null,
    seen = null,
  }: { ttl?: number | null; comment?: string | null; seen?: RrsetChange['seen'] } = {},
): RrsetChange => ({
  name,
  type,
  seen,
  wanted: values === null ? null : { ttl, values, comment, proxied: null },
})
