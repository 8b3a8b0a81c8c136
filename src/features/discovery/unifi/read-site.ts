/** From the lists of one UniFi site to what we know of it. Lenient: types and fields change with the firmware. */
import { inPieces } from '../../../kernel/async/in-pieces.ts'
import {
  asFlag,
  asNumber,
  asText,
  asTexts,
  asTimeOfSeconds,
  type Json,
} from '../../../kernel/text/lenient.ts'
import { canonicalAddress } from '../../../model/network/address.ts'
import { parseCidr } from '../../../model/network/cidr.ts'
import type { Inbound } from '../model/inbound-port.ts'
import type { InboundRows, Lan, LanHost, ListLook, SiteState, VpnState, WanState } from '../model/lab-port.ts'
import { rowsOf, unreadableIn } from '../model/list-look.ts'

export interface SiteLists {
  readonly site: Json
  readonly health: ListLook
  /** Clients that are connected (`stat/sta`). */
  readonly online: ListLook
  /** Clients that were ever seen (`stat/alluser`). */
  readonly known: ListLook
  /** Clients of which anything is kept (`rest/user`), however long they were not seen. */
  readonly kept: ListLook
  readonly devices: ListLook
  readonly networks: ListLook
  readonly inbound: Inbound
  readonly inbound_rows: InboundRows
}

/** Ten thousand clients are read in pieces: they hold nobody up. */
export async function readSite(lists: SiteLists): Promise<SiteState> {
  const name = asText(lists.site['name']) ?? 'default'
  // A client that is connected is told twice; what is said of it now goes before what was.
  const hosts = new Map<string, LanHost>()
  const { kept, known, online, devices } = lists
  let unreadable = [kept, known, online, devices].reduce((sum, list) => sum + unreadableIn(list), 0)
  const add = (host: LanHost | null) => {
    if (host === null) unreadable++
    else hosts.set(host.mac, withKept(host, hosts.get(host.mac)))
  }
  // Whoever has an address of its own has it also after months of silence.
  await inPieces(rowsOf(lists.kept), (row) => {
    if (asFlag(row['use_fixedip']) === true) add(readHost(row, 'client', false))
  })
  await inPieces(rowsOf(lists.known), (row) => add(readHost(row, 'client', false)))
  await inPieces(rowsOf(lists.online), (row) => add(readHost(row, 'client', true)))
  await inPieces(rowsOf(lists.devices), (row) => add(readHost(row, 'device', asNumber(row['state']) === 1)))
  return {
    site: name,
    label: asText(lists.site['desc']) ?? name,
    wan: lists.health.known ? rowsOf(lists.health).filter(isWan).map(readWan) : null,
    vpn: readVpn(rowsOf(lists.health)),
    networks: rowsOf(lists.networks).flatMap((row) => cidrOf(row) ?? []),
    lans: rowsOf(lists.networks).flatMap((row) => lanOf(row) ?? []),
    inbound: lists.inbound,
    hosts: [...hosts.values()].sort((a, b) => compare(a.name, b.name) || compare(a.mac, b.mac)),
    unreadable,
    missing: [lists.health, lists.online, lists.known, lists.kept, lists.devices, lists.networks].flatMap(
      (list) => (list.known ? [] : [list.why]),
    ),
    raw: {
      devices: lists.devices,
      online: lists.online,
      known: lists.known,
      networks: lists.networks,
      inbound: lists.inbound_rows,
    },
  }
}

/** What is kept of a client is not told again with each connection. */
const withKept = (host: LanHost, before: LanHost | undefined): LanHost => ({
  ...host,
  fixed_address: host.fixed_address ?? before?.fixed_address ?? null,
  alias: host.alias ?? before?.alias ?? null,
  user_id: host.user_id ?? before?.user_id ?? null,
})

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const MAC = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/

function readHost(row: Json, kind: LanHost['kind'], online: boolean): LanHost | null {
  const mac = asText(row['mac'])?.toLowerCase().replaceAll('-', ':') ?? ''
  if (!MAC.test(mac)) return null
  const hostname = asText(row['hostname'])
  const fixed = asFlag(row['use_fixedip']) === true ? canonicalAddress(asText(row['fixed_ip']) ?? '') : null
  const address = asText(row['ip']) ?? asText(row['last_ip']) ?? fixed
  return {
    kind,
    mac,
    name: asText(row['name']) ?? hostname ?? mac,
    hostname,
    address: canonicalAddress(address ?? ''),
    fixed_address: fixed,
    alias: kind === 'client' ? asText(row['name']) : null,
    user_id: kind === 'client' ? (asText(row['user_id']) ?? asText(row['_id'])) : null,
    online,
    wired: kind === 'device' ? null : asFlag(row['is_wired']),
    guest: asFlag(row['is_guest']) === true,
    network: asText(row['network']) ?? asText(row['last_connection_network_name']),
    vlan: asNumber(row['vlan']),
    vendor: asText(row['oui']) ?? (kind === 'device' ? asText(row['model']) : null),
    last_seen: asTimeOfSeconds(row['last_seen']),
  }
}

const isWan = (row: Json): boolean => /^wan\d*$/.test(asText(row['subsystem']) ?? '')

const readWan = (row: Json): WanState => ({
  name: asText(row['subsystem']) ?? 'wan',
  status: asText(row['status']) ?? 'unknown',
  address: canonicalAddress(asText(row['wan_ip']) ?? ''),
  latency_ms: asNumber(row['latency']),
  uptime_s: asNumber(row['uptime']) ?? asNumber(row['gw_uptime']),
})

function readVpn(health: readonly Json[]): VpnState {
  const row = health.find((entry) => asText(entry['subsystem']) === 'vpn')
  if (row === undefined) return { status: null, active: null }
  const users = asNumber(row['remote_user_num_active'])
  const tunnels = asNumber(row['site_to_site_num_active'])
  const is_listed = users !== null || tunnels !== null
  return {
    status: asText(row['status']),
    active: is_listed ? (users ?? 0) + (tunnels ?? 0) : asNumber(row['num_user']),
  }
}

/** Leases are told of IPv4 alone. */
function lanOf(row: Json): Lan | null {
  const network = parseCidr(cidrOf(row) ?? '')
  if (network === null) return null
  const end = (key: string) => canonicalAddress(asText(row[key]) ?? '')
  const [first, last] = [end('dhcpd_start'), end('dhcpd_stop')]
  return {
    name: asText(row['name']) ?? network.cidr,
    cidr: network.cidr,
    gateway: network.address,
    vlan: asNumber(row['vlan']),
    dhcp: asFlag(row['dhcpd_enabled']) === true && first !== null && last !== null ? { first, last } : null,
  }
}

/** `192.0.2.1/24` is the gateway with the length of its network; uplinks are no networks of the site. */
function cidrOf(row: Json): string | null {
  const [purpose, subnet] = [asText(row['purpose']), asText(row['ip_subnet'])]
  if (purpose === 'wan' || asTexts([subnet]).length === 0) return null
  return /^[0-9a-f.:]+\/\d{1,3}$/i.test(subnet!) ? subnet : null
}
