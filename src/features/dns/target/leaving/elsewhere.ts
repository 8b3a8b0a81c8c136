/**
 * Sets of ours that the ledger has in a zone of this name at another account than the one that is kept. Nobody looks there, so
 * they are told, and given up only by a person. Pure.
 */
import { NO_DOMAIN, rrsetItem, rrsetWords } from '../../../../model/network/dns.ts'
import { setText } from '../marks/set-text.ts'
import type { ZoneState } from '../zones/zone-state.ts'

export interface Elsewhere {
  readonly item: string
  readonly domain_ids: readonly number[]
  readonly detail: string
}

export const elsewhereIn = ({ zone, account: kept, elsewhere = [] }: ZoneState): readonly Elsewhere[] =>
  elsewhere.map((row) => {
    const item = rrsetItem(row)
    return {
      item: `${item} at ${row.account}`,
      domain_ids: row.domain_id === NO_DOMAIN ? [] : [row.domain_id],
      detail:
        `${item} (${setText(row)}) was made in the zone ${zone} of the account ${row.account}, and that of ${kept} is kept now: ` +
        `what stands there is not looked at and stays. Take it away there by hand; "plumbline dns release ${rrsetWords(row)}" then gives it up.`,
    }
  })
