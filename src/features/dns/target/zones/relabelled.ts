/**
 * Rows of an account that is no longer set up, of whose zone another account shows sets with our mark for the same records: it
 * is the same place by another name. What stands there may have been changed meanwhile; the mark alone says whose it is, and
 * anything else stays where the ledger has it.
 *
 * Every look goes by it, and only a pass notes it.
 */
import { type OwnedRrset, rrsetKey } from '../../../../model/network/dns.ts'
import { markOf } from '../marks/marks.ts'
import type { DnsParts } from '../parts.ts'
import { listingOf, type ZoneState } from './zone-state.ts'

type ListedZone = Pick<ZoneState, 'zone' | 'account' | 'rrsets' | 'traits' | 'installation_id'>

/** Of what a listing has shown once, and what is asked of it since. */
const STOOD: ReadonlySet<OwnedRrset['state']> = new Set(['owned', 'applying', 'removing'])

interface Known {
  readonly place: ListedZone
  /** That are set up. */
  readonly accounts: ReadonlySet<string>
}

/** Pure. */
function relabelledRows(ledger: readonly OwnedRrset[], { place, accounts }: Known): readonly OwnedRrset[] {
  const here = ledger.filter(({ zone }) => zone === place.zone)
  const known = new Set(here.filter(({ account }) => account === place.account).map(rrsetKey))
  return here.filter(
    (row) =>
      !accounts.has(row.account) && !known.has(rrsetKey(row)) && STOOD.has(row.state) && stands(row, place),
  )
}

function stands(row: OwnedRrset, place: ListedZone): boolean {
  const listed = listingOf(place).set(row.name, row.type)
  if (listed === null) return false
  const { state, domain_id, shared } = markOf(place, row.name, listed)
  return (state === 'ours' || state === 'beside') && !shared && domain_id === row.domain_id
}

/** The ledger as it is by the names that the accounts have now. Pure; the same object where nothing is called otherwise. */
export function byPresentNames(ledger: readonly OwnedRrset[], known: Known): readonly OwnedRrset[] {
  const rows = new Set(relabelledRows(ledger, known))
  if (rows.size === 0) return ledger
  const { account } = known.place
  return ledger.map((row) => (rows.has(row) ? { ...row, account } : row))
}

/** Notes it, by the ledger as it is within the transaction: what was decided of a row meanwhile goes along. */
export async function relabel(known: Known, { store, log }: Pick<DnsParts, 'store' | 'log'>): Promise<void> {
  if (relabelledRows(await store.ownedRrsets(), known).length === 0) return
  const { zone, account } = known.place
  const records = await store.write(async (tx) => {
    const rows = relabelledRows(await tx.ownedRrsets(), known)
    await tx.saveOwnedRrsets(rows.map((row) => ({ ...row, account })))
    await tx.dropOwnedRrsets(rows)
    return rows.length
  })
  log.info('records of an account go on under its new name', { zone, account, records })
}
