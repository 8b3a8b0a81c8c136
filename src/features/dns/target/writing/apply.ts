/**
 * Puts a zone right: ledger, provider, a listing, ledger.
 *
 * Whatever is about to be made, changed or taken away is in the ledger as `sending`, `applying` or `removing` before it is
 * asked for, so that after a crash nothing of ours looks like a stranger's. What certainly was not done is taken back. An
 * accepted change is a promise: the ledger calls it done when a listing made after it shows it.
 */
import type { Difference, Repair } from '../../../../engine/target.ts'
import { Failure, type FailureCode } from '../../../../kernel/failure.ts'
import { type ListedRrset, rrsetItem, rrsetKey } from '../../../../model/network/dns.ts'
import type { RefusedRepair } from '../../../../model/report.ts'
import type { RrsetChange } from '../../providers/port.ts'
import { batchesOf } from './batches.ts'
import type { DnsPayload, Item, LedgerRow } from './planned-change.ts'
import { strangersAt } from '../leaving/newcomers.ts'
import { numbered } from '../marks/numbered.ts'
import { elsewhere, type ZonePlace } from '../observe.ts'
import type { DnsParts } from '../parts.ts'
import { isFitted } from './fit.ts'
import { type WriteOutcome, refusalOf, Sender, type SendTo } from './sender.ts'
import { routesFirst } from '../leaving/routes-first.ts'
import { deferredRepairs, waitsForSuccessor } from '../leaving/successors.ts'
import { takenSince } from './taken-since.ts'
import { TimeLeft } from './time-left.ts'
import { replacedSince } from '../leaving/still-shown.ts'
import { type Listing, listingOf } from '../zones/zone-state.ts'

export type DnsDifference = Difference<DnsPayload>

export interface ApplyOptions {
  readonly parts: Omit<DnsParts, 'settings'>
  readonly place: ZonePlace
  readonly signal: AbortSignal
  /** When the pass is broken off, on the monotonic clock; left out: never. */
  readonly ends_at?: number | undefined
  /** A stranger was there: what is overwritten is told. */
  readonly evidence: boolean
  /** Called after each batch with the keys of what the provider took. */
  readonly wrote?: ((keys: readonly string[]) => void) | undefined
  /**
   * Called at the end with what the provider was asked for and does not show, by the key of the difference: why it did not
   * accept it; null where it did.
   */
  readonly unaccepted?: ((found: ReadonlyMap<string, string | null>) => void) | undefined
  /** A listing that begins now. */
  readonly relist: () => Promise<readonly ListedRrset[]>
}

/** Of so many sets at most the overwritten values are told. */
const MAX_EVIDENCE = 50

/** Waits for the zone's turn. Repairs in the order of the differences. */
export function applyZone(
  differences: readonly DnsDifference[],
  options: ApplyOptions,
): Promise<readonly Repair[]> {
  const { parts, place, signal } = options
  return parts.lock.run(place.zone.account, place.zone.name, signal, async () => {
    if (options.evidence) tellEvidence(differences, options)
    // Of what is committed by now, which is all that led to these differences: no crash leaves a number above it.
    const all = numbered(differences, place.provider.traits, await parts.worldStamp())
    const staying = await routesFirst(all, parts)
    const items = all.filter(({ key }) => !staying.has(key))
    const waiting = items.filter(waitsForSuccessor)
    const others = items.filter((item) => !waitsForSuccessor(item))
    const time = new TimeLeft(parts.clock, options.ends_at)
    const first = await new ZoneWork(options, { time, comes_later: false }).run(others)
    options.unaccepted?.(unacceptedIn(first))
    if (waiting.length === 0)
      return differences.map(({ key }) => staying.get(key) ?? repairOf(key, first.get(key)!))
    const deferred = await deferredRepairs(waiting, { items: others, outcomes: first }, parts)
    // They were listed before the first run, which may have taken long.
    const then = await new ZoneWork(options, { time, comes_later: others.length > 0 }).run(
      waiting.filter(({ key }) => !deferred.has(key)),
    )
    options.unaccepted?.(unacceptedIn(new Map([...first, ...then])))
    return differences.map(
      ({ key }) => staying.get(key) ?? deferred.get(key) ?? repairOf(key, (then.get(key) ?? first.get(key))!),
    )
  })
}

const NOT_ACCEPTED: ReadonlySet<FailureCode> = new Set(['provider_refused', 'component_unavailable'])

/** Not what was never sent. */
const unacceptedIn = (outcomes: ReadonlyMap<string, WriteOutcome>): ReadonlyMap<string, string | null> =>
  new Map(
    [...outcomes].flatMap(([key, outcome]): [string, string | null][] => {
      if (outcome.kind === 'done' || outcome.kind === 'untried' || !NOT_ACCEPTED.has(outcome.failure.code))
        return []
      if (outcome.kind === 'refused') return [[key, outcome.failure.message]]
      if (outcome.is_untried === true) return []
      return [[key, outcome.is_unseen === true ? null : outcome.failure.message]]
    }),
  )

function repairOf(key: string, outcome: WriteOutcome): Repair {
  if (outcome.kind === 'done') return { key, ok: true }
  const is_untried = outcome.kind === 'untried' || (outcome.kind === 'unclear' && outcome.is_untried === true)
  return { key, ok: false, failure: outcome.failure, ...(is_untried && { unfinished: true }) }
}

function tellEvidence(differences: readonly DnsDifference[], { parts, place }: ApplyOptions): void {
  for (const { item, before, after } of differences.slice(0, MAX_EVIDENCE))
    parts.log.info('record overwritten', { zone: place.zone.name, item, before, after })
}

class ZoneWork {
  readonly #options: ApplyOptions
  readonly #sender: Sender
  readonly #outcomes = new Map<string, WriteOutcome>()
  /** Asked for, so that nobody can say that it is not there. */
  readonly #sent = new Set<string>()
  /** Ids that the provider told on the way, by set. */
  readonly #learnt = new Map<string, readonly string[]>()

  constructor(options: ApplyOptions, moment: Pick<SendTo, 'time' | 'comes_later'>) {
    this.#options = options
    const { place, signal } = options
    const where = { provider: place.provider, zone: place.zone.name, signal }
    this.#sender = new Sender({ ...where, ...moment, takenSince: (items) => takenSince(items, where) })
  }

  async run(given: readonly Item[]): Promise<ReadonlyMap<string, WriteOutcome>> {
    const { parts, place, signal } = this.#options
    const { served = null, installation_id } = parts
    const { provider, zone } = place
    const where = { provider, served, zone: zone.name, installation_id, signal }
    for (const [key, failure] of await strangersAt(given, where))
      this.#outcomes.set(key, { kind: 'refused', failure })
    await this.#sparePresent(given)
    const items = given.filter(({ key }) => !this.#outcomes.has(key))
    await this.#begin(items)
    try {
      await this.#makeZone(items)
      await this.#round(items, 'prepare')
      await this.#round(items, 'changes')
      await this.#confirm(items)
    } finally {
      await this.#takeBack(items.filter(({ key }) => !this.#sent.has(key)))
    }
    return this.#outcomes
  }

  /** What was told to go and is another record by now is nothing that anybody told to go. */
  async #sparePresent(given: readonly Item[]): Promise<void> {
    const { place, signal } = this.#options
    const replaced = await replacedSince(given, { provider: place.provider, zone: place.zone.name, signal })
    for (const [key, failure] of replaced) this.#outcomes.set(key, { kind: 'refused', failure })
    const spared = given.filter(({ key }) => replaced.has(key))
    await this.#save(
      [],
      spared.map(({ payload }) => payload.row),
    )
  }

  /** One transaction before anything goes out: what is about to be made is noted, and lost claims are given up. */
  async #begin(items: readonly Item[]): Promise<void> {
    const lost = items.filter(({ payload }) => payload.rank === 'forget' && payload.changes.length === 0)
    await this.#save(
      items.flatMap(({ payload }) => payload.ledger.during ?? []),
      lost.map(({ payload }) => payload.row),
    )
  }

  /** A zone that cannot be made ends the work before it began. */
  async #makeZone(items: readonly Item[]): Promise<void> {
    const { place, parts, signal } = this.#options
    const { provider, zone } = place
    if (!items.some(({ payload }) => payload.makes_zone) || provider.makeZone === undefined) return
    try {
      const { name, account } = zone
      const now = await elsewhere(place, parts, signal)
      if (now.zone.account !== account)
        throw new Failure(
          'component_unavailable',
          `dns: the account ${now.zone.account} has the zone ${name} by now, so none is made at ${account}. The next look goes there.`,
        )
      await provider.makeZone(name, signal)
      parts.zone_index.addZone({ name, account, writable: true, detail: null })
      parts.log.info('zone made', { zone: name, account })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const { code, message, details } = error
      this.#sender.ended = { code, message, retry_after_ms: details.retry_after_ms ?? 0 }
    }
  }

  async #round(items: readonly Item[], step: 'prepare' | 'changes'): Promise<void> {
    const open = items.filter(
      ({ key, payload }) => !this.#outcomes.has(key) && (step === 'changes' || payload.prepare.length > 0),
    )
    const changesOf = ({ payload }: Item) => payload[step].map((change) => this.#withLearnt(change))
    for (const batch of batchesOf(open, changesOf, this.#options.place.provider.traits.batch_most)) {
      if (this.#sender.ended !== null) return this.#giveUp(open, this.#sender.ended)
      for (const { key } of batch) this.#sent.add(key)
      const outcomes = await this.#sender.send(batch.map((item) => ({ changes: changesOf(item) })))
      const done = batch.map((item, i) => ({ item, outcome: outcomes[i]! }))
      for (const { item, outcome } of done)
        if (step === 'changes' || outcome.kind !== 'done') this.#outcomes.set(item.key, outcome)
        else for (const [key, ids] of outcome.ids) this.#learnt.set(key, ids)
      if (step === 'changes')
        this.#options.wrote?.(
          done.flatMap(({ item, outcome }) => (outcome.kind === 'done' ? [item.key] : [])),
        )
      await this.#takeBack(done.filter(({ outcome }) => isUntouched(outcome)).map(({ item }) => item))
    }
  }

  /** A step before this one may have given the records new ids. */
  #withLearnt(change: RrsetChange): RrsetChange {
    const ids = this.#learnt.get(rrsetKey(change)) ?? []
    return change.seen === null || ids.length === 0 ? change : { ...change, seen: { ...change.seen, ids } }
  }

  #giveUp(items: readonly Item[], failure: RefusedRepair): void {
    for (const { key } of items)
      if (!this.#outcomes.has(key)) this.#outcomes.set(key, { kind: 'refused', failure })
  }

  /** One transaction: what a listing made after the writes shows is ours now, or gone. The rest stays as it was begun. */
  async #confirm(items: readonly Item[]): Promise<void> {
    const accepted = items.filter(({ key }) => this.#outcomes.get(key)?.kind === 'done')
    const listing = await this.#relist(accepted)
    const saved: LedgerRow[] = []
    const dropped: DnsPayload['row'][] = []
    for (const item of accepted) {
      const { row, ledger, changes } = item.payload
      const missing = listing === null ? null : unseen(changes, listing)
      if (missing !== null)
        this.#outcomes.set(item.key, { kind: 'unclear', failure: this.#unkept(missing), is_unseen: true })
      else if (listing === null && changes.length > 0) continue
      else if (ledger.after === null) dropped.push(row)
      else saved.push(withIds(ledger.after, listing?.set(row.name, row.type)?.ids ?? []))
    }
    await this.#save(saved, dropped)
  }

  /** Null where nothing was asked for, and where the listing failed: then nobody knows what was done. */
  async #relist(accepted: readonly Item[]): Promise<Listing | null> {
    const sent = accepted.filter(({ payload }) => payload.changes.length > 0)
    if (sent.length === 0) return null
    try {
      return listingOf({ rrsets: await this.#options.relist() })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      for (const { key } of sent)
        this.#outcomes.set(key, { kind: 'unclear', failure: refusalOf(error), is_unseen: true })
      return null
    }
  }

  #unkept(change: RrsetChange): RefusedRepair {
    const { kind } = this.#options.place.provider
    const shows = change.wanted === null ? 'still shows it' : 'does not show it'
    return {
      code: 'component_unavailable',
      message: `${kind} accepted the change of ${rrsetItem(change)}, and its listing afterwards ${shows}. Look at the provider if this lasts.`,
      retry_after_ms: 0,
    }
  }

  /** The ledger as it was before, for what was certainly not made. */
  async #takeBack(items: readonly Item[]): Promise<void> {
    const made = items.filter(({ payload }) => payload.ledger.during !== null)
    const befores = made.flatMap(({ payload }) => payload.ledger.before ?? [])
    const fresh = made.filter(({ payload }) => payload.ledger.before === null)
    await this.#save(
      befores,
      fresh.map(({ payload }) => payload.row),
    )
  }

  async #save(rows: readonly LedgerRow[], dropped: readonly DnsPayload['row'][] = []): Promise<void> {
    if (rows.length === 0 && dropped.length === 0) return
    const { store, clock } = this.#options.parts
    const sent_at = clock.now()
    await store.write(async (tx) => {
      if (rows.length > 0) await tx.saveOwnedRrsets(rows.map((row) => ({ sent_at, ...row })))
      if (dropped.length > 0) await tx.dropOwnedRrsets(dropped)
    })
  }
}

const isUntouched = ({ kind }: WriteOutcome): boolean => kind === 'refused' || kind === 'untried'

/** The first of the changes that a listing does not show; null where it shows them all. */
const unseen = (changes: readonly RrsetChange[], listing: Listing): RrsetChange | null =>
  changes.find(({ name, type, wanted }) => {
    const listed = listing.set(name, type)
    return wanted === null ? listed !== null : listed === null || !isFitted(listed, wanted)
  }) ?? null

/** The provider may tell new ids at once, or leave those that it listed. */
const withIds = (row: LedgerRow, ids: readonly string[]): LedgerRow =>
  ids.length === 0 ? row : { ...row, ids }
