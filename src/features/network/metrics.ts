/**
 * What the controllers tell, as metrics. Bounded: series go with devices and sites, and with clients only where somebody
 * wants them and there are not too many. What is not known has no sample.
 */
import type { Instant } from '../../kernel/clock.ts'
import { asFlag, asNumber, asText, type Json } from '../../kernel/text/lenient.ts'
import type { ControllerLook } from '../discovery/looks.ts'
import type { LanHost, SiteState } from '../discovery/model/lab-port.ts'
import { rowsOf } from '../discovery/model/list-look.ts'
import { exposition, type Family, type Labels, type Sample } from './exposition.ts'

export interface MetricsGiven {
  readonly looks: readonly ControllerLook[]
  /** Null while it is not known. */
  readonly rogue: number | null
  /** Series for each client, too. */
  readonly clients: boolean
  readonly now: Instant
}

/** With more, there are none of each. */
const MAX_CLIENTS = 2000
const MAX_DEVICES = 1000

export function metricsText({ looks, rogue, clients, now }: MetricsGiven): string {
  const sites: readonly PlacedSite[] = looks.flatMap(({ name: controller, look }) =>
    look.known ? look.state.sites.map((state) => ({ labels: { controller, site: state.site }, state })) : [],
  )
  const of_controllers = (valueOf: (look: ControllerLook['look']) => number) =>
    looks.map(({ name: controller, look }) => ({ labels: { controller }, value: valueOf(look) }))
  return exposition([
    gauge(
      'up',
      'Whether the controller answers: 1 or 0.',
      of_controllers(({ known }) => (known ? 1 : 0)),
    ),
    gauge(
      'look_age_seconds',
      'Age of the last look at the controller.',
      of_controllers(({ at }) => Math.max(0, (now - at) / 1000)),
    ),
    gauge('devices', 'Devices by type and state.', sites.flatMap(devicesOf)),
    gauge('clients', 'Connected clients: guest, wired, wireless or unknown.', sites.flatMap(clientsOf)),
    gauge('wan_up', 'Whether the uplink is all right: 1 or 0. Absent while unknown.', wans(sites, wanUp)),
    gauge(
      'wan_latency_seconds',
      'Latency of the uplink as the gateway measures it.',
      wans(sites, ({ latency_ms }) => (latency_ms === null ? null : latency_ms / 1000)),
    ),
    gauge(
      'wan_uptime_seconds',
      'How long the uplink is up.',
      wans(sites, ({ uptime_s }) => uptime_s),
    ),
    gauge(
      'vpn_active',
      'Users and tunnels of the VPN that are up.',
      sites.map(({ labels, state }) => ({ labels, value: state.vpn.active })),
    ),
    gauge('port_forwards', 'Port forwards, by whether they are enabled.', sites.flatMap(forwardsOf)),
    gauge('rogue_clients', 'Connected clients that nobody knows. Absent while that cannot be told.', [
      { labels: {}, value: rogue },
    ]),
    ...deviceFamilies(sites),
    ...(clients ? clientFamilies(sites) : []),
  ])
}

interface PlacedSite {
  readonly labels: Labels
  readonly state: SiteState
}

const gauge = (name: string, help: string, samples: readonly Sample[]): Family => ({
  name: `plumbline_network_${name}`,
  type: 'gauge',
  help,
  samples,
})

function counted(labels: Labels, all: readonly Labels[]): readonly Sample[] {
  const counts = new Map<string, { readonly of: Labels; count: number }>()
  for (const of of all) {
    const key = Object.values(of).join(' ')
    const entry = counts.get(key) ?? { of, count: 0 }
    entry.count++
    counts.set(key, entry)
  }
  return [...counts.values()].map(({ of, count }) => ({ labels: { ...labels, ...of }, value: count }))
}

const STATES: readonly string[] = [
  'offline',
  'connected',
  'pending_adoption',
  'firmware_mismatch',
  'upgrading',
  'provisioning',
  'heartbeat_missed',
  'adopting',
  'deleting',
  'inform_error',
  'adoption_failed',
  'isolated',
]

/** Types are few and short, as `usw`; anything else is one of its own. */
const typeOf = (row: Json): string => /^[a-z0-9]{1,6}$/.exec(asText(row['type']) ?? '')?.[0] ?? 'other'

const MAX_TYPES = 16

function devicesOf({ labels, state }: PlacedSite): readonly Sample[] {
  const rows = rowsOf(state.raw.devices)
  const types = new Set([...new Set(rows.map(typeOf))].slice(0, MAX_TYPES))
  return counted(
    labels,
    rows.map((row) => ({
      type: types.has(typeOf(row)) ? typeOf(row) : 'other',
      state: STATES[asNumber(row['state']) ?? -1] ?? 'unknown',
    })),
  )
}

const CLIENT_KINDS = ['guest', 'wired', 'wireless', 'unknown'] as const

const kindOf = ({ guest, wired }: LanHost): (typeof CLIENT_KINDS)[number] => {
  if (guest) return 'guest'
  return wired === null ? 'unknown' : wired ? 'wired' : 'wireless'
}

function clientsOf({ labels, state }: PlacedSite): readonly Sample[] {
  if (!state.raw.online.known) return []
  const online = state.hosts.filter((host) => host.kind === 'client' && host.online).map(kindOf)
  return CLIENT_KINDS.map((kind) => ({
    labels: { ...labels, kind },
    value: online.filter((one) => one === kind).length,
  }))
}

type Wan = NonNullable<SiteState['wan']>[number]

const wans = (sites: readonly PlacedSite[], valueOf: (wan: Wan) => number | null): readonly Sample[] =>
  sites.flatMap(({ labels, state }) =>
    (state.wan ?? []).map((wan) => ({ labels: { ...labels, wan: wan.name }, value: valueOf(wan) })),
  )

const wanUp = ({ status }: Wan): number | null => {
  if (status === 'ok' || status === 'warning') return 1
  return status === 'error' ? 0 : null
}

function forwardsOf({ labels, state: { inbound } }: PlacedSite): readonly Sample[] {
  const { forwards } = inbound
  if (forwards === null) return []
  return [true, false].map((is) => ({
    labels: { ...labels, enabled: String(is) },
    value: forwards.filter(({ enabled }) => enabled === is).length,
  }))
}

interface Entry {
  readonly mac: string
  readonly row: Json
}

const entriesOf = (rows: readonly Json[]): readonly Entry[] =>
  rows.flatMap((row) => {
    const mac = asText(row['mac'])?.toLowerCase() ?? ''
    return /^[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}$/.test(mac) ? [{ mac: mac.replaceAll('-', ':'), row }] : []
  })

const named = (row: Json, field: string): string => asText(row[field]) ?? ''

function deviceFamilies(sites: readonly PlacedSite[]): readonly Family[] {
  const all = entriesOf(sites.flatMap(({ state }) => rowsOf(state.raw.devices)))
  if (all.length > MAX_DEVICES) return []
  const each = (valueOf: (row: Json) => number | null) =>
    all.map(({ mac, row }) => ({ labels: { mac }, value: valueOf(row) }))
  const info = all.map(({ mac, row }) => {
    const [name, model, version] = [named(row, 'name'), named(row, 'model'), named(row, 'version')]
    return { labels: { mac, name, model, version }, value: 1 }
  })
  return [
    gauge('device_info', 'A device by its MAC.', firstOfEach(info)),
    gauge(
      'device_up',
      'Whether the device is connected: 1 or 0. Absent while unknown.',
      each((row) => {
        const state = asNumber(row['state'])
        return state === null ? null : state === 1 ? 1 : 0
      }),
    ),
    gauge(
      'device_uptime_seconds',
      'How long the device is up.',
      each((row) => asNumber(row['uptime'])),
    ),
    gauge(
      'device_clients',
      'Clients of the device.',
      each((row) => asNumber(row['num_sta'])),
    ),
  ]
}

/** One line for a MAC, also where two controllers call it differently. */
function firstOfEach(samples: readonly Sample[]): readonly Sample[] {
  const seen = new Set<string>()
  return samples.filter(({ labels }) => {
    const is_first = !seen.has(labels['mac']!)
    seen.add(labels['mac']!)
    return is_first
  })
}

function clientFamilies(sites: readonly PlacedSite[]): readonly Family[] {
  const all = entriesOf(sites.flatMap(({ state }) => rowsOf(state.raw.online)))
  if (all.length > MAX_CLIENTS) return []
  const hosts = new Map(sites.flatMap(({ state }) => state.hosts.map((host) => [host.mac, host] as const)))
  const bytes = (name: 'receive' | 'transmit', help: string, fields: readonly string[]): Family => ({
    name: `plumbline_network_client_${name}_bytes_total`,
    type: 'counter',
    help,
    samples: all.map(({ mac, row }) => {
      const is_wired = asFlag(row['is_wired']) === true
      return { labels: { mac }, value: firstNumber(row, is_wired ? fields : fields.toReversed()) }
    }),
  })
  const info = all.map(({ mac, row }) => {
    const { name = '', network, wired = null } = hosts.get(mac) ?? {}
    const labels = { mac, name, network: network ?? named(row, 'network'), wired: String(wired ?? 'unknown') }
    return { labels, value: 1 }
  })
  return [
    gauge('client_info', 'A connected client by its MAC.', firstOfEach(info)),
    bytes('receive', 'Bytes that were received from the client.', ['wired-rx_bytes', 'rx_bytes']),
    bytes('transmit', 'Bytes that were sent to the client.', ['wired-tx_bytes', 'tx_bytes']),
  ]
}

const firstNumber = (row: Json, fields: readonly string[]): number | null =>
  fields.map((field) => asNumber(row[field])).find((value) => value !== null) ?? null
