/** A set of ours at a live name whose record has no address of its family any more: told, and left to a person. Pure. */
import { type ListedRrset, type ManagedType, rrsetItem, rrsetWords } from '../../../../model/network/dns.ts'
import type { EvaluatedSet } from '../deciding/evaluate.ts'

export const FAMILIES = { A: 'IPv4', AAAA: 'IPv6' } as const

type Unclaimed = EvaluatedSet & { readonly listed: ListedRrset }

export const isUnclaimed = (evaluated: EvaluatedSet): evaluated is Unclaimed =>
  evaluated.row !== null &&
  evaluated.beside !== null &&
  evaluated.listed !== null &&
  (evaluated.ownership === 'owned' || evaluated.ownership === 'unmarked')

/** @param values as they stand there */
export function unclaimedWords(
  { type, name }: { readonly type: ManagedType; readonly name: string },
  values: string,
): string {
  const item = rrsetItem({ type, name })
  return (
    `${item} (${values}) is ours and stays published, though no address of its family is set any more: clients that ` +
    `prefer ${FAMILIES[type]} are led there. Take it away: plumbline dns remove ${rrsetWords({ type, name })}; or set such an address again.`
  )
}
