/**
 * Asking one name server one question.
 *
 * Contract: every wait is bounded and ends by the signal, whose reason is thrown. Everything else is an answer: silence,
 * a refused connection and a reply that is none are `ok: false` with words that name the server. A reply counts only when
 * it comes from the address that was asked and repeats the question and its number. Nothing is cached.
 */
export interface DnsServer {
  /** IPv4 or IPv6, canonical. */
  readonly address: string
  readonly port: number
}

export interface DnsQuery {
  readonly server: DnsServer
  /** In the form of `model/network/dns.ts`; empty for the root. */
  readonly name: string
  readonly type: DnsLookupType
  /** True asks a resolver to look further, false asks for what the server itself knows. */
  readonly recursion: boolean
  readonly signal: AbortSignal
}

export type DnsLookupType = 'A' | 'AAAA' | 'CAA' | 'CNAME' | 'NS' | 'SOA' | 'TXT'

export interface DnsLookup {
  ask(query: DnsQuery): Promise<DnsReply>
}

export interface DnsRecord {
  /** In the form of `model/network/dns.ts`; empty for the root. */
  readonly name: string
  readonly type: DnsLookupType | 'DNAME'
  /** Seconds. */
  readonly ttl: number
  /**
   * In the form of `model/network/dns.ts`; of a SOA only the last field, the TTL of negative answers (RFC 2308 §4); of a CAA flags,
   * tag and bare value, `0 issue ca.example`.
   */
  readonly value: string
}

export type DnsReply =
  | {
      readonly ok: true
      /** `NOERROR`, `NXDOMAIN`, `REFUSED` …, or the number as text. */
      readonly rcode: string
      readonly authoritative: boolean
      /** Records of other types are left out. */
      readonly answers: readonly DnsRecord[]
      readonly authority: readonly DnsRecord[]
      readonly additional: readonly DnsRecord[]
    }
  | {
      readonly ok: false
      /** `no_route`: this host has no way to addresses of that family, so nothing is known about the server. */
      readonly reason: 'silent' | 'unreachable' | 'no_route' | 'malformed'
      readonly detail: string
    }
