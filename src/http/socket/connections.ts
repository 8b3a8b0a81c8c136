/**
 * Who holds the places of a server. Nobody has more than a share, nobody keeps a place without using it, and when all are
 * taken the one who holds most gives back what is idle longest, or has sent half of a request longest ago.
 */
import type { Socket } from 'node:net'
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { canonicalAddress } from '../../model/network/address.ts'
import { Connection } from './connection.ts'
import { holderOf } from './holder.ts'

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
    if (!exempt && held >= limits.connections_per_address) return null
    if (this.#open.size >= limits.connections && !this.#makeRoom(held)) return null
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

  /** Of holders that have at least as many as the newcomer: what is idle longest, else what has owed its body longest. */
  #makeRoom(newcomers: number): boolean {
    const found =
      this.#leastUsed(newcomers, ({ quietSince }) => quietSince) ??
      this.#leastUsed(newcomers, ({ bodyOwedSince }) => bodyOwedSince)
    if (found === null) return false
    this.#leave(found)
    found.socket.destroy()
    return true
  }

  /** Of the holder with most; @param sinceOf null for what is in use. */
  #leastUsed(newcomers: number, sinceOf: (one: Connection) => Milliseconds | null): Connection | null {
    let found: { one: Connection; held: number; since_ms: Milliseconds } | null = null
    for (const one of this.#open.values()) {
      const since_ms = sinceOf(one)
      const held = this.#held.get(one.holder)!
      if (since_ms === null || held < newcomers) continue
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
