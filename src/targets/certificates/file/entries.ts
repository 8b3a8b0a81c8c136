/** Which certificates the proxy is to be given. Pure. */
import { covers } from '../../../model/certificate.ts'
import type { StoredVersion } from '../../../ports/certificate-files.ts'
import type { CertificatesDesired } from '../desire.ts'
import type { Reading } from '../shelf.ts'

/**
 * Of every wanted certificate the version that is installed, and where one is not there yet or is for too few names, others
 * that cover what is missing: nothing that works is taken away before its successor stands. Ordered by name.
 */
export function entriesFor(
  { wishes }: CertificatesDesired,
  { certificates, versions }: Pick<Reading, 'certificates' | 'versions'>,
): readonly StoredVersion[] {
  const usable = new Map<string, { readonly version: StoredVersion; readonly names: readonly string[] }>()
  for (const version of versions) {
    const installed = certificates.get(version.name)
    if (version.fault === null && installed?.fingerprint === version.fingerprint)
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
