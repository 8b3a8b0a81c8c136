/** What a release carries over as reported, told before it is done and by its answer. */
import { carriedBy } from '../../../engine/editions/carry-over.ts'
import type { ReleaseRow, StoreReader } from '../../../ports/store.ts'

export const carriedRemarks = async (
  reader: StoreReader,
  rows: readonly ReleaseRow[],
): Promise<readonly string[]> =>
  (await carriedBy(reader, rows)).map(({ host, ipv4, ipv6 }) => {
    const addresses = [ipv4, ipv6].filter((address) => address !== null).join(', ')
    return `${host}: ${addresses} stays published (carried over) until its gateway reports an address.`
  })
