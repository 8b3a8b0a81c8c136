/** What is set up at the sites of a controller, list by list: one that is refused leaves the others known. */
import type { ListLook, SiteSettings, SiteState } from '../model/lab-port.ts'
import { RawRows } from '../model/raw-rows.ts'
import { askForwards, askList, askPolicies, askRules, type ListAsked } from './ask-inbound.ts'
import type { UnifiSession } from './session.ts'

/** Throws a Failure, or the signal's reason. */
export async function askSettings(
  session: UnifiSession,
  sites: readonly SiteState[],
  signal: AbortSignal,
): Promise<readonly SiteSettings[]> {
  const read: SiteSettings[] = []
  // One after another, as in a look.
  for (const state of sites)
    read.push(await settingsOf({ session, site: { name: state.site }, signal }, state))
  return read
}

async function settingsOf(ask: ListAsked, { site, label, raw }: SiteState): Promise<SiteSettings> {
  const { inbound } = raw
  const [forwards, zoned, rules, groups, wlans] = await Promise.all([
    inbound.forwards ?? askForwards(ask),
    inbound.policies === null ? askPolicies(ask) : { policies: inbound.policies, zones: inbound.zones },
    inbound.rules ?? askRules(ask),
    askList(ask, 'rest/firewallgroup'),
    askList(ask, 'rest/wlanconf'),
  ])
  return { site, label, forwards, ...zoned, rules: rulesBeside(zoned.policies, rules), groups, wlans }
}

/** A firmware that knows zones may not know the list of before any more. */
const rulesBeside = (policies: ListLook, rules: ListLook): ListLook =>
  !rules.known && rules.absent && policies.known && policies.rows.count > 0
    ? { known: true, rows: new RawRows([]) }
    : rules
