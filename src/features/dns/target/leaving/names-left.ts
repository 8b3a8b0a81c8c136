/** Which names keep a set of ours, and which lose the last one, so that the mark beside a name goes with the last. Pure. */
import { rrsetKey } from '../../../../model/network/dns.ts'
import type { Judged } from '../deciding/judge.ts'

/** True for the set with which the mark beside its name goes. */
export type TakesMark = (judged: Judged) => boolean

export function marksToTake(all: readonly Judged[]): TakesMark {
  const staying = new Set<string>()
  const last = new Map<string, string>()
  for (const judged of all) {
    if (stays(judged)) staying.add(judged.name)
    else if (judged.row !== null) last.set(judged.name, rrsetKey(judged))
  }
  return (judged) => !staying.has(judged.name) && last.get(judged.name) === rrsetKey(judged)
}

function stays({ holding, row, gone, wanted, conflict }: Judged): boolean {
  if (holding === 'releasing' || (holding === 'foreign' && row !== null)) return false
  if (row !== null) return gone === null
  if (holding === 'orphan') return true
  return wanted !== null && holding === 'absent' && conflict === null
}
