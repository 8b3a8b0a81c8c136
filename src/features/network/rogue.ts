/**
 * Clients that are connected and that nobody knows. What another source could know of is undecided while that source is not
 * whole: it is neither called a stranger nor known.
 */
import { inPieces } from '../../kernel/async/in-pieces.ts'
import { isoTimeOrNull } from '../../kernel/clock.ts'
import { asNumber, asText, asTimeOfSeconds, type Json } from '../../kernel/text/lenient.ts'
import {
  clusterSources,
  controllerSources,
  isComplete,
  lookAtClusters,
  lookAtControllers,
  type Looks,
} from '../discovery/looks.ts'
import type { LanHost, SiteState } from '../discovery/model/lab-port.ts'
import { rowsOf, unreadableIn } from '../discovery/model/list-look.ts'
import type { DiscoveryService } from '../discovery/service.ts'
import { isKnownMac, isRandomized } from './known-macs.ts'
import type { UnknownClient, RogueCheck } from './views.ts'

interface RogueQuery {
  readonly known_macs: readonly string[]
  /** Clients of guest networks, too. */
  readonly guests: boolean
}

/** @returns a function that checks once for all who ask about the same looks, with clients of guest networks or without */
export function rogueChecks(
  lab: DiscoveryService,
  known_macs: readonly string[],
): (guests: boolean) => Promise<RogueCheck> {
  let last: { readonly of: readonly unknown[]; readonly checks: Map<boolean, Promise<RogueCheck>> } | null =
    null
  return async (guests) => {
    const [controllers, clusters] = await Promise.all([lookAtControllers(lab), lookAtClusters(lab)])
    const of: readonly unknown[] = [...controllers, ...clusters].map(({ look }) => look)
    if (last === null || of.some((look, at) => look !== last?.of[at])) last = { of, checks: new Map() }
    const check = last.checks.get(guests) ?? checkedOnce({ controllers, clusters }, { known_macs, guests })
    last.checks.set(guests, check)
    return check
  }
}

async function checkedOnce(
  { controllers, clusters }: Omit<Looks, 'hosts'>,
  { known_macs, guests }: RogueQuery,
): Promise<RogueCheck> {
  const sources = [
    ...controllerSources(controllers),
    ...(clusters.length > 0 ? clusterSources(clusters) : []),
  ]
  const placed = controllers.flatMap(({ name, look }) =>
    look.known ? look.state.sites.map((state) => ({ controller: name, state })) : [],
  )
  const are_sources_whole =
    controllers.length === 0 ? null : isComplete(sources) === true && allReadable(clusters)
  const of_guests = clusters.flatMap(({ look }) =>
    look.known ? look.state.guests.flatMap(({ macs }) => macs) : [],
  )
  const hosts = placed.flatMap(({ state }) => state.hosts)
  const explained = new Set([
    ...of_guests,
    ...hosts.filter(({ kind }) => kind === 'device').map(({ mac }) => mac),
  ])
  const names = new Map(hosts.map(({ mac, name }) => [mac, name]))
  let known = 0
  let unreadable = 0
  const unknown: UnknownClient[] = []
  for (const { controller, state } of placed) {
    const rows = new Map(rowsOf(state.raw.online).map((row) => [macIn(row), row]))
    unreadable += unreadableIn(state.raw.online)
    unreadable += rowsOf(state.raw.online).filter((row) => !MAC.test(macIn(row))).length
    await inPieces(state.hosts, (host) => {
      if (host.kind !== 'client' || !host.online || (host.guest && !guests)) return
      const is_known =
        explained.has(host.mac) ||
        host.alias !== null ||
        host.fixed_address !== null ||
        isKnownMac(known_macs, host.mac)
      if (is_known) known++
      else unknown.push(unknownClient({ controller, state, host, row: rows.get(host.mac) ?? {}, names }))
    })
  }
  const complete = are_sources_whole === null ? null : are_sources_whole && unreadable === 0
  const rogue = are_sources_whole === true ? unknown : []
  const times = sources.flatMap(({ observed_at }) => observed_at ?? []).toSorted()
  return {
    ok: rogue.length > 0 ? false : complete === true ? true : null,
    complete,
    checked_at: times[0] ?? null,
    known,
    rogue,
    undecided: are_sources_whole === true ? [] : unknown,
    sources,
  }
}

/** A guest that cannot be read may have any card. */
const allReadable = (clusters: Awaited<ReturnType<typeof lookAtClusters>>): boolean =>
  clusters.every(({ look }) => look.known && look.state.unreadable === 0)

const MAC = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/
const macIn = (row: Json): string => asText(row['mac'])?.toLowerCase().replaceAll('-', ':') ?? ''

interface Placed {
  readonly controller: string
  readonly state: SiteState
  readonly host: LanHost
  /** As the controller sent it. */
  readonly row: Json
  /** Of devices and clients, by MAC. */
  readonly names: ReadonlyMap<string, string>
}

function unknownClient({ controller, state, host, row, names }: Placed): UnknownClient {
  const { mac, address, hostname, vendor, network, vlan, wired, guest, last_seen } = host
  const first_seen = asTimeOfSeconds(row['first_seen'])
  const up = asText(row[wired === false ? 'ap_mac' : 'sw_mac'])?.toLowerCase() ?? null
  return {
    controller,
    site: state.site,
    mac,
    randomized: isRandomized(mac),
    address,
    hostname,
    vendor,
    network,
    vlan,
    wired,
    guest,
    first_seen: isoTimeOrNull(first_seen),
    last_seen: isoTimeOrNull(last_seen),
    uplink:
      up === null
        ? null
        : { mac: up, name: names.get(up) ?? null, port: wired === false ? null : asNumber(row['sw_port']) },
  }
}
