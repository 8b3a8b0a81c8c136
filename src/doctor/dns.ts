/** The DNS accounts, as `plumbline doctor` finds them: a finding for each, and one for names that no account can hold. */
import type { Finding } from '../cli/verb.ts'
import { bad, good, warning } from './finding.ts'
import type { World } from './world.ts'
import type { AccountView, ZonesAnswer } from '../features/dns/views.ts'

export const dns: World = {
  asked: async (ask) => evaluateZones(await ask<ZonesAnswer>('/api/dns/zones')),
}

export function evaluateZones({ accounts, zones, homeless }: ZonesAnswer): readonly Finding[] {
  const findings = accounts.map((account) =>
    evaluateAccount(account, zones.filter((zone) => zone.account === account.account).length),
  )
  if (homeless.length === 0) return findings
  const names = homeless.slice(0, MAX_NAMED).join(', ') + (homeless.length > MAX_NAMED ? ' …' : '')
  const silent = accounts.filter(({ ok }) => ok !== true).map(({ account }) => account)
  // What an account does not show it may have all the same.
  const lost =
    silent.length === 0
      ? warning('DNS zones', `no account has a zone for ${names}`, 'Add the zone, or its account.')
      : warning(
          'DNS zones',
          `whether any account has a zone for ${names} is not known while ${silent.join(', ')} does not answer`,
          'Look again when it answers.',
        )
  return [...findings, lost]
}

const MAX_NAMED = 5

function evaluateAccount({ account, ok, detail, served }: AccountView, zones: number): Finding {
  const check = `DNS account ${account}`
  if (ok === false)
    return bad(check, detail ?? 'does not answer', 'Correct its settings, or wait until it answers.')
  if (ok === null) return warning(check, 'has not been asked yet', 'Look again in a minute, or read the log.')
  const shown = zones === 1 ? '1 zone' : `${zones} zones`
  return served
    ? good(check, shown)
    : warning(
        check,
        `${shown} in files that no name server is known to load, so nobody is asked whether they have arrived`,
        'Name the server that loads them in PLUMBLINE_DNS_AUTHORITATIVE (host:port).',
      )
}
