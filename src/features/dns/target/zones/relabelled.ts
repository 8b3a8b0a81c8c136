/**
 * Rows of an account that is no longer set up, of whose zone another account shows the very same sets: it is the same place by
 * another name. Only our mark for the same record beside the same values says so; anything else stays where the ledger has it.
 */
import { type OwnedRrset, rrsetKey } from '../../../../model/network/dns.ts'
import { markOf } from '../marks/marks.ts'
import type { DnsParts } from '../parts.ts'
import { sameValues } from '../writing/fit.ts'
import { listingOf, type ZoneState } from './zone-state.ts'

type ListedZone = Pick<ZoneState, 'zone' | 'account' | 'rrsets' | 'traits' | 'installation_id'>

/** Of what a listing has shown once, and what is asked of it since. */
const STOOD: ReadonlySet<OwnedRrset['state']> = new Set(['owned', 'applying', 'removing'])

/** Pure. @param accounts that are set up */
function relabelledRows(
  ledger: readonly OwnedRrset[],
  place: ListedZone,
  accounts: ReadonlySet<string>,
): readonly OwnedRrset[] {
  const here = ledger.filter(({ zone }) => zone === place.zone)
  const known = new Set(here.filter(({ account }) => account === place.account).map(rrsetKey))
  return here.filter(
    (row) =>
      !accounts.has(row.account) && !known.has(rrsetKey(row)) && STOOD.has(row.state) && stands(row, place),
  )
}

function stands(row: OwnedRrset, place: ListedZone): boolean {
  const listed = listingOf(place).set(row.name, row.type)
  if (listed === null || !sameValues(listed.values, row.values)) return false
  const { state, domain_id, shared } = markOf(place, row.name, listed)
  return (state === 'ours' || state === 'beside') && !shared && domain_id === row.domain_id
}

/** The ledger as it is then. */
export async function relabel(
  place: ListedZone,
  { store, providers, log }: Pick<DnsParts, 'store' | 'providers' | 'log'>,
): Promise<readonly OwnedRrset[]> {
  const ledger = await store.ownedRrsets()
  const rows = relabelledRows(ledger, place, new Set(providers.map(({ account }) => account)))
  if (rows.length === 0) return ledger
  const { zone, account } = place
  await store.write(async (tx) => {
    await tx.saveOwnedRrsets(rows.map((row) => ({ ...row, account })))
    await tx.dropOwnedRrsets(rows)
  })
  log.info('records of an account go on under its new name', { zone, account, records: rows.length })
  return store.ownedRrsets()
}
