/** Which certificates the proxy is to be given. Pure. */
import { covers } from '../../../model/network/certificate.ts'
import type { StoredVersion, VersionFiles, VersionId } from '../files/port.ts'
import type { CertificatesDesired } from '../target/desire.ts'
import type { Reading } from '../target/inventory.ts'
import { soundnessIn } from '../target/observe.ts'
import { successorIn } from '../target/successor.ts'

type Known = Pick<Reading, 'certificates' | 'chains' | 'versions'>

interface Entry {
  readonly version: StoredVersion
  readonly names: readonly string[]
}

/**
 * Of every wanted certificate the version that is installed, and where one is not there yet or is for too few names, others
 * that cover what is missing: nothing that works is taken away before its successor stands. So what is gone from the disk stays
 * as well: the proxy holds it in memory until its file changes, and passes over an entry that it cannot read. Ordered by name.
 */
export function entriesFor(
  { wishes }: CertificatesDesired,
  reading: Known,
  pathsOf: (version: VersionId) => VersionFiles,
): readonly VersionFiles[] {
  const usable = usableIn(reading)
  const named = (name: string): readonly VersionFiles[] => {
    const installed = reading.certificates.get(name)
    const version = usable.get(name)?.version ?? (installed && pathsOf(installed))
    return version === undefined ? [] : [version]
  }
  const chosen = new Set(wishes.map(({ name }) => name))
  for (const { name: wanted, names } of wishes) {
    const given = usable.get(wanted)?.names ?? []
    const missing = names.filter((name) => !covers(given, name))
    for (const [other, { names: theirs }] of usable)
      if (missing.some((name) => covers(theirs, name))) chosen.add(other)
  }
  return [...chosen].sort().flatMap(named)
}

/** By name, of what is installed. */
function usableIn(reading: Known): ReadonlyMap<string, Entry> {
  const usable = new Map<string, Entry>()
  for (const [name, installed] of reading.certificates) {
    const version = reading.versions.find(
      (one) => one.name === name && one.fingerprint === installed.fingerprint,
    )
    if (version !== undefined && isUsable(version, reading))
      usable.set(name, { version, names: installed.names })
    else {
      const successor = successorIn(reading, name)
      if (successor !== null) usable.set(name, { version: successor, names: successor.leaf!.names })
    }
  }
  return usable
}

/**
 * What is put right in a moment stays: taken out, its names would be answered with the proxy's own certificate until then.
 * So does what cannot be read just now, and a leaf that lost its intermediate, until its successor is there.
 */
function isUsable(version: StoredVersion, reading: Known): boolean {
  const sound = soundnessIn(reading, version.name)
  return version.fault === null || version.unreadable !== null || (sound !== null && sound.mends.length > 0)
}
