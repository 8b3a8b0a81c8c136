/** Gateways as the verbs of a record ask for them (`Gateways` of domains): what they reported for its name, and what ends with it. */
import type { StoreReader, StoreWriter } from '../../../ports/store.ts'
import type { Ddns } from '../ddns.ts'
import { ddnsRecords } from '../records.ts'
import { type EndedTokens, forgetEnded, type GivenUp, giveUpHosts } from './give-up-hosts.ts'
import { endingWords } from './lost-keys.ts'

export const gatewaysOf = (ddns: Ddns) => ({
  giveUp: (tx: StoreWriter, given: GivenUp) => giveUpHosts(ddns, tx, given),
  forget: (ended: EndedTokens) => forgetEnded(ddns, ended),
  endingWords,
  async haveReported(store: StoreReader, { domain }: { readonly domain: string }, address: string) {
    const hosts = [domain, ddns.hub_host].filter((host) => host !== null)
    const histories = await Promise.all(
      hosts.map((host) => store.of(ddnsRecords).addressHistory(host, RECENT_CHANGES)),
    )
    return histories.flat().some((change) => change.address === address)
  },
})

/** So many back. */
const RECENT_CHANGES = 20
