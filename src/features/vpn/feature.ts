/** From settings to the VPN companion: the gateways that are read, and what controllers know of their peers. */
import type { Core } from '../../core/core.ts'
import type { Feature } from '../../feature/feature.ts'
import type { DiscoveryService } from '../discovery/service.ts'
import { vpnCheck } from './checks.ts'
import { driftLook } from './drift.ts'
import { vpnEndpoints } from './endpoints.ts'
import { networksIn, peerNamesIn, uplinksIn } from './from-lab.ts'
import { hostResolver } from './gateway/host-resolver.ts'
import { sshGateway } from './gateway/read-gateway.ts'
import { subnetsOf } from './model/server.ts'
import { readPage } from './pages/read-page.ts'
import { type SiteSettings, sitesIn, type VpnSettings } from './settings.ts'
import { Site } from './site.ts'
import { Vpn } from './vpn.ts'

type VpnCore = Pick<Core, 'store' | 'clock' | 'log'>

interface Given {
  readonly lab: DiscoveryService
  readonly version: string
}

export function vpnFeature(settings: VpnSettings, core: VpnCore, { lab, version }: Given): Feature {
  const { listen, homelab } = settings
  const sites = sitesIn(settings).map(
    (site) => new Site(site, { ...core, gateway: gatewayOf(settings, site) }),
  )
  const vpn = new Vpn(sites, peerNamesIn(lab), core.clock)
  return {
    name: 'vpn',
    companion: {
      name: 'vpn',
      title: 'Plumbline VPN',
      description:
        'Sites and peers of the VPN as their gateways tell them, and the files and QR codes of devices. It changes no ' +
        'gateway, and keeps no private key.',
      listen,
      endpoints: vpnEndpoints({
        vpn,
        clock: core.clock,
        version,
        drift: driftLook({ resolve: hostResolver(), uplinks: uplinksIn(lab) }),
        homelab: async () => {
          const tunnels = vpn.known().flatMap(({ server }) => (server === null ? [] : subnetsOf(server)))
          const networks = homelab.length > 0 ? homelab : await networksIn(lab)
          return [...new Set([...tunnels, ...networks])]
        },
        readPage,
      }),
      configured: () => vpn.isConfigured,
    },
    checks: [vpnCheck(vpn)],
    lifecycles: [
      {
        // What is asked first is there already.
        start: () => void vpn.states(),
        stop: async () => {
          for (const site of sites) await site.close()
        },
      },
    ],
  }
}

function gatewayOf({ ssh_key, ssh_user }: VpnSettings, { id, gateway }: SiteSettings) {
  if (ssh_key === null || gateway === null) return null
  const host_key_setting = `UCG_${id.toUpperCase()}_HOST_KEY`
  return sshGateway({ ...gateway, user: ssh_user, identity_file: ssh_key, host_key_setting })
}
