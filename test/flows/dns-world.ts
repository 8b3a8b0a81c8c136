/** Real name servers behind which a whole house keeps its records, each with a stranger who edits past us. */
import type { Rrset } from '../../src/model/network/dns.ts'
import { presentation } from '../contract/dns-provider/presentation.ts'
import { BIND_PROGRAMS, startBind } from '../peers/bind.ts'
import { digShort, digZone, type DigRecord, type TsigKey } from '../peers/dig.ts'
import { KNOT_PROGRAMS, startKnot } from '../peers/knot.ts'
import { nsupdate } from '../peers/nsupdate.ts'
import type { Program } from '../peers/peers.ts'
import { type PowerDns, POWERDNS_PROGRAMS, startPowerDns } from '../peers/powerdns.ts'
import type { Liar } from './liar.ts'
import { lyingNameServer } from './lying-name-server.ts'
import { lyingPowerDns } from './lying-powerdns.ts'

export interface DnsWorld {
  /** Settings that make a house use it. */
  readonly env: Readonly<Record<string, string>>
  readonly dns_port: number
  /** Where the settings lead to. */
  readonly tcp_port: number
  /** The settings with another port in its place. */
  through(port: number): Readonly<Record<string, string>>
  addZone(zone: string): Promise<void>
  /** What the server answers, as `dig` prints it. */
  dig(name: string, type: string): Promise<string[]>
  /** Every record of the zone but its own SOA and NS. */
  records(zone: string): Promise<readonly DigRecord[]>
  /** By the way of people. */
  put(zone: string, rrset: Rrset): Promise<void>
  take(zone: string, rrset: Pick<Rrset, 'name' | 'type'>): Promise<void>
  /** Moves no serial, as SQL and replication do; left out where nobody can. */
  slipIn?(name: string, address: string): Promise<void>
  /** Whoever administers it: by its API, by its tool, and in its database; left out where there is no such thing. */
  readonly admin?: Pick<PowerDns, 'api' | 'util' | 'sql' | 'failAt'>
  stop(): Promise<void>
}

export interface DnsSoftware {
  readonly title: string
  readonly programs: readonly Program[]
  readonly start: (zones: readonly string[]) => Promise<DnsWorld>
}

const KEY: TsigKey = {
  name: 'plumbline-key',
  algorithm: 'hmac-sha256',
  secret: Buffer.alloc(32, 'k').toString('base64'),
}

/** Whoever asks whether records have arrived asks this server and nobody else. */
const watched = (dns_port: number) => ({
  PLUMBLINE_DNS_AUTHORITATIVE: `127.0.0.1:${dns_port}`,
  PLUMBLINE_DNS_RESOLVERS: `127.0.0.1:${dns_port}`,
})

const asked = (dns_port: number) => ({
  dns_port,
  dig: (name: string, type: string) => digShort(dns_port, name, type),
})

const updating = (port: number, zones: readonly string[]) => ({
  PLUMBLINE_DNS_PROVIDER: 'rfc2136',
  PLUMBLINE_RFC2136_SERVER: `127.0.0.1:${port}`,
  PLUMBLINE_RFC2136_ZONES: zones.join(','),
  PLUMBLINE_RFC2136_KEY_NAME: KEY.name,
  PLUMBLINE_RFC2136_KEY_SECRET: KEY.secret,
})

const withoutOwn = (records: readonly DigRecord[], zone: string): DigRecord[] =>
  records.filter(({ name, type }) => !(name === zone && (type === 'SOA' || type === 'NS')))

const powerdns: DnsSoftware = {
  title: 'PowerDNS',
  programs: POWERDNS_PROGRAMS,
  async start(zones) {
    const peer = await startPowerDns({ keys: [KEY] })
    for (const zone of zones) await peer.addZone(zone)
    const change = (zone: string, rrset: object) =>
      peer.api('PATCH', `/zones/${zone}.`, { rrsets: [rrset] }).then(() => undefined)
    const through = (port: number) => ({
      ...watched(peer.dns_port),
      PLUMBLINE_DNS_PROVIDER: 'powerdns',
      PLUMBLINE_POWERDNS_URL: `http://127.0.0.1:${port}`,
      PLUMBLINE_POWERDNS_API_KEY: peer.api_key,
    })
    const tcp_port = Number(new URL(peer.origin).port)
    return {
      ...asked(peer.dns_port),
      env: through(tcp_port),
      tcp_port,
      through,
      addZone: (zone) => peer.addZone(zone),
      records: async (zone) => withoutOwn(await digZone(peer.dns_port, zone, KEY), zone),
      put: (zone, { name, type, ttl, values }) =>
        change(zone, {
          name: `${name}.`,
          type,
          ttl: ttl ?? 300,
          changetype: 'REPLACE',
          records: values.map((value) => ({ content: presentation(type, value), disabled: false })),
        }),
      take: (zone, { name, type }) =>
        change(zone, { name: `${name}.`, type, changetype: 'DELETE', records: [] }),
      slipIn: (name, address) =>
        peer.write(`UPDATE records SET content='${address}' WHERE name='${name}' AND type='A'`),
      admin: peer,
      stop: () => peer.stop(),
    }
  },
}

const knot: DnsSoftware = {
  title: 'Knot over RFC 2136',
  programs: KNOT_PROGRAMS,
  async start(zones) {
    const peer = await startKnot({ keys: [KEY] })
    for (const zone of zones) await peer.addZone(zone)
    const through = (port: number) => ({ ...watched(peer.dns_port), ...updating(port, zones) })
    return {
      ...asked(peer.dns_port),
      env: through(peer.dns_port),
      tcp_port: peer.dns_port,
      through,
      addZone: (zone) => peer.addZone(zone),
      records: async (zone) => withoutOwn(await digZone(peer.dns_port, zone, KEY), zone),
      async put(zone, { name, type, ttl, values }) {
        const there = (await peer.control('zone-read', zone, `${name}.`, type).catch(() => '')) !== ''
        await peer.edit(zone, [
          ...(there ? [['unset', `${name}.`, type] as const] : []),
          ...values.map(
            (value) => ['set', `${name}.`, String(ttl ?? 300), type, presentation(type, value)] as const,
          ),
        ])
      },
      take: (zone, { name, type }) => peer.edit(zone, [['unset', `${name}.`, type]]),
      stop: () => peer.stop(),
    }
  },
}

const bind: DnsSoftware = {
  title: 'BIND over RFC 2136',
  programs: [...BIND_PROGRAMS, 'nsupdate'],
  async start(zones) {
    const peer = await startBind({ keys: [KEY] })
    for (const zone of zones) await peer.addZone(zone)
    const change = (zone: string, ...lines: readonly string[]) =>
      nsupdate(peer.dns_port, KEY, [`zone ${zone}.`, ...lines])
    const through = (port: number) => ({ ...watched(peer.dns_port), ...updating(port, zones) })
    return {
      ...asked(peer.dns_port),
      env: through(peer.dns_port),
      tcp_port: peer.dns_port,
      through,
      addZone: (zone) => peer.addZone(zone),
      records: async (zone) => withoutOwn(await digZone(peer.dns_port, zone, KEY), zone),
      put: (zone, { name, type, ttl, values }) =>
        change(
          zone,
          `update delete ${name}. ${type}`,
          ...values.map(
            (value) => `update add ${name}. ${ttl ?? 300} IN ${type} ${presentation(type, value)}`,
          ),
        ),
      take: (zone, { name, type }) => change(zone, `update delete ${name}. ${type}`),
      stop: () => peer.stop(),
    }
  },
}

export const DNS_SOFTWARE: readonly DnsSoftware[] = [powerdns, knot]
/** Those before which somebody lies in trials, and how. */
export const LIED_ABOUT: readonly (DnsSoftware & { readonly lie: (port: number) => Promise<Liar> })[] = [
  { ...powerdns, lie: lyingPowerDns },
  { ...bind, lie: (port) => lyingNameServer(port, KEY) },
]
