/** Hosted providers behind their strict fakes, with the truth beside them, for campaigns in which the wire goes wrong. */
import { cloudflareProvider } from '../../../src/features/dns/providers/cloudflare/provider.ts'
import { desecProvider } from '../../../src/features/dns/providers/desec/provider.ts'
import { hetznerProvider } from '../../../src/features/dns/providers/hetzner/provider.ts'
import { PowerDnsProvider } from '../../../src/features/dns/providers/powerdns/provider.ts'
import { type Clock, systemClock } from '../../../src/kernel/clock.ts'
import { Secret } from '../../../src/kernel/secret.ts'
import type { Rrset } from '../../../src/model/network/dns.ts'
import type { DnsProvider } from '../../../src/features/dns/providers/port.ts'
import type { HttpClient } from '../../../src/ports/http-client.ts'
import { presentation } from '../../contract/dns-provider/presentation.ts'
import { startFakeCloudflare } from '../../fakes/dns/cloudflare.ts'
import { startFakeDesec } from '../../fakes/dns/desec.ts'
import type { Asked, FakeServer } from '../../fakes/dns/fake-server.ts'
import { edited, type Fault, otherZone } from '../../fakes/dns/faults.ts'
import { startFakeHetzner } from '../../fakes/dns/hetzner.ts'
import { startFakePowerDns } from './fake-powerdns.ts'

export const ZONE = 'example.org'

/** One thing that stands at the provider: a set, or a single record where it has no sets. */
export interface Standing {
  readonly name: string
  readonly type: string
  /** As on the wire. */
  readonly values: readonly string[]
  /** The comment beside it, null for none. */
  readonly comment: string | null
}

export interface Hosted {
  readonly fake: FakeServer
  readonly provider: DnsProvider
  /** What really stands there. An entry that was not touched is the same object under the same key. */
  readonly state: () => ReadonlyMap<string, object>
  readonly shown: (entry: object) => Standing
  /** Puts a set there as a stranger would. */
  readonly add: (rrset: Pick<Rrset, 'name' | 'type' | 'values'>) => void
}

export interface HostedKind {
  readonly kind: string
  /** The member of a page that holds the entries; null when the page is the list. */
  readonly list: string | null
  /** So many entries of strangers make a listing of more than one page. */
  readonly large: number
  /** True where the API counts, so that no client need take a page with a hole for a whole one. */
  readonly counts: boolean
  /** False where a listing is one text. */
  readonly has_pages: boolean
  /** A read of the whole zone: nothing is ever taken away by what a question about a part of it says. */
  readonly isListing: (asked: Asked) => boolean
  /** Another zone's records come in place of this one's. */
  readonly otherZone: Fault
  readonly open: (http: HttpClient) => Promise<Hosted>
}

/** Waiting for something to happen at the provider costs no time. */
const clock: Clock = { ...systemClock, sleep: async () => undefined }
const isWhole = ({ method, query }: Asked, ...filters: readonly string[]): boolean =>
  method === 'GET' && !filters.some((filter) => query.has(filter))
const relative = (name: string, apex: string): string =>
  name === ZONE ? apex : name.slice(0, -ZONE.length - 1)
const absolute = (name: string): string => (name === '' || name === '@' ? ZONE : `${name}.${ZONE}`)
const account = 'default'
const otherNames = otherZone(ZONE, 'example.net')
/** Names are relative at Hetzner: a set says by a number whose it is. */
const otherNumber = edited(
  (json) => JSON.parse(JSON.stringify(json).replaceAll('"zone":4711', '"zone":4712')) as unknown,
)

export const HOSTED: readonly HostedKind[] = [
  {
    kind: 'cloudflare',
    otherZone: otherNames,
    list: 'result',
    large: 1010,
    counts: true,
    has_pages: true,
    isListing: (asked) => isWhole(asked, 'name.exact') && asked.path.endsWith('/dns_records'),
    async open(http) {
      const fake = await startFakeCloudflare([ZONE])
      return {
        fake,
        provider: cloudflareProvider({ account, token: new Secret(fake.token), http, base: fake.base }),
        state: () => fake.records,
        shown: (entry) => {
          const { name, type, content, comment } = entry as ReturnType<(typeof fake.records)['get']> & object
          return { name, type, values: [content], comment }
        },
        add: ({ name, type, values }) => {
          for (const value of values) fake.add(ZONE, { name, type, content: presentation(type, value) })
        },
      }
    },
  },
  {
    kind: 'hetzner',
    otherZone: otherNumber,
    list: 'rrsets',
    large: 60,
    counts: true,
    has_pages: true,
    isListing: (asked) => isWhole(asked, 'name', 'type') && asked.path.endsWith('/rrsets'),
    async open(http) {
      const fake = await startFakeHetzner([ZONE])
      const { rrsets } = fake.zones[0]!
      return {
        fake,
        provider: hetznerProvider({ account, token: new Secret(fake.token), http, clock, base: fake.base }),
        state: () => rrsets,
        shown: (entry) => {
          const { name, type, records } = entry as ReturnType<(typeof rrsets)['get']> & object
          const values = records.map(({ value }) => value)
          return { name: absolute(name), type, values, comment: records[0]?.comment || null }
        },
        add: ({ name, type, values }) => {
          const records = values.map((value) => ({ value: presentation(type, value), comment: '' }))
          fake.add(ZONE, { name: relative(name, '@'), type, ttl: 3600, records })
        },
      }
    },
  },
  {
    kind: 'desec',
    otherZone: otherNames,
    list: null,
    large: 510,
    counts: false,
    has_pages: true,
    isListing: (asked) => isWhole(asked, 'subname', 'type') && asked.path.endsWith('/rrsets/'),
    async open(http) {
      const fake = await startFakeDesec([ZONE])
      const { rrsets } = fake.domains[0]!
      return {
        fake,
        provider: desecProvider({ account, token: new Secret(fake.token), http, base: fake.base }),
        state: () => rrsets,
        shown: (entry) => {
          const { subname, type, records } = entry as ReturnType<(typeof rrsets)['get']> & object
          return { name: absolute(subname), type, values: records, comment: null }
        },
        add: ({ name, type, values }) => {
          const records = values.map((value) => presentation(type, value))
          fake.add(ZONE, { subname: relative(name, ''), type, ttl: 3600, records })
        },
      }
    },
  },
  {
    kind: 'powerdns',
    otherZone: otherNames,
    list: 'rrsets',
    large: 60,
    counts: false,
    has_pages: false,
    isListing: (asked) => isWhole(asked, 'rrsets', 'rrset_name') && asked.path.endsWith(`/zones/${ZONE}.`),
    async open(http) {
      const fake = await startFakePowerDns(ZONE)
      const api_key = new Secret(fake.token)
      return {
        fake,
        provider: new PowerDnsProvider({ account, url: fake.origin, api_key, http }),
        state: () => fake.rrsets,
        shown: (entry) => {
          const { name, type, records, comments } = entry as ReturnType<(typeof fake.rrsets)['get']> & object
          const values = records.map(({ content }) => content)
          return { name: name.slice(0, -1), type, values, comment: comments[0]?.content ?? null }
        },
        add: ({ name, type, values }) => {
          const records = values.map((value) => ({ content: presentation(type, value), disabled: false }))
          fake.add({ name: `${name}.`, type, records })
        },
      }
    },
  },
]
