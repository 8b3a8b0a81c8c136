/** What stands in for an installed certificate that is gone from the disk. Pure. */
import { covers } from '../../../model/network/certificate.ts'
import type { StoredVersion } from '../files/port.ts'
import type { Reading } from './inventory.ts'
import { soundnessIn } from './observe.ts'

/**
 * Of a certificate that only a new one would put right, a sound version on disk that covers its names and ends no earlier: after
 * a restored backup the row names a version that was renewed and swept since. Null where there is none, or no need of one.
 */
export function successorIn(
  reading: Pick<Reading, 'certificates' | 'chains' | 'versions'>,
  name: string,
): StoredVersion | null {
  const installed = reading.certificates.get(name)
  const sound = soundnessIn(reading, name)
  if (installed === undefined || sound === null || sound.fault === null || sound.mends.length > 0) return null
  return reading.versions
    .filter((version) => version.name === name && version.fingerprint !== installed.fingerprint)
    .filter(isSound)
    .filter(({ leaf }) => installed.names.every((one) => covers(leaf!.names, one)))
    .filter(({ leaf }) => leaf!.not_after >= installed.not_after)
    .reduce<StoredVersion | null>(endingLater, null)
}

const isSound = ({ fault, whole_chain, leaf }: StoredVersion): boolean =>
  fault === null && whole_chain && leaf !== null

const endingLater = (best: StoredVersion | null, one: StoredVersion): StoredVersion =>
  best !== null && best.leaf!.not_after >= one.leaf!.not_after ? best : one
