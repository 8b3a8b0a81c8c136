/**
 * One site: what its gateway said last, kept for a minute. Many who ask at once cost one login. A read that fails keeps what was
 * there before it, marked as old.
 */
import { SingleFlight } from '../../kernel/async/single-flight.ts'
import type { Clock, Instant, Milliseconds } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Store } from '../../ports/store.ts'
import type { Gateway, GatewayAnswer } from './gateway-port.ts'
import { type GatewayInterface, readExport } from './model/export.ts'
import { byClock, chooseServer } from './model/server.ts'
import { type GatewayRow, vpnRecords } from './records.ts'
import type { SiteSettings } from './settings.ts'

export const SITE_STATES = ['ok', 'stale', 'unreachable', 'refused', 'unreadable', 'not_configured'] as const
type SiteStatus = (typeof SITE_STATES)[number]

export interface SiteState {
  readonly site: SiteSettings
  readonly status: SiteStatus
  /** In words, with what would help; null where all is well. */
  readonly detail: string | null
  /** What was read last; null before the first time. */
  readonly server: GatewayInterface | null
  readonly read_at: Instant | null
  readonly age_ms: Milliseconds | null
  /** How its host key is known. */
  readonly host_key: 'pinned' | 'first_use' | null
  /** Its server had another key before. */
  readonly replaced: { readonly public_key: string; readonly at: Instant } | null
  /** Bytes a second of each peer between the last two reads, by its key. */
  readonly rates: ReadonlyMap<string, Rate>
}

export interface Rate {
  readonly rx: number
  readonly tx: number
}

const KEPT_MS: Milliseconds = 60_000
/** So long everybody who takes a file hears that the server has another key than before. */
const NEWS_MS: Milliseconds = 7 * 86_400_000

interface SiteParts {
  readonly clock: Clock
  readonly log: Log
  readonly store: Store
  /** Null: there is nothing to read. */
  readonly gateway: Gateway | null
}

interface Read {
  readonly server: GatewayInterface
  readonly at: Instant
  readonly elapsed: Milliseconds
}

interface Unread {
  readonly status: 'unreachable' | 'refused' | 'unreadable'
  readonly detail: string
}

export class Site {
  readonly settings: SiteSettings
  readonly #parts: SiteParts
  readonly #reading: SingleFlight<void>
  readonly #ended = new AbortController()
  #last: Read | null = null
  #rates: ReadonlyMap<string, Rate> = new Map()
  #unread: Unread | null = null
  #row: GatewayRow | null = null
  /** That the key runs nothing but the export is made sure once a process. */
  #is_proven = false
  /** On the monotonic clock. */
  #tried_at: Milliseconds = -Infinity

  constructor(settings: SiteSettings, parts: SiteParts) {
    this.settings = settings
    this.#parts = parts
    this.#reading = new SingleFlight(() => this.#read())
  }

  get isConfigured(): boolean {
    return this.#parts.gateway !== null
  }

  /** As it was read last; nobody is asked. */
  known(): SiteState {
    return this.#state()
  }

  /** Not older than a minute, as far as the gateway can be read. Waits for it only where there is nothing else to tell. */
  async state(): Promise<SiteState> {
    if (this.#parts.gateway !== null && this.#parts.clock.elapsed() - this.#tried_at >= KEPT_MS) {
      const reading = this.#reading.join()
      // A gateway that did not answer the last time may hold up nobody: its list is told as it is, and marked.
      if (this.#last === null || this.#unread === null) await reading
    }
    return this.#state()
  }

  /** Reads the gateway now. */
  async sync(): Promise<SiteState> {
    if (this.#parts.gateway !== null) await this.#reading.join()
    return this.#state()
  }

  async close(): Promise<void> {
    this.#ended.abort(new Error('The service ends.'))
    await this.#reading.running?.catch(() => undefined)
  }

  #state(): SiteState {
    const { clock, gateway } = this.#parts
    const { settings: site } = this
    const last = this.#last
    return {
      site,
      ...(gateway === null ? { status: 'not_configured', detail: site.unset } : this.#status()),
      server: last?.server ?? null,
      read_at: last?.at ?? null,
      age_ms: last === null ? null : clock.elapsed() - last.elapsed,
      host_key: this.#hostKey(),
      replaced: this.#replaced(),
      rates: this.#rates,
    }
  }

  #hostKey(): SiteState['host_key'] {
    if (this.#parts.gateway === null) return null
    if (this.settings.host_keys.length > 0) return 'pinned'
    return this.#row === null ? null : 'first_use'
  }

  /** For as long as it is news. */
  #replaced(): SiteState['replaced'] {
    const at = this.#row?.replaced_at ?? null
    const public_key = this.#row?.replaced_public_key ?? null
    const is_news = at !== null && this.#parts.clock.now() - at < NEWS_MS
    return is_news && public_key !== null ? { public_key, at } : null
  }

  #status(): Pick<SiteState, 'status' | 'detail'> {
    const unread = this.#unread
    if (unread === null) return this.#last === null ? NOT_READ : { status: 'ok', detail: null }
    // Whoever stands there with another key is no old news.
    return this.#last === null || unread.status === 'refused'
      ? unread
      : { status: 'stale', detail: unread.detail }
  }

  async #read(): Promise<void> {
    const { gateway, clock, log } = this.#parts
    if (gateway === null) return
    try {
      const answer = await gateway.read(await this.#knownHost(), !this.#is_proven, this.#ended.signal)
      this.#unread = answer.known ? await this.#taken(answer) : answer
    } catch (error) {
      if (this.#ended.signal.aborted) return
      log.warn('vpn gateway not read', { site: this.settings.id, error })
      this.#unread = { status: 'unreadable', detail: 'Reading it failed here; the log says why.' }
    } finally {
      this.#tried_at = clock.elapsed()
    }
  }

  async #knownHost() {
    this.#row ??= await this.#parts.store.of(vpnRecords).vpnGateway(this.settings.id)
    if (this.#row !== null && this.#row.place !== this.#place) this.#row = null
    return { pins: this.settings.host_keys, first: this.#row?.host_key ?? null }
  }

  get #place(): string {
    const { host, port } = this.settings.gateway!
    return `${host}:${port}`
  }

  /** What is wrong with an answer; null where it was taken. */
  async #taken({ text, first_key }: GatewayAnswer & { readonly known: true }): Promise<Unread | null> {
    const { id, interface: wanted } = this.settings
    const read = readExport(text)
    if (!read.ok) return unreadable(read.fault)
    const chosen = chooseServer(read.value, wanted, `UCG_${id.toUpperCase()}_INTERFACE`)
    if (!chosen.ok) return unreadable(chosen.fault)
    await this.#remember(chosen.server, first_key)
    const { clock } = this.#parts
    const at = clock.now()
    const server = byClock(chosen.server, read.value.generated_at, at / 1000)
    const now: Read = { server, at, elapsed: clock.elapsed() }
    if (this.#last !== null) this.#rates = ratesBetween(this.#last, now)
    this.#last = now
    this.#is_proven = true
    return null
  }

  /** Writes only what is new. */
  async #remember({ public_key }: GatewayInterface, first_key: string | null): Promise<void> {
    const { store, clock, log } = this.#parts
    const before = this.#row
    const known = before?.server_public_key ?? null
    const is_replaced = known !== null && public_key !== null && known !== public_key
    const row: GatewayRow = {
      site_id: this.settings.id,
      place: this.#place,
      host_key: this.settings.host_keys.length > 0 ? null : (first_key ?? before?.host_key ?? null),
      server_public_key: public_key ?? known,
      replaced_public_key: is_replaced ? known : (before?.replaced_public_key ?? null),
      replaced_at: is_replaced ? clock.now() : (before?.replaced_at ?? null),
    }
    if (is_replaced)
      log.warn('vpn server has another key', { site: row.site_id, before: known, now: public_key })
    if (JSON.stringify(row) !== JSON.stringify(before))
      await store.write((tx) => tx.of(vpnRecords).saveVpnGateway(row))
    this.#row = row
  }
}

const NOT_READ = { status: 'unreachable', detail: 'It was not read yet.' } as const

const unreadable = (detail: string): Unread => ({ status: 'unreadable', detail })

/** A counter that went back began anew: what came since is not known. */
function ratesBetween(before: Read, now: Read): ReadonlyMap<string, Rate> {
  const seconds = (now.elapsed - before.elapsed) / 1000
  const earlier = new Map(before.server.peers.map((peer) => [peer.public_key, peer]))
  const rates = new Map<string, Rate>()
  for (const { public_key, transfer_rx, transfer_tx } of now.server.peers) {
    const peer = earlier.get(public_key)
    if (peer === undefined || seconds <= 0) continue
    const [rx, tx] = [transfer_rx - peer.transfer_rx, transfer_tx - peer.transfer_tx]
    if (rx >= 0 && tx >= 0)
      rates.set(public_key, { rx: Math.round(rx / seconds), tx: Math.round(tx / seconds) })
  }
  return rates
}
