/**
 * Puts a zone right: ledger, provider, ledger. Only writes.
 *
 * Whatever is about to be made is in the ledger as `sending` before it is sent, so that after a crash nothing of ours
 * looks like a stranger's. What certainly was not made is taken out again.
 */
import type { Difference, Repair } from '../../engine/target.ts'
import { Failure } from '../../kernel/failure.ts'
import { rrsetKey } from '../../model/dns.ts'
import type { RefusedRepair } from '../../model/report.ts'
import type { RrsetChange } from '../../ports/dns-provider.ts'
import { batchesOf } from './batches.ts'
import type { DnsPayload, LedgerRow } from './deed.ts'
import type { Place } from './observe.ts'
import type { DnsParts } from './parts.ts'
import { type Fate, Sender } from './sender.ts'

export type DnsDifference = Difference<DnsPayload>

interface Item {
  readonly key: string
  readonly payload: DnsPayload
}

export interface ApplyOptions {
  readonly parts: Pick<DnsParts, 'store' | 'clock' | 'log' | 'lock' | 'book'>
  readonly place: Place
  readonly signal: AbortSignal
  /** A stranger was there: what is overwritten is told. */
  readonly evidence: boolean
}

/** Of so many sets at most the overwritten values are told. */
const MOST_EVIDENCE = 50

/** Waits for the zone's turn. Repairs in the order of the differences. */
export function applyZone(
  differences: readonly DnsDifference[],
  options: ApplyOptions,
): Promise<readonly Repair[]> {
  const { parts, place, signal } = options
  return parts.lock.run(place.zone.account, place.zone.name, signal, async () => {
    if (options.evidence) tellEvidence(differences, options)
    const work = new ZoneWork(options)
    const fates = await work.run(differences)
    return differences.map(({ key }) => repairOf(key, fates.get(key)!))
  })
}

const repairOf = (key: string, fate: Fate): Repair =>
  fate.kind === 'done' ? { key, ok: true } : { key, ok: false, failure: fate.failure }

function tellEvidence(differences: readonly DnsDifference[], { parts, place }: ApplyOptions): void {
  for (const { item, before, after } of differences.slice(0, MOST_EVIDENCE))
    parts.log.warn('record overwritten', { zone: place.zone.name, item, before, after })
}

class ZoneWork {
  readonly #options: ApplyOptions
  readonly #sender: Sender
  readonly #fates = new Map<string, Fate>()
  /** Asked for, so that nobody can say that it is not there. */
  readonly #sent = new Set<string>()
  /** Ids that the provider told on the way, by set. */
  readonly #learnt = new Map<string, readonly string[]>()

  constructor(options: ApplyOptions) {
    this.#options = options
    const { place, signal } = options
    this.#sender = new Sender(place.provider, place.zone.name, signal)
  }

  async run(items: readonly Item[]): Promise<ReadonlyMap<string, Fate>> {
    await this.#begin(items)
    try {
      await this.#makeZone(items)
      await this.#round(items, 'prepare')
      await this.#round(items, 'changes')
    } finally {
      await this.#takeBack(items.filter(({ key }) => !this.#sent.has(key)))
    }
    return this.#fates
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
      await provider.makeZone(zone.name, signal)
      const { name, account } = zone
      parts.book.addZone({ name, account, writable: true, detail: null })
      parts.log.info('zone made', { zone: name, account })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const { code, message, details } = error
      this.#sender.ended = { code, message, retry_after_ms: details.retry_after_ms ?? 0 }
    }
  }

  async #round(items: readonly Item[], step: 'prepare' | 'changes'): Promise<void> {
    const open = items.filter(
      ({ key, payload }) => !this.#fates.has(key) && (step === 'changes' || payload.prepare.length > 0),
    )
    const changesOf = ({ payload }: Item) => payload[step].map((change) => this.#withLearnt(change))
    for (const batch of batchesOf(open, changesOf, this.#options.place.provider.traits.batch_most)) {
      if (this.#sender.ended !== null) return this.#giveUp(open, this.#sender.ended)
      for (const { key } of batch) this.#sent.add(key)
      const fates = await this.#sender.send(batch.map((item) => ({ changes: changesOf(item) })))
      const done = batch.map((item, i) => ({ item, fate: fates[i]! }))
      for (const { item, fate } of done)
        if (step === 'changes' || fate.kind !== 'done') this.#fates.set(item.key, fate)
        else for (const [key, ids] of fate.ids) this.#learnt.set(key, ids)
      if (step === 'changes') await this.#record(done)
    }
  }

  /** A step before this one may have given the records new ids. */
  #withLearnt(change: RrsetChange): RrsetChange {
    const ids = this.#learnt.get(rrsetKey(change)) ?? []
    return change.seen === null || ids.length === 0 ? change : { ...change, seen: { ...change.seen, ids } }
  }

  #giveUp(items: readonly Item[], failure: RefusedRepair): void {
    for (const { key } of items) if (!this.#fates.has(key)) this.#fates.set(key, { kind: 'refused', failure })
  }

  /** One transaction for each batch: what is ours now, what is gone, what was refused. */
  async #record(done: readonly { readonly item: Item; readonly fate: Fate }[]): Promise<void> {
    const saved: LedgerRow[] = []
    const dropped: DnsPayload['row'][] = []
    for (const { item, fate } of done) {
      const { row, ledger } = item.payload
      if (fate.kind !== 'done') continue
      if (ledger.after === null) dropped.push(row)
      else saved.push(withIds(ledger.after, fate.ids.get(rrsetKey(row)) ?? []))
    }
    await this.#save(saved, dropped)
    await this.#takeBack(done.filter(({ fate }) => fate.kind === 'refused').map(({ item }) => item))
  }

  /** The ledger as it was before, for what was certainly not made. */
  async #takeBack(items: readonly Item[]): Promise<void> {
    const made = items.filter(({ payload }) => payload.ledger.during?.state === 'sending')
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

/** The provider may tell new ids at once, or leave those that it listed. */
const withIds = (row: LedgerRow, ids: readonly string[]): LedgerRow =>
  ids.length === 0 ? row : { ...row, ids }
