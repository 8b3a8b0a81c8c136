/** The VPN manager: sites, their peers, and the file of a device made on demand. It keeps no key and changes no gateway. */
import { RateLimit } from '../../kernel/async/rate-limit.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Failure, fieldError, invalid } from '../../kernel/failure.ts'
import type { Secret } from '../../kernel/secret.ts'
import { FULL_TUNNEL, parseAllowedIps } from './model/allowed-ips.ts'
import type { GatewayPeer } from './model/export.ts'
import { fileNameOf } from './model/file-name.ts'
import { publicKeyOf } from './model/key.ts'
import { PRESHARED_KEY_PLACE, PRIVATE_KEY_PLACE, renderDevice } from './model/render.ts'
import { gatewayAddresses, ownAddresses, peerName } from './model/server.ts'
import type { Site, SiteState } from './site.ts'
import { serverOf } from './states.ts'

/** What somebody should know before a file is used. */
export const WARNINGS = [
  'private_key_mismatch',
  'server_key_changed',
  'preshared_key_missing',
  'host_bits_cleared',
  'stale',
] as const

export interface Warning {
  readonly code: (typeof WARNINGS)[number]
  readonly message: string
}

export interface Rendered {
  readonly config: string
  readonly filename: string
  readonly warnings: readonly Warning[]
}

export interface RenderWish {
  readonly site_id: string
  readonly public_key: string
  /** Null: a text stands in its place. */
  readonly private_key: Secret | null
  readonly preshared_key: Secret | null
  /** Null: everything goes through the tunnel. */
  readonly allowed_ips: string | null
}

/** Names that a controller has, by public key. */
export type PeerNames = () => Promise<ReadonlyMap<string, string>>

const SYNC_EVERY_MS = 5_000
const RENDERINGS_A_MINUTE = 30

export class Vpn {
  readonly #sites: readonly Site[]
  readonly #names: PeerNames
  readonly #clock: Clock
  readonly #syncs = new RateLimit({ most: 1, span_ms: SYNC_EVERY_MS })
  readonly #renderings = new RateLimit({ most: RENDERINGS_A_MINUTE, span_ms: 60_000 })

  constructor(sites: readonly Site[], names: PeerNames, clock: Clock) {
    this.#sites = sites
    this.#names = names
    this.#clock = clock
  }

  get isConfigured(): boolean {
    return this.#sites.some((site) => site.isConfigured)
  }

  /** As they were read last; nobody is asked. */
  known(): readonly SiteState[] {
    return this.#sites.map((site) => site.known())
  }

  states(): Promise<readonly SiteState[]> {
    return Promise.all(this.#sites.map((site) => site.state()))
  }

  /** Throws `not_found`. */
  async stateOf(site_id: string): Promise<SiteState> {
    return this.#site(site_id).state()
  }

  /** Reads all gateways now. Throws `rate_limited` for a second time within five seconds. */
  async sync(): Promise<readonly SiteState[]> {
    this.#limit(this.#syncs, 'all', 'The gateways were read a moment ago.')
    return Promise.all(this.#sites.map((site) => site.sync()))
  }

  /** Those that a controller has. */
  names(): Promise<ReadonlyMap<string, string>> {
    return this.#names()
  }

  /** Counts one rendering of a caller. Throws `rate_limited`. */
  admit(caller: string): void {
    this.#limit(
      this.#renderings,
      caller,
      `At most ${RENDERINGS_A_MINUTE} files a minute are made for one caller.`,
    )
  }

  /**
   * Throws `not_found` for a peer that its site does not have, `component_unavailable` where the site was never read, `conflict`
   * where something is missing without which no device connects, `validation_failed` for networks that are none.
   */
  async render(wish: RenderWish): Promise<Rendered> {
    const state = await this.stateOf(wish.site_id)
    const { server, peer } = peerOf(state, wish.public_key)
    const { id, name: site_name, endpoint, dns } = state.site
    if (server.public_key === null || server.listen_port === null)
      throw new Failure(
        'conflict',
        `The gateway of ${site_name} tells no ${server.public_key === null ? 'public key' : 'port'} of its server (${server.name}), without which no device connects.`,
      )
    const addresses = ownAddresses(peer)
    if (addresses.length === 0)
      throw new Failure(
        'conflict',
        `The gateway of ${site_name} gives this peer no address of its own (AllowedIPs has no /32 or /128).`,
      )
    const allowed = parseAllowedIps(wish.allowed_ips ?? FULL_TUNNEL.join(', '))
    if (!allowed.ok) throw invalid([fieldError(['body', 'allowed_ips'], allowed.fault, 'networks')])
    const config = renderDevice({
      private_key: wish.private_key?.reveal() ?? PRIVATE_KEY_PLACE,
      addresses,
      dns: dns.length > 0 ? dns : gatewayAddresses(server),
      mtu: server.mtu ?? DEFAULT_MTU,
      server_public_key: server.public_key,
      preshared_key: peer.has_preshared_key ? (wish.preshared_key?.reveal() ?? PRESHARED_KEY_PLACE) : null,
      allowed_ips: allowed.networks,
      endpoint: `${endpoint}:${server.listen_port}`,
    })
    const name = peerName(peer, peer.name === null ? await this.names() : new Map())
    return {
      config,
      filename: fileNameOf(id, name),
      warnings: [
        ...warningsOn(state, peer, wish),
        ...allowed.warnings.map((message) => ({ code: 'host_bits_cleared', message }) as const),
      ],
    }
  }

  #limit(limit: RateLimit, name: string, words: string): void {
    const elapsed = this.#clock.elapsed()
    const retry_after_ms = limit.wait(name, elapsed)
    if (retry_after_ms > 0) throw new Failure('rate_limited', words, { retry_after_ms })
    limit.count(name, elapsed)
  }

  #site(site_id: string): Site {
    const site = this.#sites.find(({ settings }) => settings.id === site_id)
    if (site !== undefined) return site
    const all = this.#sites.map(({ settings }) => settings.id).join(' and ')
    throw new Failure('not_found', `There is no VPN site of that name. The sites are ${all}.`)
  }
}

/** What WireGuard takes where nothing is said, for a way of 1,500 bytes. */
const DEFAULT_MTU = 1420

function peerOf(state: SiteState, public_key: string) {
  const server = serverOf(state)
  const peer = server.peers.find((one) => one.public_key === public_key)
  if (peer === undefined)
    throw new Failure('not_found', `The site ${state.site.name} has no peer with that key.`)
  return { server, peer }
}

function warningsOn(
  { replaced, status, detail }: SiteState,
  peer: GatewayPeer,
  { private_key, preshared_key }: RenderWish,
): readonly Warning[] {
  const warnings: Warning[] = []
  if (private_key !== null && publicKeyOf(private_key.reveal()) !== peer.public_key)
    warnings.push({
      code: 'private_key_mismatch',
      message: 'The private key is not the one of this peer: with this file nobody connects.',
    })
  if (replaced !== null)
    warnings.push({
      code: 'server_key_changed',
      message: `The server had the key ${replaced.public_key} before. Files that were made then connect no more; if nobody changed it, somebody else may answer there.`,
    })
  if (peer.has_preshared_key && preshared_key === null)
    warnings.push({
      code: 'preshared_key_missing',
      message: `The peer has a preshared key, which the gateway does not tell: put it in the place of ${PRESHARED_KEY_PLACE}.`,
    })
  if (status !== 'ok')
    warnings.push({ code: 'stale', message: `What the gateway says is not known as of now: ${detail}` })
  return warnings
}
