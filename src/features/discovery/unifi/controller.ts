/** One UniFi controller with all of its sites, over its private API (by API key, or by login where it is older). */
import { asText, type Json } from '../../../kernel/text/lenient.ts'
import type { ControllerState, LabLook, NetworkController, SiteState } from '../model/lab-port.ts'
import { askInbound, askPart } from './ask-inbound.ts'
import { askSettings } from './ask-settings.ts'
import { askVpnPeers } from './ask-vpn-peers.ts'
import { clientNames } from './client-names.ts'
import { readSite } from './read-site.ts'
import { failureOf, Unusable } from '../model/unusable.ts'
import { type SessionOptions, UnifiSession } from './session.ts'

/** Clients that were seen within this time are listed although they are not connected. */
const SEEN_WITHIN_H = 720
const MAX_SITES = 100
const SEE = 'See PLUMBLINE_UNIFI_URL and its credentials.'

export function unifiController(options: SessionOptions): NetworkController {
  const { name, clock } = options
  const session = new UnifiSession(options)
  return {
    name,
    look: (signal) => looked(signal, () => readAll(session, signal)),
    names: clientNames(name, session),
    lookAtSettings: (sites, signal) => looked(signal, () => askSettings(session, sites, signal)),
    lookAtVpnPeers: (sites, signal) => looked(signal, () => askVpnPeers(session, sites, signal)),
  }

  async function looked<State>(signal: AbortSignal, read: () => Promise<State>): Promise<LabLook<State>> {
    try {
      return { known: true, state: await read(), at: clock.now() }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      return { known: false, ...failureOf(name, error, SEE), at: clock.now() }
    }
  }
}

async function readAll(session: UnifiSession, signal: AbortSignal): Promise<ControllerState> {
  const sites = await session.data({ method: 'GET', path: '/api/self/sites', signal })
  if (sites.length > MAX_SITES) throw new Unusable('unreadable', `it has more than ${MAX_SITES} sites`)
  const read: SiteState[] = []
  // One after another: a gateway has little to spare, and few have more than one site.
  for (const site of sites) read.push(await siteOf(session, site, signal))
  return { version: await versionOf(session, sites, signal), sites: read }
}

async function siteOf(session: UnifiSession, site: Json, signal: AbortSignal): Promise<SiteState> {
  const ask = (list: string, json?: unknown) =>
    askPart({ session, site, signal }, { list, ...(json !== undefined && { json }) })
  const everyone = { type: 'all', conn: 'all', within: SEEN_WITHIN_H }
  // The session is settled by the call before, so these do not all log in.
  const [health, online, known, devices, networks, kept] = await Promise.all([
    ask('stat/health'),
    ask('stat/sta'),
    ask('stat/alluser', everyone),
    ask('stat/device'),
    ask('rest/networkconf'),
    ask('rest/user'),
  ])
  const [first, ...others] = [health, online, known, devices, networks].flatMap((list) =>
    list.known ? [] : [list],
  )
  if (first !== undefined && others.length === 4) throw new Unusable(first.reason, first.why)
  const { inbound, rows: inbound_rows } = await askInbound(session, { site, devices, signal })
  return readSite({ site, health, online, known, kept, devices, networks, inbound, inbound_rows })
}

/** Only for people: a controller that does not tell it is read all the same. */
async function versionOf(
  session: UnifiSession,
  [first]: readonly Json[],
  signal: AbortSignal,
): Promise<string | null> {
  const site = encodeURIComponent(asText(first?.['name']) ?? 'default')
  try {
    const [info] = await session.data({ method: 'GET', path: `/api/s/${site}/stat/sysinfo`, signal })
    return asText(info?.['version'])
  } catch (error) {
    if (error instanceof Unusable) return null
    throw error
  }
}
