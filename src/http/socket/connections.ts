/**
 * Who holds the places of a server. Nobody has more than a share, nobody keeps a place without using it, and when all are
 * taken the one who holds most gives back what is idle longest, or has sent half of a request longest ago. Whoever has all of
 * a share gives that back of their own: behind one address there may be many, of whom one keeps places and does nothing.
 */
import type { ServerResponse } from 'node:http'
import { isIP, type Socket } from 'node:net'
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { canonicalAddress } from '../../model/network/address.ts'
import { clientNetwork } from '../../model/network/client-network.ts'

export interface ConnectionLimits {
  readonly connections: number
  readonly connections_per_address: number
  /** How long an idle connection is kept for a next request. */
  readonly keep_alive_ms: Milliseconds
  /** How long a client may take nothing of what is written to it. */
  readonly unread_ms: Milliseconds
}

export interface ConnectionParts {
  readonly limits: ConnectionLimits
  /** Addresses that speak for many clients: trusted proxies. */
  readonly isExempt: (address: string) => boolean
  readonly clock: Clock
}

export class Connections {
  readonly #parts: ConnectionParts
  readonly #open = new Map<Socket, Connection>()
  readonly #held = new Map<string, number>()

  constructor(parts: ConnectionParts) {
    this.#parts = parts
  }

  /** Null where there is no place: whoever called is to be let go. */
  enter(socket: Socket): Connection | null {
    const { limits, isExempt, clock } = this.#parts
    const peer = socket.remoteAddress ?? ''
    const address = canonicalAddress(peer) ?? ''
    const exempt = isExempt(address)
    // A proxy among the neighbours neither counts as one of them nor uses up their share.
    const holder = exempt ? `proxy ${address}` : holderOf(peer)
    const held = this.#held.get(holder) ?? 0
    if (!exempt && held >= limits.connections_per_address && !this.#evict((one) => one.holder === holder))
      return null
    if (this.#open.size >= limits.connections && !this.#evict((one) => this.#held.get(one.holder)! >= held))
      return null
    const connection = new Connection(socket, holder, clock.elapsed())
    this.#open.set(socket, connection)
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + 1)
    socket.once('close', () => this.#leave(connection))
    return connection
  }

  /** Closes what is idle for too long and what takes nothing of its answer. */
  sweep(): void {
    const { limits, clock } = this.#parts
    const now_ms = clock.elapsed()
    for (const connection of this.#open.values())
      if (connection.isIdle(limits.keep_alive_ms, now_ms) || connection.isStalled(limits.unread_ms, now_ms))
        connection.socket.destroy()
  }

  get(socket: Socket): Connection | null {
    return this.#open.get(socket) ?? null
  }

  /** Of those that may give way: what is idle longest, else what has owed its body longest. */
  #evict(mayGiveWay: (one: Connection) => boolean): boolean {
    const those = [...this.#open.values()].filter(mayGiveWay)
    const found =
      this.#leastUsed(those, ({ quietSince }) => quietSince) ??
      this.#leastUsed(those, ({ bodyOwedSince }) => bodyOwedSince)
    if (found === null) return false
    this.#leave(found)
    found.socket.destroy()
    return true
  }

  /** Of the holder with most; @param sinceOf null for what is in use. */
  #leastUsed(
    those: readonly Connection[],
    sinceOf: (one: Connection) => Milliseconds | null,
  ): Connection | null {
    let found: { one: Connection; held: number; since_ms: Milliseconds } | null = null
    for (const one of those) {
      const since_ms = sinceOf(one)
      if (since_ms === null) continue
      const held = this.#held.get(one.holder)!
      const is_better =
        found === null || held > found.held || (held === found.held && since_ms < found.since_ms)
      if (is_better) found = { one, held, since_ms }
    }
    return found?.one ?? null
  }

  /** Once, whoever comes first: its end, or whoever needed the place. */
  #leave(connection: Connection): void {
    if (!this.#open.delete(connection.socket)) return
    const left = this.#held.get(connection.holder)! - 1
    if (left > 0) this.#held.set(connection.holder, left)
    else this.#held.delete(connection.holder)
  }
}

// Whose connections are counted together, so that one client cannot take the places of all others.

/** One subscriber: an IPv4 address, or the /64 of an IPv6 address. One host: all of its loopback addresses. */
export function holderOf(address: string): string {
  const canonical = canonicalAddress(address.split('%', 1)[0]!) ?? address
  if (isIP(canonical) === 4 && canonical.startsWith('127.')) return '127.0.0.0/8'
  if (isIP(canonical) !== 6) return canonical
  return `${clientNetwork(canonical)}::/64`
}

/** One connection: the answers that it is owed, since when it is quiet, and whether what was written is taken. */
class Connection {
  readonly socket: Socket
  /** Whose connections are counted together. */
  readonly holder: string
  /** Told when an answer is done. */
  onSettled: () => void = () => undefined
  /** In the order of their requests: only of the first may anything be on the wire. */
  readonly #owed = new Set<ServerResponse>()
  #asked = false
  #asked_at_ms: Milliseconds = 0
  #quiet_since_ms: Milliseconds
  #taken_bytes = 0
  #taken_at_ms: Milliseconds

  constructor(socket: Socket, holder: string, now_ms: Milliseconds) {
    this.socket = socket
    this.holder = holder
    this.#quiet_since_ms = now_ms
    this.#taken_at_ms = now_ms
  }

  /** How many requests are not answered yet. */
  get owed(): number {
    return this.#owed.size
  }

  /** Since when the body of what it asked is not all there; null while it owes nothing, and once it is answered. */
  get bodyOwedSince(): Milliseconds | null {
    const [first] = this.#owed
    return first === undefined || first.req.complete || first.headersSent ? null : this.#asked_at_ms
  }

  /** Whether the answer that is due has begun: nothing else may be written then. */
  get answering(): boolean {
    const [first] = this.#owed
    return first?.headersSent === true
  }

  owe(answer: ServerResponse, now_ms: Milliseconds): void {
    this.#asked = true
    if (this.#owed.size === 0) this.#asked_at_ms = now_ms
    this.#owed.add(answer)
  }

  /** Finished, or given up. */
  settle(answer: ServerResponse, now_ms: Milliseconds): void {
    this.#owed.delete(answer)
    this.#quiet_since_ms = now_ms
    this.onSettled()
  }

  /** Since when it is owed nothing; null while it is owed something. */
  get quietSince(): Milliseconds | null {
    return this.#owed.size === 0 ? this.#quiet_since_ms : null
  }

  /** Only a request counts, not bytes: empty lines between requests (RFC 9112 §2.2) would keep it for ever. */
  isIdle(keep_ms: Milliseconds, now_ms: Milliseconds): boolean {
    // Before its first request the limit for headers holds, which tells the client why.
    return this.#asked && this.#owed.size === 0 && now_ms - this.#quiet_since_ms >= keep_ms
  }

  /** Whether nothing of what is written has been taken for so long. To be asked again and again: it compares. */
  isStalled(max_ms: Milliseconds, now_ms: Milliseconds): boolean {
    const { bytesWritten, writableLength } = this.socket
    const taken_bytes = bytesWritten - writableLength
    if (writableLength === 0 || taken_bytes !== this.#taken_bytes) {
      this.#taken_bytes = taken_bytes
      this.#taken_at_ms = now_ms
    }
    return now_ms - this.#taken_at_ms >= max_ms
  }
}
