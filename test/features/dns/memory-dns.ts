/** Name servers in memory: what each answers stands in a table, and what stands nowhere is silence. */
import type {
  DnsLookup,
  DnsQuery,
  DnsRecord,
  DnsReply,
  DnsServer,
} from '../../../src/features/dns/lookup/port.ts'

/** By `address`, then by `name type`. */
export type World = Record<string, Record<string, DnsReply>>

export interface MemoryDns extends DnsLookup {
  /** `192.0.2.1 app.example.com A`, with a `+` at the end where recursion was asked for, in order. */
  readonly asked: string[]
  world: World
  /** Where a test wants to hold questions up. */
  gate: (query: DnsQuery) => Promise<void>
}

export function memoryDns(world: World): MemoryDns {
  const dns: MemoryDns = {
    asked: [],
    world,
    gate: async () => undefined,
    async ask(query) {
      const { server, name, type, recursion, signal } = query
      signal.throwIfAborted()
      dns.asked.push(`${server.address} ${name} ${type}${recursion ? '+' : ''}`)
      await dns.gate(query)
      signal.throwIfAborted()
      return dns.world[server.address]?.[`${name} ${type}`] ?? silence(server)
    },
  }
  return dns
}

export const at = (address: string): DnsServer => ({ address, port: 53 })

const silence = ({ address }: DnsServer): DnsReply => ({
  ok: false,
  reason: 'silent',
  detail: `${address} is silent`,
})

export const failure = (reason: 'silent' | 'unreachable' | 'no_route' | 'malformed'): DnsReply => ({
  ok: false,
  reason,
  detail: reason,
})

type Sections = Partial<Omit<Extract<DnsReply, { ok: true }>, 'ok'>>

export const reply = (sections: Sections = {}): DnsReply => ({
  ok: true,
  rcode: 'NOERROR',
  authoritative: false,
  answers: [],
  authority: [],
  additional: [],
  ...sections,
})

/** With authority. */
export const own = (answers: readonly DnsRecord[], sections: Sections = {}): DnsReply =>
  reply({ authoritative: true, answers, ...sections })

/** `record('app.example.com', 'A', '192.0.2.1')` */
export const record = (name: string, type: DnsRecord['type'], value: string, ttl = 300): DnsRecord => ({
  name,
  type,
  ttl,
  value,
})
