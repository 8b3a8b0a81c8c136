/** Finding one release, and the one before it. */
import { Failure } from '../../kernel/failure.ts'
import type { StoreReader } from '../../ports/store.ts'
import type { ReleaseRecord } from '../../ports/records/trails.ts'

export async function findRelease(reader: StoreReader, number: number): Promise<ReleaseRecord> {
  const release = await reader.release(number)
  if (release === null) throw noRelease(number)
  return release
}

/** Null for the first release. */
export async function releaseBefore(reader: StoreReader, number: number): Promise<number | null> {
  const [before] = await reader.releases({ limit: 1, before: number })
  return before?.number ?? null
}

const noRelease = (number: number): Failure => new Failure('not_found', `There is no release ${number}.`)
