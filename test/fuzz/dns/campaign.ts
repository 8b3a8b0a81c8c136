/**
 * A zone at a hosted provider whose answers go wrong on the wire, under random records: what was never ours stays as it
 * is, nothing is taken away without a reason, and all comes to rest when the faults end.
 *
 * The judge knows who made a set from what happened, and reads the truth past the faults.
 */
import { createHttpClient } from '../../../src/adapters/http-client/create-client.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { type ListedRrset, rrsetKey } from '../../../src/model/dns.ts'
import type { DnsProvider } from '../../../src/ports/dns-provider.ts'
import { dnsFamily } from '../../../src/targets/dns/family.ts'
import type { DnsTarget } from '../../../src/targets/dns/target.ts'
import { ZoneBook } from '../../../src/targets/dns/zone-book.ts'
import { ZoneLock } from '../../../src/targets/dns/zone-lock.ts'
import {
  breakAfter,
  breakBefore,
  empty,
  type Fault,
  halfOpen,
  html,
  numbersAsTexts,
  otherZone,
  partialPage,
  samePageAgain,
  silent,
  status,
} from '../../fakes/dns/faults.ts'
import { MemoryLedger } from '../../targets/dns/memory-ledger.ts'
import { desiredOf, type RowWish, someSettings } from '../../targets/dns/rows.ts'
import { type Hosted, type HostedKind, ZONE } from './providers.ts'

export interface Figures {
  misbehaviours: Record<string, number>
  passes: number
  deletes: number
}

export const noFigures = (): Figures => ({ misbehaviours: {}, passes: 0, deletes: 0 })

export const total = ({ misbehaviours }: Figures): number =>
  Object.values(misbehaviours).reduce((sum, count) => sum + count, 0)

/** Same numbers, same life (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** What turns a right house into a wrong one, to show that the judge sees it. */
export interface Bug {
  /** Between the adapter and the target. */
  readonly provider?: (provider: DnsProvider) => DnsProvider
  /** What a target takes for the records. */
  readonly rows?: (rows: readonly RowWish[]) => readonly RowWish[]
}

const NAMES = ['a', 'b', 'c', 'd', 'taken', '*.wild'].map((label) => `${label}.${ZONE}`)
const FOREIGN = [
  { name: `taken.${ZONE}`, type: 'A', values: ['198.51.100.1'] },
  { name: `mail.${ZONE}`, type: 'A', values: ['198.51.100.2'] },
  { name: ZONE, type: 'TXT', values: ['v=spf1 -all'] },
  { name: `text.${ZONE}`, type: 'TXT', values: ['something else'] },
]
const PASSES = 40
/** Longer than any answer on this host, shorter than patience. */
const HUNG_MS = 120

const FAULTS = (list: string | null): Readonly<Record<string, Fault>> => ({
  'partial page': partialPage(list),
  'wrong zone': otherZone(ZONE, 'example.net'),
  'page for people, 200': html(200),
  'page for people, 502': html(502),
  'numbers as texts': numbersAsTexts,
  '429': status(429, { headers: { 'retry-after': '1' } }),
  '500': status(500),
  '503': status(503),
  'empty 200': empty,
  'half-open': halfOpen,
  silence: silent,
  'broken before': breakBefore,
  'broken after it was done': breakAfter,
  'duplicated page': (scene) =>
    scene.before.length > 0 && scene.before.at(-1)!.method === 'GET'
      ? samePageAgain(list)(scene)
      : breakBefore(scene),
})
const HANGS = new Set(['half-open', 'silence'])

export async function campaign(
  { kind, list, open }: HostedKind,
  { seed, figures, bug = {} }: { readonly seed: number; readonly figures: Figures; readonly bug?: Bug },
): Promise<void> {
  const http = createHttpClient({ clock: systemClock })
  const hosted = await open(http)
  try {
    const life = new Life(hosted, { list, random: randomOf(seed), figures, bug })
    await life.begin()
    for (let pass = 0; pass < PASSES; pass++) await life.turn()
    await life.rest()
  } catch (error) {
    throw new Error(`${kind}, seed ${seed}: ${(error as Error).message}`, { cause: error })
  } finally {
    await http.close()
    await hosted.fake.stop()
  }
}

interface Circumstances {
  readonly list: string | null
  readonly random: (below: number) => number
  readonly figures: Figures
  readonly bug: Bug
}

class Life {
  readonly #hosted: Hosted
  readonly #at: Circumstances
  readonly #ledger = new MemoryLedger()
  readonly #target: DnsTarget
  #rows: readonly RowWish[]
  /** Faults are for one turn alone. */
  #faulty = false
  #turns = 0
  #next_id = 100

  constructor(hosted: Hosted, at: Circumstances) {
    this.#hosted = hosted
    this.#at = at
    const provider = at.bug.provider?.(hosted.provider) ?? hosted.provider
    const book = new ZoneBook(null)
    book.setZones([{ name: ZONE, account: 'default', writable: true, detail: null }])
    this.#target = dnsFamily({
      providers: [provider],
      settings: someSettings({ ttl: 3600 }),
      store: this.#ledger,
      installation_id: '0b4f5d3c-7a52-4c1e-9a56-1f0f6a3f2d11',
      book,
      lock: new ZoneLock(),
      clock: systemClock,
      log: silentLog,
    }).target(ZONE)
    this.#rows = NAMES.map((domain, i) => ({ domain, domain_id: i + 1 }))
  }

  async begin(): Promise<void> {
    const changes = FOREIGN.map(({ name, type, values }) => ({
      name,
      type,
      wanted: { ttl: 3600, values, comment: null, proxied: null },
      seen: null,
    }))
    await this.#hosted.provider.change(ZONE, changes, never)
  }

  /** Something changes, and a pass goes wrong. */
  async turn(): Promise<void> {
    const { random, figures } = this.#at
    if (random(3) > 0) this.#change(random(this.#rows.length), random(5))
    const names = Object.keys(FAULTS(this.#at.list))
    let hangs = false
    for (let count = 1 + random(3); count > 0; count--) {
      const name = names[random(names.length)]!
      hangs ||= HANGS.has(name)
      this.#arm(name, 1 + random(6))
    }
    const before = await this.#truth()
    const owned = new Set([...this.#ledger.rows.values()].map(rrsetKey))
    this.#faulty = true
    await this.#pass(hangs ? AbortSignal.timeout(HUNG_MS) : never)
    this.#faulty = false
    this.#turns++
    figures.passes++
    this.#judge(before, await this.#truth(), owned)
  }

  /** The faults are over: three passes at most, and then nothing is written. */
  async rest(): Promise<void> {
    for (let pass = 0; pass < 3; pass++) await this.#pass(never)
    const writes = () => this.#hosted.fake.asked.filter(({ method }) => method !== 'GET').length
    const before = writes()
    const left = await this.#pass(never)
    hold(left === 0, `${left} differences at rest`)
    hold(writes() === before, 'something was written at rest')
    const there = await this.#truth()
    for (const domain of new Set(this.#rows.map((row) => row.domain!))) {
      if (domain === `taken.${ZONE}`) continue
      const rows = this.#rows.filter((row) => row.domain === domain)
      const values = there.get(rrsetKey({ name: domain, type: 'A' }))?.values
      if (rows.some(({ live = true, retired }) => live && retired !== true))
        hold(String(values) === '192.0.2.1', `${domain} is ${String(values)}`)
      if (rows.every(({ retired }) => retired === true))
        hold(values === undefined, `${domain} is retired and still there`)
    }
  }

  /** Retired, alive again as another record, moved away, or off line. */
  #change(at: number, how: number): void {
    const rows = [...this.#rows]
    const row = rows[at]!
    if (how === 0) rows[at] = { ...row, live: false, retired: true }
    if (how === 1) rows[at] = { ...row, live: false, retired: row.retired ?? false }
    if (how === 2 && row.retired === true)
      rows.splice(at, 1, row, { domain: row.domain!, domain_id: this.#next_id++ })
    if (how === 3 && row.retired !== true) rows[at] = { ...row, live: true }
    // A name is wanted once at most.
    const last = new Map(rows.map((one) => [one.domain, one]))
    this.#rows = rows.filter((one) => last.get(one.domain) === one || one.retired === true)
  }

  #arm(name: string, countdown: number): void {
    const { figures, list } = this.#at
    const fault = FAULTS(list)[name]!
    const mine = this.#turns
    let left = countdown
    this.#hosted.fake.misbehave(
      (scene) => {
        figures.misbehaviours[name] = (figures.misbehaviours[name] ?? 0) + 1
        // Not every answer has a page to be altered.
        try {
          fault(scene)
        } catch {
          breakBefore(scene)
        }
      },
      { when: () => this.#faulty && this.#turns === mine && --left === 0 },
    )
  }

  /** How many differences are left; expected trouble is an answer. */
  async #pass(signal: AbortSignal): Promise<number> {
    const rows = this.#at.bug.rows?.(this.#rows) ?? this.#rows
    const desired = desiredOf(rows, { ttl: 3600 })
    try {
      const observation = await this.#target.observe(signal)
      if (!observation.known) return -1
      const differences = this.#target.diff(desired, observation.state)
      await this.#target.apply(differences, desired, { signal, evidence: false })
      const after = await this.#target.observe(signal)
      return after.known ? this.#target.diff(desired, after.state).length : -1
    } catch (error) {
      const is_expected = error instanceof Failure || error instanceof DOMException
      if (!is_expected) throw error
      return -1
    }
  }

  async #truth(): Promise<ReadonlyMap<string, ListedRrset>> {
    const sets = await this.#hosted.provider.list(ZONE, never)
    return new Map(sets.map((set) => [rrsetKey(set), set]))
  }

  #judge(
    before: ReadonlyMap<string, ListedRrset>,
    after: ReadonlyMap<string, ListedRrset>,
    owned: ReadonlySet<string>,
  ): void {
    for (const set of FOREIGN) {
      const there = after.get(rrsetKey(set))
      hold(
        String(there?.values) === String(set.values) && there?.comment === null,
        `a stranger's ${rrsetKey(set)} was touched: ${JSON.stringify(there)}`,
      )
    }
    for (const [key, set] of before) {
      if (after.has(key) || set.type !== 'A') continue
      this.#at.figures.deletes++
      hold(owned.has(key), `${key} was deleted and was not ours`)
      const reason = this.#rows.find(({ domain, retired }) => domain === set.name && retired === true)
      hold(reason !== undefined, `${key} was deleted without a reason`)
    }
  }
}

const never = new AbortController().signal

function hold(law: boolean, otherwise: string): void {
  if (!law) throw new Error(otherwise)
}
