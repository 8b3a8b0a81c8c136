/** The network as people look at it: per site its uplinks, VPN and counts, and who is there. */
import { isoTimeOrNull } from '../../../kernel/clock.ts'
import { fieldError, invalid } from '../../../kernel/failure.ts'
import { didYouMean } from '../../../kernel/text/nearest.ts'
import type { StoreReader } from '../../../ports/store.ts'
import type { LanHost, SiteState } from '../model/lab-port.ts'
import type { DiscoveryService } from '../service.ts'
import { explaining } from '../explaining.ts'
import { type Explaining, inboundView } from './inbound.ts'
import { type ControllerLook, controllerSources, isComplete, lookAtControllers } from '../looks.ts'
import type { SiteSummary, NetworkSummary, LanHosts } from './views.ts'
import type { LanHostView } from '../views.ts'

/** What a controller keeps of a client is for those who write there. */
export function lanHostView({ controller, site, host }: PlacedHost): LanHostView {
  const { fixed_address: _address, alias: _alias, user_id: _id, last_seen, ...shown } = host
  return { controller, site, ...shown, last_seen: isoTimeOrNull(last_seen) }
}

interface PlacedHost {
  readonly controller: string
  readonly site: string
  readonly host: LanHost
}

export interface NetworkView {
  readonly lab: DiscoveryService
  readonly store: StoreReader
}

/** The database is asked what explains an open port; without it everything else is told all the same. */
export async function networkSummary({ lab, store }: NetworkView): Promise<NetworkSummary> {
  const [looks, known] = await Promise.all([lookAtControllers(lab), explaining({ lab, store })])
  const sites = sitesOf(looks).map(({ controller, site }) => summaryOf(controller, site, known))
  return { ...heading(looks), sites: isAnyKnown(looks) ? sites : null }
}

export interface LanHostsQuery {
  /** The controller's own name of a site, or its label; null for all. */
  readonly site: string | null
  readonly online_only: boolean
}

/** Throws `validation_failed` for a site that no controller has; while one is unknown, it could be the one. */
export async function lanHosts(
  lab: DiscoveryService,
  { site, online_only }: LanHostsQuery,
): Promise<LanHosts> {
  const looks = await lookAtControllers(lab)
  const all = sitesOf(looks)
  const wanted = site === null ? all : all.filter((one) => one.site.site === site || one.site.label === site)
  if (site !== null && wanted.length === 0 && looks.length > 0 && looks.every(({ look }) => look.known))
    throw invalid([fieldError(['query', 'site'], unknownSite(site, all), 'site')])
  const hosts = wanted.flatMap(({ controller, site: { site: name, hosts: there } }) =>
    there
      .filter(({ online }) => online || !online_only)
      .map((host) => lanHostView({ controller, site: name, host })),
  )
  return { ...heading(looks), hosts: isAnyKnown(looks) ? hosts : null }
}

interface PlacedSite {
  readonly controller: string
  readonly site: SiteState
}

const sitesOf = (looks: readonly ControllerLook[]): readonly PlacedSite[] =>
  looks.flatMap(({ name, look }) =>
    look.known ? look.state.sites.map((site) => ({ controller: name, site })) : [],
  )

const isAnyKnown = (looks: readonly ControllerLook[]): boolean => looks.some(({ look }) => look.known)

function heading(
  looks: readonly ControllerLook[],
): Pick<NetworkSummary, 'configured' | 'complete' | 'sources'> {
  const sources = controllerSources(looks)
  return { configured: looks.length > 0, complete: isComplete(sources), sources }
}

function unknownSite(site: string, all: readonly PlacedSite[]): string {
  const names = [...new Set(all.flatMap((one) => [one.site.site, one.site.label]))]
  return `is no site; there are ${names.slice(0, 20).join(', ') || 'none'}.${didYouMean(site, names)}`
}

function summaryOf(controller: string, state: SiteState, known: Explaining): SiteSummary {
  const { site, label, wan, vpn, hosts, raw } = state
  const clients = hosts.filter(({ kind }) => kind === 'client')
  const online = clients.filter((host) => host.online)
  const devices = hosts.filter(({ kind }) => kind === 'device')
  const count = (of: (host: LanHost) => boolean) => online.filter(of).length
  return {
    controller,
    site,
    label,
    wan,
    vpn,
    clients: raw.online.known
      ? {
          online: online.length,
          wired: count(({ wired }) => wired === true),
          wireless: count(({ wired }) => wired === false),
          guest: count(({ guest }) => guest),
          known: raw.known.known ? clients.length : null,
        }
      : null,
    devices: raw.devices.known
      ? { total: devices.length, offline: devices.filter((device) => !device.online).length }
      : null,
    inbound: inboundView(state, known),
  }
}
