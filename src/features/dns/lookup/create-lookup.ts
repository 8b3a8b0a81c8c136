/** Asks name servers over UDP, and over TCP where a reply does not fit or cannot be trusted. */
import { createSocket } from 'node:dgram'
import { connect, isIP } from 'node:net'
import dnsPacket from 'dns-packet'
import { systemErrorCode } from '../../../kernel/failure.ts'
import { canonicalAddress, hostPort } from '../../../model/network/address.ts'
import type { DnsLookup, DnsQuery, DnsRecord, DnsReply, DnsServer } from './port.ts'
import { isAskable, isTruncated, type Match, matchOf, newQuestion, type Question } from './question.ts'

const TRY_MS = 2000
const TRIES = 2

type LookupFailure = Extract<DnsReply, { ok: false }>

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
    if (first.kind !== 'reply') return this.#failure(first, 'UDP')
    if (first.match === 'ours' && !isTruncated(first.bytes)) return this.#read(first.bytes)
    if (first.match === 'no_edns') this.#has_edns = false
    const second = await this.#send(overTcp)
    return second.kind === 'reply' ? this.#read(second.bytes) : this.#failure(second, 'TCP')
  }

  #send(over: typeof overUdp): Promise<Exchanged> {
    return over(this.#query.server, newQuestion(this.#query, this.#has_edns), this.#wait)
  }

  #read(bytes: Buffer): DnsReply {
    return readReply(bytes) ?? this.#fault('malformed', 'sent a reply that is no DNS message')
  }

  #failure(exchanged: Exclude<Exchanged, { kind: 'reply' }>, over: 'UDP' | 'TCP'): LookupFailure {
    if (exchanged.kind === 'error') return this.#unreachable(exchanged.error)
    return exchanged.strange > 0
      ? this.#fault('malformed', `sent over ${over} only replies that are not to the question`)
      : this.#fault('silent', `did not answer over ${over} within ${this.#wait.try_ms / 1000} s`)
  }

  #unreachable(error: unknown): LookupFailure {
    const code = systemErrorCode(error) ?? 'unknown error'
    return NO_ROUTE.includes(code)
      ? this.#fault('no_route', `cannot be reached from this host (${code})`)
      : this.#fault('unreachable', `cannot be reached (${code})`)
  }

  #fault(reason: LookupFailure['reason'], what: string): LookupFailure {
    return { ok: false, reason, detail: `${this.#where} ${what}` }
  }
}

/** This host has no address of the server's family. */
const NO_ROUTE = ['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']

// A reply's records in the normal form of the model. Whatever the octets are, this ends and does not throw.

/** RFC 2181 §8: a TTL with the highest bit set is zero. */
const MAX_TTL = 0x7fff_ffff

/** Null for what is no whole message. */
export function readReply(bytes: Buffer): DnsReply | null {
  try {
    const packet = dnsPacket.decode(bytes)
    if (dnsPacket.decode.bytes !== bytes.length) return null
    return {
      ok: true,
      rcode: rcodeOf(bytes, packet),
      authoritative: packet.flag_aa,
      answers: recordsOf(packet.answers),
      authority: recordsOf(packet.authorities),
      additional: recordsOf(packet.additionals),
    }
  } catch {
    return null
  }
}

const RCODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED']

/** With the high bits that EDNS adds (RFC 6891 §6.1.3). */
function rcodeOf(bytes: Buffer, packet: dnsPacket.DecodedPacket): string {
  const edns = packet.additionals?.find((record) => record.type === 'OPT')
  const high = edns?.type === 'OPT' ? edns.extendedRcode : 0
  const rcode = (high << 4) | (bytes.readUInt16BE(2) & 0xf)
  return RCODES[rcode] ?? String(rcode)
}

const recordsOf = (answers: readonly dnsPacket.Answer[] | undefined): DnsRecord[] =>
  (answers ?? []).flatMap((answer) => recordOf(answer) ?? [])

function recordOf(answer: dnsPacket.Answer): DnsRecord | null {
  if (answer.type === 'OPT' || !('ttl' in answer) || answer.class !== 'IN') return null
  const value = valueOf(answer)
  if (value === null) return null
  const ttl = (answer.ttl ?? 0) > MAX_TTL ? 0 : (answer.ttl ?? 0)
  return { name: plainName(answer.name), type: answer.type as DnsRecord['type'], ttl, value }
}

function valueOf(answer: dnsPacket.Answer): string | null {
  if (answer.type === 'A' || answer.type === 'AAAA') return canonicalAddress(answer.data)
  if (answer.type === 'CNAME' || answer.type === 'DNAME' || answer.type === 'NS')
    return plainName(answer.data)
  if (answer.type === 'CAA') return `${answer.data.flags ?? 0} ${answer.data.tag} ${answer.data.value}`
  if (answer.type === 'SOA') return String(answer.data.minimum ?? 0)
  return answer.type === 'TXT' ? [answer.data].flat().map(String).join('') : null
}

const plainName = (name: string): string => (name === '.' ? '' : name.toLowerCase())

// One question to one server, by datagram or by connection, and what came of it. Sockets are gone when the promise settles.

interface Wait {
  readonly signal: AbortSignal
  readonly try_ms: number
}

type Exchanged =
  | { readonly kind: 'reply'; readonly match: Exclude<Match, 'foreign'>; readonly bytes: Buffer }
  /** Nothing that was ours. `strange` replies came that were not to the question. */
  | { readonly kind: 'silent'; readonly strange: number }
  | { readonly kind: 'error'; readonly error: unknown }

/** The socket is connected, so that the system drops what comes from elsewhere. What is not ours is ignored until the time is up. */
function overUdp(server: DnsServer, question: Question, wait: Wait): Promise<Exchanged> {
  const socket = createSocket(isIP(server.address) === 6 ? 'udp6' : 'udp4')
  let strange = 0
  const work = settling(wait, (settle) => {
    socket.on('error', (error) => settle({ kind: 'error', error }))
    socket.on('message', (bytes) => {
      const match = matchOf(question, bytes)
      if (match === 'foreign') strange++
      else settle({ kind: 'reply', match, bytes })
    })
    // A callback given to `connect` would take its errors away from the handler above.
    socket.on('connect', () => socket.send(question.bytes))
    socket.connect(server.port, server.address)
    return () => ({ kind: 'silent', strange })
  })
  return work.finally(() => socket.close())
}

/** RFC 1035 §4.2.2: two octets of length before each message. Any letter case is good here. */
function overTcp(server: DnsServer, question: Question, wait: Wait): Promise<Exchanged> {
  const socket = connect({ host: server.address, port: server.port, noDelay: true })
  let bytes = Buffer.alloc(0)
  const work = settling(wait, (settle) => {
    socket.on('error', (error) => settle({ kind: 'error', error }))
    socket.on('close', () => settle({ kind: 'silent', strange: 0 }))
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      const message = wholeMessage(bytes)
      if (message === null) return
      const match = matchOf(question, message)
      if (match === 'foreign') settle({ kind: 'silent', strange: 1 })
      else settle({ kind: 'reply', match, bytes: message })
    })
    const length = Buffer.alloc(2)
    length.writeUInt16BE(question.bytes.length)
    socket.write(Buffer.concat([length, question.bytes]))
    return () => ({ kind: 'silent', strange: 0 })
  })
  return work.finally(() => socket.destroy())
}

/** At most 64 KiB: that is all that the length can say. */
function wholeMessage(bytes: Buffer): Buffer | null {
  if (bytes.length < 2) return null
  const end = 2 + bytes.readUInt16BE(0)
  return bytes.length < end ? null : bytes.subarray(2, end)
}

type Begin = (settle: (outcome: Exchanged) => void) => () => Exchanged

/** Whatever happens first: an outcome, the end of the time, the signal. */
function settling({ signal, try_ms }: Wait, begin: Begin): Promise<Exchanged> {
  let cleanUp = () => {}
  return new Promise<Exchanged>((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) return abort()
    const late = begin(resolve)
    const timer = setTimeout(() => resolve(late()), try_ms)
    signal.addEventListener('abort', abort, { once: true })
    cleanUp = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  }).finally(() => cleanUp())
}
