/**
 * The newest of several holders, among what this installation has signed. A signed file that the database has overtaken is
 * an earlier one that somebody has put back: it would bring back what was revoked since, so it is not taken, whatever
 * number stands beside it.
 */
import type { WorldStamp } from '../../model/world-stamp.ts'
import type { HolderFiles, WorldHolder } from '../../ports/world-holder.ts'

export async function newestSigned(
  holders: readonly WorldHolder[],
  isAhead: (stamp: WorldStamp) => Promise<boolean>,
  signal: AbortSignal,
): Promise<HolderFiles> {
  const found = await Promise.all(holders.map((holder) => holder.read(signal)))
  const unsigned = found.flatMap((files) => files.unsigned)
  const files = found.flatMap(({ signed }) => signed ?? [])
  for (const signed of files.sort((a, b) => b.stamp.number - a.stamp.number))
    if (await isAhead(signed.stamp)) return { signed, unsigned }
  return { signed: null, unsigned }
}
