/** A zone with its target on the bench: a provider and a ledger in memory, and passes as the engine makes them. */
import type { Obstacle, Repair } from '../../../../src/engine/target.ts'
import type { Clock } from '../../../../src/kernel/clock.ts'
import { silentLog } from '../../../../src/kernel/log.ts'
import type { OwnedRrset } from '../../../../src/model/network/dns.ts'
import type { ServedRecords } from '../../../../src/features/dns/target/served-records.ts'
import type { DnsDesired } from '../../../../src/features/dns/target/desire.ts'
import { type DnsFamily, dnsFamily } from '../../../../src/features/dns/target/family.ts'
import { markText, withoutNumber } from '../../../../src/features/dns/target/marks/marker.ts'
import type { DnsTarget } from '../../../../src/features/dns/target/parts.ts'
import { ZoneIndex } from '../../../../src/features/dns/target/zones/zone-index.ts'
import { ZoneLock } from '../../../../src/features/dns/target/zones/zone-lock.ts'
import type { ZoneState } from '../../../../src/features/dns/target/zones/zone-state.ts'
import { MemoryLedger } from './memory-ledger.ts'
import { MemoryProvider, zoneOf } from './memory-provider.ts'
import type { ProfileName } from './profiles.ts'
import { someSettings } from './rows.ts'

export const ZONE = 'example.com'
export const INSTALLATION = '0b4f5d3c-7a52-4c1e-9a56-1f0f6a3f2d11'
export const OTHER = 'ffffffff-7a52-4c1e-9a56-1f0f6a3f2d11'

export const mark = (domain_id: number): string => markText(INSTALLATION, domain_id)

/** How far the database is after so many changes. */
export const stampAt = (number: number, installation_id = INSTALLATION) => ({
  installation_id,
  number,
  mark: number.toString(16).padStart(16, '0'),
})

export interface Bench {
  readonly provider: MemoryProvider
  readonly ledger: MemoryLedger
  readonly zone_index: ZoneIndex
  readonly target: DnsTarget
  readonly family: DnsFamily
  readonly clock: { at: number }
  /** Lets whoever sleeps find that the clock has moved. */
  readonly wake: () => void
  look(): Promise<ZoneState>
  /** Looks, repairs, looks again. Throws what `apply` throws. */
  pass(desired: DnsDesired, signal?: AbortSignal, ends_at?: number): Promise<PassReport>
}

export interface PassReport {
  readonly known: boolean
  /** `create A app.example.com`. */
  readonly deeds: readonly string[]
  readonly repairs: readonly Repair[]
  readonly obstacles: readonly Obstacle[]
  /** Differences that remain. */
  readonly left: number
}

export function benchWith(
  provider: MemoryProvider,
  zones = [zoneOf(ZONE)],
  served: ServedRecords | null = null,
): Bench {
  const ledger = new MemoryLedger()
  const clock = { at: 1_000_000 }
  const sleepers = new Set<() => void>()
  let changes = 0
  const zone_index = new ZoneIndex(
    provider.traits.makes_zones ? { account: provider.account, only: [] } : null,
  )
  zone_index.setZones(zones)
  const family = dnsFamily({
    providers: [provider],
    settings: someSettings(),
    store: ledger,
    installation_id: INSTALLATION,
    worldStamp: async () => stampAt(++changes),
    zone_index,
    lock: new ZoneLock(),
    served,
    clock: { now: () => clock.at, elapsed: () => clock.at, sleep: sleeping(clock, sleepers) },
    log: silentLog,
  })
  const target = family.target(ZONE)
  const never = new AbortController().signal
  const look = async (): Promise<ZoneState> => {
    const observation = await target.observe(never)
    if (!observation.known) throw new Error(observation.detail)
    return observation.state
  }
  return {
    provider,
    ledger,
    zone_index,
    target,
    family,
    clock,
    wake: () => [...sleepers].forEach((wake) => wake()),
    look,
    async pass(desired, signal = never, ends_at) {
      const nothing = { known: false, deeds: [], repairs: [], obstacles: [], left: 0 }
      const observation = await target.observe(signal, PASS)
      if (!observation.known) return nothing
      const differences = target.diff(desired, observation.state)
      const deeds = differences.map(({ verb, item }) => `${verb} ${item}`)
      const repairs = await target.apply(differences, desired, {
        signal,
        evidence: false,
        ...(ends_at && { ends_at }),
      })
      const after = await target.observe(signal, PASS)
      if (!after.known) return { ...nothing, deeds, repairs }
      const obstacles = target.obstacles!(desired, after.state)
      return { known: true, deeds, repairs, obstacles, left: target.diff(desired, after.state).length }
    },
  }
}

const PASS = { afresh: false, is_pass: true } as const

export const bench = (profile: ProfileName = 'powerdns_like'): Bench => benchWith(new MemoryProvider(profile))

function sleeping(clock: { at: number }, sleepers: Set<() => void>): Clock['sleep'] {
  return (ms, signal) =>
    new Promise((resolve, reject) => {
      const due = clock.at + ms
      const wake = () => {
        if (clock.at < due) return
        sleepers.delete(wake)
        resolve()
      }
      sleepers.add(wake)
      const leave = () => {
        sleepers.delete(wake)
        reject(signal?.reason as Error)
      }
      signal?.addEventListener('abort', leave, { once: true })
    })
}

/** A row of the ledger. */
export const owned = (over: Partial<OwnedRrset> = {}): OwnedRrset => ({
  account: 'default',
  zone: ZONE,
  name: 'app.example.com',
  type: 'A',
  domain_id: 1,
  state: 'owned',
  ttl: 300,
  values: ['192.0.2.1'],
  proxied: null,
  ids: [],
  sent_at: 1,
  ...over,
})

const unnumbered = (text: string): string => withoutNumber(text, INSTALLATION)

/** The zone, its marks without their numbers, as short lines: `app.example.com A 192.0.2.1 300 #comment`. */
export const lines = ({ provider }: Bench): string[] =>
  [...provider.now().values()]
    .map(({ name, type, values, ttl, comment, proxied }) =>
      [
        name,
        type,
        values.map(unnumbered).join(','),
        ttl ?? 'auto',
        proxied === true ? 'proxied' : '',
        comment === null ? '' : `#${unnumbered(comment)}`,
      ]
        .filter((part) => part !== '')
        .join(' '),
    )
    .sort()
