/**
 * What a gateway's export says: its WireGuard servers and their peers, without a secret. Our own script writes it
 * (`gateway-script.ts`); an operator's own may use the names that its tools have. What is unknown in it is passed over, a peer
 * that cannot be read is counted and left out.
 */
import { z } from 'zod'
import { networkOf } from './allowed-ips.ts'
import { isKey } from './key.ts'
import { canonicalAddress } from '../../../model/network/address.ts'
import { parsedJson } from '../../../kernel/text/lenient.ts'

export interface GatewayExport {
  /** By the clock of the gateway, in seconds since 1970; null where it does not tell. */
  readonly generated_at: number | null
  readonly interfaces: readonly GatewayInterface[]
}

export interface GatewayInterface {
  readonly name: string
  readonly public_key: string | null
  readonly listen_port: number | null
  /** Of the gateway in the tunnel, with their length: `192.168.7.1/24`. */
  readonly addresses: readonly string[]
  readonly mtu: number | null
  readonly peers: readonly GatewayPeer[]
  readonly dropped_peers: number
}

export interface GatewayPeer {
  readonly name: string | null
  readonly public_key: string
  readonly has_preshared_key: boolean
  readonly endpoint: string | null
  /** Networks in canonical form. */
  readonly allowed_ips: readonly string[]
  /** Seconds since 1970; 0 for never. */
  readonly latest_handshake: number
  readonly transfer_rx: number
  readonly transfer_tx: number
  /** Seconds; 0 for none. */
  readonly persistent_keepalive: number
}

export type ReadExport =
  | { readonly ok: true; readonly value: GatewayExport }
  | { readonly ok: false; readonly fault: string }

const MAX_PEERS = 10_000
const MAX_NAME = 64
/** The end of the year 9999: a later time has no form. */
const LATEST_S = 253_402_300_799

export function readExport(text: string): ReadExport {
  const json = parsedJson(text)
  if (json === undefined) return { ok: false, fault: NO_JSON }
  const shape = Shape.safeParse(json)
  if (!shape.success) return { ok: false, fault: 'The export is JSON, but tells of no WireGuard interface.' }
  const { format, generated_at } = shape.data
  if (format !== undefined && format !== FORMAT) return { ok: false, fault: FOREIGN }
  const given = interfacesIn(shape.data)
  // None at all is no empty list, either.
  const unread = given.find(({ peers }) => !Array.isArray(peers))
  if (unread !== undefined) return { ok: false, fault: `The peers of ${nameOf(unread)} are no list.` }
  const interfaces = given.map(interfaceOf)
  const peers = interfaces.reduce((all, one) => all + one.peers.length, 0)
  return peers > MAX_PEERS
    ? { ok: false, fault: `The export has more than ${MAX_PEERS} peers.` }
    : { ok: true, value: { generated_at: wholeNumber(generated_at, LATEST_S), interfaces } }
}

/** What our script writes; it grows by another number. */
const FORMAT = 'plumbline-wg/1'
const FOREIGN =
  `The export has another format than ${FORMAT}. Put the script that plumbline vpn gateway-script prints onto the gateway, ` +
  'or take a Plumbline that reads what is there.'
const NO_JSON = 'The export is no JSON: it was cut, or something else is written before it.'

const Loose = z.record(z.string(), z.unknown())
type Loose = z.infer<typeof Loose>

const head = { format: z.unknown().optional(), generated_at: z.unknown().optional() }
const beside = { ...head, peers: z.array(z.unknown()).optional(), clients: z.array(z.unknown()).optional() }
/** Ours, and one server with its peers beside it. */
const Shape = z.union([
  z.object({ interfaces: z.array(Loose), ...head }),
  z.object({ server: Loose, ...beside }),
  z.object({ interface: Loose, ...beside }),
])

function interfacesIn(shape: z.infer<typeof Shape>): readonly Loose[] {
  if ('interfaces' in shape) return shape.interfaces
  const server = 'server' in shape ? shape.server : shape.interface
  return [{ name: 'wg0', ...server, peers: shape.peers ?? shape.clients }]
}

const nameOf = (given: Loose): string => shown(given['name'], MAX_NAME) ?? 'wg0'

function interfaceOf(given: Loose): GatewayInterface {
  const key = pick(given, 'public_key', 'publicKey', 'pubkey')
  const port = wholeNumber(pick(given, 'listen_port', 'listenPort', 'port'), 65_535)
  const mtu = wholeNumber(given['mtu'], 65_535)
  const all = Array.isArray(given['peers']) ? given['peers'] : []
  const peers = onceEach(all.flatMap((one) => peerOf(one) ?? []))
  return {
    name: nameOf(given),
    public_key: typeof key === 'string' && isKey(key) ? key : null,
    listen_port: port === 0 ? null : port,
    addresses: texts(pick(given, 'addresses', 'address')).filter(isReachable),
    mtu: mtu === null || mtu < 576 ? null : mtu,
    peers,
    dropped_peers: all.length - peers.length,
  }
}

/** WireGuard has each key once: of two peers with one, nobody knows whose addresses count. */
function onceEach(peers: readonly GatewayPeer[]): readonly GatewayPeer[] {
  const seen = new Set<string>()
  return peers.filter(({ public_key }) => !seen.has(public_key) && seen.add(public_key))
}

function peerOf(given: unknown): GatewayPeer | null {
  const loose = Loose.safeParse(given)
  if (!loose.success) return null
  const peer = loose.data
  const key = pick(peer, 'public_key', 'publicKey', 'pubkey')
  if (typeof key !== 'string' || !isKey(key)) return null
  const allowed = texts(pick(peer, 'allowed_ips', 'allowedIps', 'tunnel_ip', 'address', 'ip'))
  const networks = allowed.map((text) => networkOf(text)?.cidr)
  if (networks.includes(undefined)) return null
  return {
    name: shown(peer['name'], MAX_NAME),
    public_key: key,
    has_preshared_key: peer['has_preshared_key'] === true,
    endpoint: endpointOf(peer['endpoint']),
    allowed_ips: [...new Set(networks as readonly string[])],
    latest_handshake: wholeNumber(peer['latest_handshake'], LATEST_S) ?? 0,
    transfer_rx: wholeNumber(peer['transfer_rx']) ?? 0,
    transfer_tx: wholeNumber(peer['transfer_tx']) ?? 0,
    persistent_keepalive: wholeNumber(peer['persistent_keepalive'], 65_535) ?? 0,
  }
}

const pick = (given: Loose, ...names: readonly string[]): unknown =>
  given[names.find((name) => given[name] !== undefined && given[name] !== null) ?? '']

/** A list, or a text with commas. */
const texts = (given: unknown): readonly string[] => {
  const all: readonly unknown[] =
    typeof given === 'string' ? given.split(',') : Array.isArray(given) ? given : []
  return all.flatMap((one) => (typeof one === 'string' && one.trim() !== '' ? [one.trim()] : []))
}

/** An address of the link (`fe80::`) is in no tunnel: each interface has one. */
const isReachable = (text: string): boolean => networkOf(text) !== null && !/^fe[89ab]/i.test(text)

/** Some tools write numbers as text. */
function wholeNumber(given: unknown, most = Number.MAX_SAFE_INTEGER): number | null {
  const number = typeof given === 'string' && /^\d{1,16}$/.test(given) ? Number(given) : given
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 && number <= most
    ? number
    : null
}

/** Without what a terminal or a page would act on; null where nothing is left. */
function shown(given: unknown, most: number): string | null {
  if (typeof given !== 'string') return null
  const plain = given.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, '').trim()
  return plain === '' ? null : plain.slice(0, most)
}

/** `address:port`, as `wg` writes it; null for what is none. */
function endpointOf(given: unknown): string | null {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):(\d{1,5})$/.exec(typeof given === 'string' ? given : '')
  const address = canonicalAddress(match?.[1] ?? match?.[2] ?? '')
  return match === null || address === null ? null : match[0]
}
