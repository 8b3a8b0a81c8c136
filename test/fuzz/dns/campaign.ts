/**
 * A zone at a hosted provider whose answers go wrong on the wire, under random records: what is not ours stays as it is,
 * nothing goes on the ground of a listing that was not whole or without a reason, and all comes to rest when the faults end.
 */
import { createHttpClient } from '../../../src/io/http-client/create-client.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { type OwnedRrset, rrsetKey } from '../../../src/model/network/dns.ts'
import type { IntentRow } from '../../../src/model/intent.ts'
import type { Report } from '../../../src/model/report.ts'
import type { DnsProvider } from '../../../src/features/dns/providers/port.ts'
import type { HttpClient } from '../../../src/ports/http-client.ts'
import type { Store } from '../../../src/ports/store.ts'
import { type DnsLedger, dnsLedger } from '../../../src/features/dns/target/parts.ts'
import { install, type Installation, PUBLIC } from './installation.ts'
import { hold, isManaged, judge, type Laws, mayGo } from './judge.ts'
import { firstRows, NAMES, someChange } from './life.ts'
import { type Hosted, type HostedKind, ZONE } from './providers.ts'
import { oneOf, type Random, randomOf } from './random.ts'
import { Wire } from './wire.ts'
import { dnsRecords } from '../../../src/features/dns/records.ts'
import { readReportedAddresses } from '../../../src/features/ddns/records.ts'

export interface Figures {
  readonly misbehaviours: Record<string, number>
  passes: number
  requests: number
  /** Requests that changed something. */
  writes: number
  /** Sets that went. */
  deletes: number
  releases: number
  /** Releases that a guard refused. */
  refused: number
}

export const noFigures = (): Figures => ({
  misbehaviours: {},
  passes: 0,
  requests: 0,
  writes: 0,
  deletes: 0,
  releases: 0,
  refused: 0,
})

export const total = ({ misbehaviours }: Figures): number =>
  Object.values(misbehaviours).reduce((sum, count) => sum + count, 0)

/** What turns a right house into a wrong one, to show that the judge sees it. */
export interface Bug {
  readonly http?: (http: HttpClient) => HttpClient
  /** Between the adapter and the target. */
  readonly provider?: (provider: DnsProvider) => DnsProvider
  /** Between the store and the target. */
  readonly ledger?: (ledger: DnsLedger) => DnsLedger
}

const STRANGERS = [
  { name: `taken.${ZONE}`, type: 'A', values: ['198.51.100.1'] },
  { name: `mail.${ZONE}`, type: 'A', values: ['198.51.100.2', '198.51.100.3'] },
  { name: `mail.${ZONE}`, type: 'AAAA', values: ['2001:db8:ffff::2'] },
  { name: `www.${ZONE}`, type: 'CNAME', values: ['sites.example.net'] },
  { name: ZONE, type: 'TXT', values: ['v=spf1 -all'] },
  { name: `_plumbline.note.${ZONE}`, type: 'TXT', values: ['something else'] },
]
const TURNS = 40
const REPORTED = [
  ['192.0.2.20', null],
  ['192.0.2.21', '2001:db8::21'],
  [null, '2001:db8::22'],
  [null, null],
] as const

export interface CampaignOptions {
  readonly seed: number
  readonly figures: Figures
  readonly bug?: Bug
}

export async function campaign(
  kind: HostedKind,
  { seed, figures, bug = {} }: CampaignOptions,
): Promise<void> {
  const http = createHttpClient({ clock: systemClock })
  const hosted = await kind.open(bug.http?.(http) ?? http)
  const ledger = (store: Store): DnsLedger =>
    bug.ledger?.(dnsLedger(store, readReportedAddresses)) ?? dnsLedger(store, readReportedAddresses)
  const installation = await install(bug.provider?.(hosted.provider) ?? hosted.provider, ledger)
  try {
    const life = new Life({ kind, hosted, installation, figures, random: randomOf(seed) })
    // Every third zone has more than a page.
    if (seed % 3 === 1) life.makeLarge()
    await life.begin()
    for (let turn = 0; turn < TURNS; turn++) await life.turn()
    await life.rest()
  } catch (error) {
    throw new Error(`${kind.kind}, seed ${seed}: ${(error as Error).message}`, { cause: error })
  } finally {
    await installation.close()
    await http.close()
    await hosted.fake.stop()
  }
}

interface Circumstances {
  readonly kind: HostedKind
  readonly hosted: Hosted
  readonly installation: Installation
  readonly figures: Figures
  readonly random: Random
}

class Life {
  readonly #at: Circumstances
  readonly #wire: Wire
  readonly #strangers = new Set<string>()
  #released: readonly IntentRow[] = []
  #reported: readonly (string | null)[] = [null, null]

  constructor(at: Circumstances) {
    const { kind, hosted, installation, random, figures } = at
    this.#at = at
    for (const set of STRANGERS) this.#stranger(set)
    this.#wire = new Wire({
      kind,
      hosted,
      random,
      // What the store says, whatever the target was told.
      ledger: () => installation.store.of(dnsRecords).ownedRrsets(),
      happened: (name) => (figures.misbehaviours[name] = (figures.misbehaviours[name] ?? 0) + 1),
    })
  }

  makeLarge(): void {
    for (let i = 0; i < this.#at.kind.large; i++)
      this.#stranger({ name: `x${i}.${ZONE}`, type: 'A', values: ['198.51.100.9'] })
  }

  async begin(): Promise<void> {
    await this.#release(firstRows(), true)
    await this.#pass({ asked: true, faults: 0 })
  }

  /** Something changes or nothing does, and a pass goes wrong. */
  async turn(): Promise<void> {
    const { random, installation } = this.#at
    let asked = false
    if (random(3) > 0) {
      const confirmed = random(8) === 0
      asked = await this.#release(someChange(this.#released, random), confirmed)
    }
    if (random(6) === 0) {
      this.#reported = oneOf(random, REPORTED)
      await installation.report(this.#reported[0] ?? null, this.#reported[1] ?? null)
    }
    if (random(8) === 0) await this.#somebodyComes()
    await this.#pass({ asked, faults: 1 + random(3) })
  }

  /**
   * The faults are over: three passes at most, and then nothing is written. A person asks for the first: who answered `done`
   * three times and did nothing looks like somebody who puts things back.
   */
  async rest(): Promise<void> {
    for (let pass = 0; pass < 3; pass++) await this.#pass({ asked: pass === 0, faults: 0 })
    const { asked } = this.#at.hosted.fake
    const before = asked.length
    const report = await this.#pass({ asked: false, faults: 0 })
    hold(
      report.failure === null ||
        (report.refusals.length > 0 &&
          report.refusals.every(({ item }) => this.#isInTheWay(item) || this.#isUnclaimed(item))),
      `not at rest: ${JSON.stringify(report)}`,
    )
    const written = asked.slice(before).filter(({ method }) => method !== 'GET')
    hold(written.length === 0, `something was written at rest: ${JSON.stringify(written)}`)
    await this.#holdAllIsAsWanted()
  }

  /** Of a family without an address, while its name has one of the other: left to a person. */
  #isUnclaimed(item: string): boolean {
    const wanted = this.#wanted()
    const [type = '', name = ''] = item.split(' ')
    const has = (one: 'A' | 'AAAA') => wanted.has(rrsetKey({ name, type: one }))
    return type === 'A' ? has('AAAA') && !has('A') : has('A') && !has('AAAA')
  }

  /** Ours stand with their addresses and nothing else does, but for what no reason lets go. */
  async #holdAllIsAsWanted(): Promise<void> {
    const wanted = this.#wanted()
    const there = this.#managed()
    for (const [key, values] of wanted)
      if (!this.#strangers.has(key))
        hold(String(there.get(key)) === String(values), `${key} is ${String(there.get(key))} at rest`)
    const owned = new Map((await this.#owned()).map((row) => [rrsetKey(row), row]))
    for (const key of there.keys()) {
      if (this.#strangers.has(key) || wanted.has(key)) continue
      const row = owned.get(key)
      hold(row !== undefined, `${key} stands there at rest and is not in the ledger`)
      if (this.#waitsForName(row)) continue
      hold(!mayGo(row, this.#released), `${key} stands there at rest, and may not: ${JSON.stringify(row)}`)
    }
  }

  /** Addresses by set. */
  #wanted(): Map<string, readonly string[]> {
    const wanted = new Map<string, readonly string[]>()
    const reported = this.#reported.filter((address) => address !== null)
    for (const { live, retired, fields } of this.#released) {
      if (!live || retired) continue
      const fallback = reported.length > 0 ? reported : [PUBLIC]
      for (const address of fields.static_ip === null ? fallback : [fields.static_ip])
        wanted.set(rrsetKey({ name: fields.domain, type: address.includes(':') ? 'AAAA' : 'A' }), [address])
    }
    return wanted
  }

  /** Addresses as they really stand there, by set. */
  #managed(): Map<string, string[]> {
    const { state, shown } = this.#at.hosted
    const there = new Map<string, string[]>()
    for (const set of [...state().values()].map(shown)) {
      if (!isManaged(set)) continue
      there.set(rrsetKey(set), [...(there.get(rrsetKey(set)) ?? []), ...set.values].sort())
    }
    return there
  }

  /** Of a record whose new name somebody else holds the old set stays. */
  #waitsForName({ domain_id, name }: OwnedRrset): boolean {
    const row = this.#released.find((one) => one.domain_id === domain_id)
    if (row === undefined || !row.live || row.retired || row.fields.domain === name) return false
    return [...this.#strangers].some((key) => key.startsWith(`${row.fields.domain} `))
  }

  #isInTheWay(item: string): boolean {
    const [type = '', name = ''] = item.split(' ')
    return this.#strangers.has(rrsetKey({ name, type }))
  }

  #owned(): Promise<readonly OwnedRrset[]> {
    return this.#at.installation.store.of(dnsRecords).ownedRrsets()
  }

  async #release(rows: readonly IntentRow[], confirmed: boolean): Promise<boolean> {
    const { installation, figures } = this.#at
    if (rows.length === 0) return false
    const done = await installation.release(rows, confirmed)
    figures[done ? 'releases' : 'refused']++
    if (!done) return false
    // What moves nothing outside is not released: a new name of a record that is off line.
    this.#released = (await installation.store.intent('released')).rows
    return true
  }

  /** Somebody takes a name that nobody has. */
  async #somebodyComes(): Promise<void> {
    const { random, hosted } = this.#at
    const name = oneOf(random, NAMES)
    const owned = (await this.#owned()).some((row) => row.name === name)
    const stands = [...hosted.state().values()].some((entry) => hosted.shown(entry).name === name)
    if (!owned && !stands) this.#stranger({ name, type: 'A', values: ['198.51.100.4'] })
  }

  #stranger(set: Parameters<Hosted['add']>[0]): void {
    this.#at.hosted.add(set)
    this.#strangers.add(rrsetKey(set))
  }

  async #pass({ asked, faults }: { readonly asked: boolean; readonly faults: number }): Promise<Report> {
    const { installation, hosted, figures } = this.#at
    const ends = new AbortController()
    const before = hosted.fake.asked.length
    this.#wire.arm(faults, () => ends.abort(new DOMException('the deadline passed', 'TimeoutError')))
    const report = await installation.pass(asked, ends.signal)
    this.#wire.disarm()
    figures.passes++
    figures.requests += hosted.fake.asked.length - before
    hold(report.failure?.code !== 'internal', `a pass broke inside: ${JSON.stringify(report)}`)
    const laws: Laws = {
      shown: hosted.shown,
      mark: `plumbline:1:${installation.store.installation_id}:`,
      strangers: this.#strangers,
      rows: this.#released,
    }
    for (const accepted of this.#wire.taken()) {
      figures.writes++
      figures.deletes += judge(accepted, laws).length
    }
    return report
  }
}
