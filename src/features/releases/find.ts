/** Finding one release, and the one before it. */
import { Failure } from '../../kernel/failure.ts'
import type { StoreReader } from '../../ports/store.ts'
import type { ReleaseRecord } from '../../ports/records/trails.ts'

export async function findRelease(reader: StoreReader, number: number): Promise<ReleaseRecord> {
  const release = await reader.release(number)
  if (release !== null) return release
  const newest = await reader.latestRelease()
  const which = newest === null ? 'nothing was released yet' : `the newest is ${newest.number}`
  throw new Failure('not_found', `There is no release ${number}; ${which}.`)
}

/** Null for the first release. */
export async function releaseBefore(reader: StoreReader, number: number): Promise<number | null> {
  const [before] = await reader.releases({ limit: 1, before: number })
  return before?.number ?? null
}
