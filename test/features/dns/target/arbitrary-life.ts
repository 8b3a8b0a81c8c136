/** Random lives of a zone: what stands there before we come, and what happens then. */
import fc from 'fast-check'
import { ZONE } from './bench.ts'
import type { Fault } from './memory-provider.ts'
import { PROFILE_NAMES, type ProfileName } from './profiles.ts'
import type { RowWish } from './rows.ts'

const LABELS = ['', 'a.', 'b.', '*.', '*.b.', 'c.b.', 'd.']
const NAMES = LABELS.map((label) => `${label}${ZONE}`)
const OURS = ['192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2']
export const THEIRS = {
  A: '198.51.100.1',
  AAAA: '2001:db8:ffff::1',
  CNAME: 'x.example.net',
  TXT: 'hello',
  NS: 'ns.example.net',
}
export type TheirType = keyof typeof THEIRS

export type Event =
  | { readonly kind: 'release'; readonly rows: readonly RowWish[]; readonly public_ip: readonly string[] }
  | { readonly kind: 'address'; readonly ipv4: string | null; readonly ipv6: string | null }
  | { readonly kind: 'stranger'; readonly name: string; readonly type: TheirType }
  /** A stranger edits, strips or removes what is there. */
  | { readonly kind: 'tamper'; readonly pick: number; readonly how: 'edit' | 'unmark' | 'remove' | 'ttl' }
  /** A person says that an orphan is to go. */
  | { readonly kind: 'told'; readonly pick: number }
  | { readonly kind: 'pass'; readonly faults: readonly (Fault | 'power_cut' | null)[] }

export interface Life {
  readonly profile: ProfileName
  /** What stands there before we come. */
  readonly halves: readonly Half[]
  readonly events: readonly Event[]
}

export interface Half {
  readonly name: string
  readonly what: 'sending_absent' | 'sending_there' | 'mark_only' | 'orphan' | 'other' | 'foreign' | 'blocked'
}

const aName = fc.constantFrom(...NAMES)

const someRows: fc.Arbitrary<RowWish[]> = fc
  .uniqueArray(
    fc.record({
      domain_id: fc.integer({ min: 1, max: 9 }),
      domain: aName,
      state: fc.constantFrom('live', 'live', 'live', 'kept', 'retired'),
      static_ip: fc.option(fc.constantFrom(...OURS), { freq: 3 }),
      ddns_enabled: fc.boolean(),
      dns_ttl: fc.option(fc.constantFrom(30, 600, 86_400)),
      dns_proxied: fc.option(fc.boolean()),
      service_type: fc.constantFrom('http' as const, 'http' as const, 'http' as const, 'internal' as const),
    }),
    { selector: ({ domain_id }) => domain_id, maxLength: 7 },
  )
  .map((rows) => {
    const taken = new Set<string>()
    return rows.flatMap(({ state, ...row }) => {
      const retired = state === 'retired'
      if (!retired && taken.has(row.domain)) return []
      if (!retired) taken.add(row.domain)
      return [{ ...row, retired, live: state === 'live' }]
    })
  })

const anEvent = (faults: fc.Arbitrary<Fault | 'power_cut' | null>): fc.Arbitrary<Event> =>
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('release' as const),
        rows: someRows,
        public_ip: fc.subarray(OURS),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('address' as const),
        ipv4: fc.option(fc.constantFrom('192.0.2.8', '192.0.2.9')),
        ipv6: fc.option(fc.constant('2001:db8::9')),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('stranger' as const),
        name: aName,
        type: fc.constantFrom(...(Object.keys(THEIRS) as TheirType[])),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('tamper' as const),
        pick: fc.nat(),
        how: fc.constantFrom('edit' as const, 'unmark' as const, 'remove' as const, 'ttl' as const),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('told' as const), pick: fc.nat() }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('pass' as const),
        faults: fc.array(faults, { minLength: 1, maxLength: 6 }),
      }),
    },
  )

const aFault: fc.Arbitrary<Fault | 'power_cut' | null> = fc.constantFrom(
  null,
  'unavailable',
  'busy',
  'credentials',
  'refused',
  'applied_then_unavailable',
  'applied_then_aborted',
  'half_then_unavailable',
  'half_told',
  'stale',
  'power_cut',
)

export const aLife: fc.Arbitrary<Life> = fc.record({
  profile: fc.constantFrom(...PROFILE_NAMES),
  halves: fc.uniqueArray(
    fc.record({
      name: aName,
      what: fc.constantFrom(
        'sending_absent' as const,
        'sending_there' as const,
        'mark_only' as const,
        'orphan' as const,
        'other' as const,
        'foreign' as const,
        'blocked' as const,
      ),
    }),
    { selector: ({ name }) => name, maxLength: 4 },
  ),
  events: fc.array(anEvent(aFault), { minLength: 4, maxLength: 14 }),
})
