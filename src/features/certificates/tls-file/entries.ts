/** Which certificates the proxy is to be given. Pure. */
import { covers } from '../../../model/network/certificate.ts'
import type { StoredVersion } from '../files/port.ts'
import type { CertificatesDesired } from '../target/desire.ts'
import { soundnessIn } from '../target/observe.ts'
import type { Reading } from '../target/shelf.ts'

/**
 * Of every wanted certificate the version that is installed, and where one is not there yet or is for too few names, others
 * that cover what is missing: nothing that works is taken away before its successor stands. Ordered by name.
 */
export function entriesFor(
  { wishes }: CertificatesDesired,
  reading: Pick<Reading, 'certificates' | 'chains' | 'versions'>,
): readonly StoredVersion[] {
  const { certificates, versions } = reading
  const usable = new Map<string, { readonly version: StoredVersion; readonly names: readonly string[] }>()
  for (const version of versions) {
    const installed = certificates.get(version.name)
    if (installed?.fingerprint === version.fingerprint && isUsable(version, reading))
      usable.set(version.name, { version, names: installed.names })
  }
  const chosen = new Set(wishes.map(({ name }) => name).filter((name) => usable.has(name)))
  for (const { name: wanted, names } of wishes) {
    const given = usable.get(wanted)?.names ?? []
    const missing = names.filter((name) => !covers(given, name))
    for (const [other, { names: theirs }] of usable)
      if (missing.some((name) => covers(theirs, name))) chosen.add(other)
  }
  return [...chosen].sort().map((name) => usable.get(name)!.version)
}

/**
 * What is put right in a moment stays: taken out, its names would be answered with the proxy's own certificate until then.
 * So does what cannot be read just now, and a leaf that lost its intermediate, until its successor is there.
 */
function isUsable(
  version: StoredVersion,
  reading: Pick<Reading, 'certificates' | 'chains' | 'versions'>,
): boolean {
  const sound = soundnessIn(reading, version.name)
  return version.fault === null || version.unreadable !== null || (sound !== null && sound.mends.length > 0)
}
