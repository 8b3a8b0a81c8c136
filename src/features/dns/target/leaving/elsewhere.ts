/**
 * Sets of ours that the ledger has in a zone of this name at another account than the one that is kept. Nobody looks there, so
 * they are told, and given up only by a person. Pure.
 */
import { shellWord } from '../../../../kernel/text/shell-word.ts'
import { NO_DOMAIN, type OwnedRrset, rrsetItem, rrsetWords } from '../../../../model/network/dns.ts'
import { setText } from '../marks/set-text.ts'
import type { OwnedElsewhere, ZoneState } from '../zones/zone-state.ts'

export interface Elsewhere {
  readonly item: string
  readonly domain_ids: readonly number[]
  readonly detail: string
}

type AtAccount = Pick<OwnedRrset, 'account' | 'type' | 'name'>

/** `A app.example.com at two`. */
export const itemAt = (row: AtAccount): string => `${rrsetItem(row)} at ${row.account}`

export const releaseCommand = (row: AtAccount): string =>
  `plumbline dns release ${rrsetWords(row)} --account ${shellWord(row.account)}`

export const elsewhereIn = (state: ZoneState): readonly Elsewhere[] =>
  (state.elsewhere ?? []).map((row) => ({
    item: itemAt(row),
    domain_ids: row.domain_id === NO_DOMAIN ? [] : [row.domain_id],
    detail: detailOf(row, state),
  }))

/** Nobody is told to take away by hand what may stand where it is kept: an account that is not set up may have another name now. */
function detailOf(row: OwnedElsewhere, { zone, account: kept }: ZoneState): string {
  const made = `${rrsetItem(row)} (${setText(row)}) was made in the zone ${zone} of the account ${row.account}`
  return row.is_set_up
    ? `${made}, and that of ${kept} is kept now: what stands there is not looked at and stays. ` +
        `Take it away there by hand; "${releaseCommand(row)}" then gives it up.`
    : `${made}, which is not set up any more; the zone of ${kept} is kept now. What may still stand there is not looked at. ` +
        `Set that account up again, or give up what the database has of it: "${releaseCommand(row)}".`
}
