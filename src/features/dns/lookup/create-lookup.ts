/** Asks name servers over UDP, and over TCP where a reply does not fit or cannot be trusted. */
import { systemErrorCode } from '../../../kernel/failure.ts'
import { hostPort } from '../../../model/network/address.ts'
import type { DnsLookup, DnsQuery, DnsReply } from './port.ts'
import { type Exchanged, overTcp, overUdp, type Wait } from './exchange.ts'
import { isAskable, isTruncated, newQuestion } from './question.ts'
import { readReply } from './read-reply.ts'

const TRY_MS = 2000
const TRIES = 2

type Trouble = Extract<DnsReply, { ok: false }>

/** @param try_ms how long one try may take; there are two of them, and TCP after each has the same time. */
export function createLookup({ try_ms = TRY_MS }: { readonly try_ms?: number } = {}): DnsLookup {
  return {
    async ask(query) {
      query.signal.throwIfAborted()
      const { address, port } = query.server
      const where = hostPort(address, port)
      if (!isAskable(query.name)) return { ok: false, reason: 'malformed', detail: 'the name is none' }
      return new Talk(query, where, { signal: query.signal, try_ms }).run()
    },
  }
}

class Talk {
  readonly #query: DnsQuery
  readonly #where: string
  readonly #wait: Wait
  #has_edns = true

  constructor(query: DnsQuery, where: string, wait: Wait) {
    this.#query = query
    this.#where = where
    this.#wait = wait
  }

  async run(): Promise<DnsReply> {
    for (let tries = 1; ; tries++) {
      const reply = await this.#try()
      const may_help = !reply.ok && (reply.reason === 'silent' || reply.reason === 'malformed')
      if (!may_help || tries === TRIES) return reply
    }
  }

  async #try(): Promise<DnsReply> {
    const first = await this.#send(overUdp)
    if (first.kind !== 'reply') return this.#trouble(first, 'UDP')
    if (first.match === 'ours' && !isTruncated(first.bytes)) return this.#read(first.bytes)
    if (first.match === 'no_edns') this.#has_edns = false
    const second = await this.#send(overTcp)
    return second.kind === 'reply' ? this.#read(second.bytes) : this.#trouble(second, 'TCP')
  }

  #send(over: typeof overUdp): Promise<Exchanged> {
    return over(this.#query.server, newQuestion(this.#query, this.#has_edns), this.#wait)
  }

  #read(bytes: Buffer): DnsReply {
    return readReply(bytes) ?? this.#fault('malformed', 'sent a reply that is no DNS message')
  }

  #trouble(exchanged: Exclude<Exchanged, { kind: 'reply' }>, over: 'UDP' | 'TCP'): Trouble {
    if (exchanged.kind === 'error') return this.#unreachable(exchanged.error)
    return exchanged.strange > 0
      ? this.#fault('malformed', `sent over ${over} only replies that are not to the question`)
      : this.#fault('silent', `did not answer over ${over} within ${this.#wait.try_ms / 1000} s`)
  }

  #unreachable(error: unknown): Trouble {
    const code = systemErrorCode(error) ?? 'unknown error'
    return NO_ROUTE.includes(code)
      ? this.#fault('no_route', `cannot be reached from this host (${code})`)
      : this.#fault('unreachable', `cannot be reached (${code})`)
  }

  #fault(reason: Trouble['reason'], what: string): Trouble {
    return { ok: false, reason, detail: `${this.#where} ${what}` }
  }
}

/** This host has no address of the server's family. */
const NO_ROUTE = ['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']
