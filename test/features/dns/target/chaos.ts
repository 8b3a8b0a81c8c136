/**
 * A zone where everything goes wrong: random records, strangers, half states and misbehaviours of the provider, and the
 * laws that hold through all of it. The laws are kept apart from the code that they judge: they know who made a set from
 * what happened, not from marks.
 */
import { Failure } from '../../../../src/kernel/failure.ts'
import { type ListedRrset, NO_DOMAIN, rrsetKey } from '../../../../src/model/network/dns.ts'
import type { DnsDesired } from '../../../../src/features/dns/target/desire.ts'
import { markName } from '../../../../src/features/dns/target/marks/marker.ts'
import { recordViews } from '../../../../src/features/dns/target/records.ts'
import { type Bench, bench, mark, OTHER, owned, ZONE } from './bench.ts'
import { type Event, type Half, type Life, THEIRS, type TheirType } from './arbitrary-life.ts'
import { PowerCut } from './memory-ledger.ts'
import type { Fault } from './memory-provider.ts'
import type { ProfileName } from './profiles.ts'
import { desiredOf, type RowWish } from './rows.ts'

export interface LifeFigures {
  misbehaviours: number
  passes: number
  deletes: number
  told: number
}

/** Lives it, holding the laws after every event; then lets it come to rest and holds the last ones. */
export async function live({ profile, halves, events }: Life, figures: LifeFigures): Promise<void> {
  const zone = new Chaos(profile, figures)
  for (const half of halves) zone.prepare(half)
  for (const event of events) await zone.happen(event)
  await zone.rest()
}

class Chaos {
  readonly #at: Bench
  readonly #figures: LifeFigures
  /** Sets that were never ours: they must stay as they are, to the last byte. */
  readonly #foreign = new Map<string, ListedRrset>()
  /**
   * Names where somebody changed a set of ours, so that it may look like a stranger's; and those for which a stale
   * listing told that a set is gone, which leaves it behind as an orphan.
   */
  readonly #tampered = new Set<string>()
  /** A stale listing was kept under the present stamp: one pass finds that out, the next one mends it. */
  #misled = false
  #rows: readonly RowWish[] = []
  #desired: DnsDesired = desiredOf([])

  constructor(profile: ProfileName, figures: LifeFigures) {
    this.#at = bench(profile)
    this.#figures = figures
    this.#foreignSet({ name: ZONE, type: 'NS', values: ['ns1.example.net'] })
  }

  prepare({ name, what }: Half): void {
    const { provider, ledger } = this.#at
    const set = { name, type: 'A', values: ['192.0.2.1'] } as const
    const row = owned({ name, state: 'sending', proxied: provider.traits.has_proxy ? false : null })
    const at = markName(name)!
    const comments = (provider.traits.comment_most ?? 0) >= 80
    const marked = (text: string) => (comments ? { comment: text } : {})
    const beside = (text: string) => ({ name: at, type: 'TXT', values: [text] })
    switch (what) {
      case 'sending_absent':
        return ledger.put(row)
      case 'sending_there':
        provider.stranger({ ...set, ...marked(mark(1)) })
        return ledger.put(row)
      case 'mark_only':
        return provider.stranger(beside(mark(1)))
      case 'orphan':
        if (!comments) provider.stranger(beside(mark(1)))
        return this.#foreignSet({ ...set, ...marked(mark(1)) })
      case 'other':
        if (!comments) this.#foreignSet(beside(`plumbline:1:${OTHER}:1`))
        return this.#foreignSet({ ...set, ...marked(`plumbline:1:${OTHER}:1`) })
      case 'foreign':
        return this.#foreignSet(set)
      case 'blocked':
        return this.#foreignSet(beside('v=spf1 -all'))
    }
  }

  async happen(event: Event): Promise<void> {
    switch (event.kind) {
      case 'release':
        this.#rows = event.rows
        this.#desired = desiredOf(event.rows, { public_ip: event.public_ip, hub_host: 'hub.example.net' })
        return
      case 'address':
        this.#at.ledger.reported = [
          { host: 'hub.example.net', ipv4: event.ipv4, ipv6: event.ipv6, changed_at: 1, reported_at: 1 },
        ]
        return
      case 'stranger':
        return this.#strangerMakes(event.name, event.type)
      case 'tamper':
        return this.#tamper(event.pick, event.how)
      case 'told':
        return this.#tell(event.pick)
      case 'pass':
        return this.#pass(event.faults)
    }
  }

  /** Failures stop: within three passes nothing differs, and then nothing is written. */
  async rest(): Promise<void> {
    const { provider, ledger } = this.#at
    await this.#pass([])
    await this.#pass([])
    await this.#pass([])
    const writes = [provider.calls.change, ledger.writes]
    const report = await this.#at.pass(this.#desired)
    hold(report.known && report.deeds.length === 0, `not at rest: ${JSON.stringify(report)}`)
    hold(provider.calls.change === writes[0] && ledger.writes === writes[1], 'something was written at rest')
    const items = report.obstacles.map(({ item }) => item)
    const unclaimed = await this.#unclaimed()
    for (const item of items)
      hold(
        unclaimed.has(item) || this.#isExcused(item.split(' ')[1]!),
        `${item} is ours and is taken for a stranger's`,
      )
    await this.#holdEverythingIsThere(items)
  }

  /** Sets of a family of which a wanted name has no address any more, while it has one of the other: left to a person. */
  async #unclaimed(): Promise<ReadonlySet<string>> {
    const { reported } = await this.#at.look()
    return new Set(
      this.#desired.wanted.flatMap((wanted) => {
        const addresses = addressesOf(wanted, reported)
        const types = new Set(addresses.map((address) => (address.includes(':') ? 'AAAA' : 'A')))
        return types.size === 1 ? [`${types.has('A') ? 'AAAA' : 'A'} ${wanted.name}`] : []
      }),
    )
  }

  /** Every wanted name stands with its addresses, or says why not. */
  async #holdEverythingIsThere(obstacles: readonly string[]): Promise<void> {
    const { provider } = this.#at
    const { reported } = await this.#at.look()
    for (const wanted of this.#desired.wanted) {
      const { name } = wanted
      const expected = addressesOf(wanted, reported)
      for (const type of ['A', 'AAAA']) {
        const values = expected.filter((address) => address.includes(':') === (type === 'AAAA')).toSorted()
        if (values.length === 0 || obstacles.includes(`${type} ${name}`)) continue
        const there = provider.now().get(rrsetKey({ name, type }))?.values
        hold(String(there) === String(values), `${type} ${name} is ${String(there)}, not ${String(values)}`)
      }
    }
  }

  /** Something foreign stands at the name, above it, or where its mark belongs, or somebody was at it. */
  #isExcused(name: string): boolean {
    const near = (other: string) => other !== ZONE && name.endsWith(`.${other}`)
    return (
      this.#tampered.has(name) ||
      [...this.#foreign.values()].some(
        (set) => set.name === name || set.name === markName(name) || near(set.name),
      )
    )
  }

  #foreignSet(set: Pick<ListedRrset, 'name' | 'type' | 'values'> & Partial<ListedRrset>): void {
    this.#at.provider.stranger(set)
    const key = rrsetKey(set)
    this.#foreign.set(key, this.#at.provider.now().get(key)!)
  }

  /** Only where nothing stands and nothing of ours is noted: else it would be an edit of ours. */
  #strangerMakes(name: string, type: TheirType): void {
    const { provider, ledger } = this.#at
    if (provider.now().has(rrsetKey({ name, type }))) return
    if ([...ledger.rows.values()].some((row) => row.name === name)) return
    this.#foreignSet({ name, type, values: [THEIRS[type]] })
  }

  #tamper(pick: number, how: Extract<Event, { kind: 'tamper' }>['how']): void {
    const { provider, ledger } = this.#at
    const rows = [...ledger.rows.values()]
    const row = rows[pick % Math.max(rows.length, 1)]
    const there = row === undefined ? undefined : provider.now().get(rrsetKey(row))
    if (row === undefined || there === undefined) return
    this.#tampered.add(row.name)
    if (how === 'edit') provider.stranger({ ...there, values: [THEIRS[row.type]] })
    if (how === 'ttl')
      provider.stranger({ ...there, ttl: 4321, proxied: there.proxied === null ? null : false })
    if (how === 'remove') provider.stranger({ ...there, values: [] })
    if (how !== 'unmark') return
    const at = rrsetKey({ name: markName(row.name)!, type: 'TXT' })
    const text = provider.now().get(at)
    provider.stranger({ ...there, comment: null })
    if (text !== undefined && !this.#foreign.has(at)) provider.stranger({ ...text, values: [] })
  }

  async #tell(pick: number): Promise<void> {
    const views = recordViews(this.#desired, await this.#at.look())
    const orphans = views.filter(({ state, desired }) => state === 'orphan' && desired === null)
    const one = orphans[pick % Math.max(orphans.length, 1)]
    if (one === undefined) return
    const { name, managed_type: type, observed: values, proxied } = one
    this.#foreign.delete(rrsetKey({ name, type }))
    this.#figures.told++
    const row = { name, type, values: values!, proxied, state: 'removing', domain_id: NO_DOMAIN } as const
    this.#at.ledger.put(owned(row))
  }

  async #pass(faults: readonly (Fault | 'power_cut' | null)[]): Promise<void> {
    const { provider, ledger } = this.#at
    const left = [...faults]
    const ends = new AbortController()
    const next = (): Fault | null => {
      const fault = left.shift() ?? null
      if (fault !== null) this.#figures.misbehaviours++
      if (fault === 'power_cut') ledger.dies = () => true
      return fault === 'power_cut' ? null : fault
    }
    provider.fault = next
    provider.abort = () => ends.abort(new DOMException('stopped', 'AbortError'))
    const before = new Map(ledger.rows)
    const deleted = provider.deleted.length
    try {
      const report = await this.#at.pass(this.#desired, ends.signal)
      if (faults.length === 0) {
        hold(report.left === 0 || this.#misled, `a good pass leaves ${report.left} differences`)
        this.#misled = false
      }
    } catch (error) {
      const is_expected =
        error instanceof PowerCut || error instanceof Failure || (error as Error).name === 'AbortError'
      if (!is_expected) throw error
    } finally {
      provider.fault = () => null
      ledger.dies = () => false
    }
    if (faults.includes('stale')) for (const { name } of before.values()) this.#tampered.add(name)
    this.#misled ||= faults.includes('stale')
    this.#figures.passes++
    this.#holdForeignAreUntouched()
    for (const key of provider.deleted.slice(deleted)) this.#holdMayGo(key, before)
  }

  #holdForeignAreUntouched(): void {
    const now = this.#at.provider.now()
    for (const [key, set] of this.#foreign)
      hold(JSON.stringify(now.get(key)) === JSON.stringify(set), `a stranger's ${key} was touched`)
  }

  /** Told by a person, retired, internal now, renamed, or with an address of the other family only; and in the ledger before. */
  #holdMayGo(key: string, before: Bench['ledger']['rows']): void {
    this.#figures.deletes++
    const row = [...before.values()].find((candidate) => rrsetKey(candidate) === key)
    hold(row !== undefined, `${key} was deleted and was never ours`)
    if (row!.domain_id === NO_DOMAIN) return
    const record = this.#rows.find(({ domain_id }) => domain_id === row!.domain_id)
    const static_ip = record?.static_ip ?? null
    const is_other_family = static_ip !== null && static_ip.includes(':') !== (row!.type === 'AAAA')
    const has_left = record?.retired === true || record?.service_type === 'internal'
    const may_go = record !== undefined && (has_left || record.domain !== row!.name || is_other_family)
    hold(may_go, `${key} was deleted without a reason`)
  }
}

type Reported = Awaited<ReturnType<Bench['look']>>['reported']

/** In force: set, else reported, else the public ones. */
function addressesOf(
  { fixed, reported_by, fallback }: DnsDesired['wanted'][number],
  reported: Reported,
): readonly string[] {
  const report = reported.find(({ host }) => reported_by.includes(host))
  const addresses = [report?.ipv4, report?.ipv6].filter((address) => typeof address === 'string')
  return fixed ?? (addresses.length > 0 ? addresses : fallback)
}

function hold(law: boolean, otherwise: string): void {
  if (!law) throw new Error(otherwise)
}
