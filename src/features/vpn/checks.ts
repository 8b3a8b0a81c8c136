/** What of the VPN is looked at: whether its gateways are read, and whether a server has another key than before. */
import { type HealthCheck, healthy, impaired, type LookedAt, unknown } from '../../core/check.ts'
import { waitAtMost } from '../../kernel/async/wait-at-most.ts'
import type { SiteState } from './site.ts'
import { configuredOf, wordsOf } from './states.ts'
import type { Vpn } from './vpn.ts'

const EVERY_MS = 60_000
/** Before the time of a look is over (`MAX_LOOK_MS`): what is known is told rather than nothing. */
const WITHIN_MS = 1_000

export const vpnCheck = (vpn: Vpn): HealthCheck => ({
  name: 'vpn',
  kind: 'watch',
  configured: vpn.isConfigured,
  every_ms: EVERY_MS,
  async look() {
    // A gateway that is silent holds nobody up: what it says is told by the next look.
    await waitAtMost(vpn.states(), WITHIN_MS)
    return evaluateSites(configuredOf(vpn.known()))
  },
  advises: () => ({ remedy: 'See plumbline vpn, and the settings UCG_* of the site.' }),
})

/** Pure. */
function evaluateSites(states: readonly SiteState[]): LookedAt {
  const refused = states.find(({ status }) => status === 'refused')
  if (refused !== undefined) return impaired('refused', wordsOf(refused))
  const replaced = states.find((state) => state.replaced !== null)
  if (replaced !== undefined)
    return impaired(
      'server_key_changed',
      `The VPN server of ${replaced.site.name} has another key than ${replaced.replaced!.public_key}, which it had before.`,
    )
  const unread = states.filter(({ status }) => status !== 'ok')
  if (unread.length > 0) return unknown('unreachable', unread.map(wordsOf).join(' '))
  const peers = states.reduce((all, { server }) => all + (server?.peers.length ?? 0), 0)
  return healthy(
    `${states.length === 1 ? '1 gateway is' : `${states.length} gateways are`} read; ${states.length === 1 ? 'it has' : 'they have'} ${peers} ${peers === 1 ? 'peer' : 'peers'}.`,
  )
}
