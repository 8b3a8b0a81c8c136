/**
 * The addresses that gateways reported, in memory and written through. A report of what is known already costs no
 * transaction, except that every five minutes its time is written down.
 *
 * Changes go one after another: each is judged by what the one before it left, and memory follows the commit, so that a
 * store that cannot write leaves everything as it was. What comes too soon is kept and taken when it is due.
 */
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Actor } from '../../../model/actor.ts'
import {
  CARRIED_OVER,
  MANAGED_TYPES,
  type ManagedType,
  type ReportedAddress,
} from '../../../model/network/dns.ts'
import type { ReportableAddress } from '../../../model/network/public-address.ts'
import { ddnsRecords, type PendingAddress } from '../records.ts'
import type { Store, StoreReader, StoreWriter } from '../../../ports/store.ts'
import { addressAudit } from './address-audit.ts'
import { FLAP_WINDOW_MS, settle, settlesAt } from './flap-guard.ts'
import {
  type AddressEvaluation,
  type HostAddresses,
  type EvaluatedReport,
  evaluateReport,
  unknownHost,
} from './evaluate-report.ts'
import { isPending, isSamePending, pendingOf, writePending } from './pending.ts'
import { tracksOf } from './recent-tracks.ts'

/** Of one host: more than any gateway sends before the first is written, and too few to fill the memory. */
const MAX_TURNS = 64

const NOTED_EVERY_MS: Milliseconds = 5 * 60_000
/** Enough for the window of the flap guard, at one change of each type a minute. */
const RECENT_CHANGES = 30

export interface AddressReport {
  readonly host: string
  /** At most one of each type. */
  readonly addresses: readonly ReportableAddress[]
  /** `token:<id>`, `api-key` for the main one, or `key:<name>`. */
  readonly actor: string
  /** Who changed the address, for the audit trail. */
  readonly by: Actor
  /** Written in the same transaction, when there is one. Null where nothing is to be written. */
  readonly note: ((tx: StoreWriter) => Promise<void>) | null
  /** Throws in the transaction that stores an address where whoever reports may report no more. Left out: they may. */
  readonly assertMay?: (reader: StoreReader) => Promise<void>
}

export interface AddressRegistryParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** Somebody's transaction added an event and is durable. */
  readonly eventsAdded: () => void
  /** Whether anybody has the name: what waits for one that nobody has is dropped when it is due. */
  readonly isNamed: (reader: StoreReader, host: string) => Promise<boolean>
}

interface Entry extends HostAddresses {
  /** The `reported_at` that is written down. */
  readonly noted_at: Instant
}

export class AddressRegistry {
  readonly #parts: AddressRegistryParts
  readonly #entries = new Map<string, Entry>()
  readonly #listeners: (() => void)[] = []
  readonly #waiters: (() => void)[] = []
  #last: Promise<unknown> = Promise.resolve()
  /** How many turns each host has that has any: until they are over, memory does not say what a report finds. */
  readonly #turns = new Map<string, number>()

  constructor(parts: AddressRegistryParts) {
    this.#parts = parts
  }

  async load(): Promise<void> {
    const { store } = this.#parts
    this.#entries.clear()
    const pending = await store.of(ddnsRecords).pendingAddresses()
    for (const reported of await store.of(ddnsRecords).reportedAddresses())
      await this.#take(reported, pending)
  }

  async #take(reported: ReportedAddress, all_pending: readonly PendingAddress[]): Promise<void> {
    const { store, clock } = this.#parts
    const recent = clock.now() - reported.changed_at < FLAP_WINDOW_MS
    const history = await store.of(ddnsRecords).addressHistory(reported.host, recent ? RECENT_CHANGES : 1)
    const is_carried = history[0]?.actor === CARRIED_OVER
    const pending = pendingOf(reported.host, all_pending)
    const tracks = tracksOf(reported, { history: recent ? history : [], pending })
    this.#entries.set(reported.host, {
      reported,
      is_carried,
      tracks,
      pending,
      noted_at: reported.reported_at,
    })
  }

  /** Somebody else's transaction is durable, which may have carried addresses over or given them up: here it is known after that. */
  changedOutside(): void {
    const { log } = this.#parts
    this.#last = this.#last
      .then(() => this.#readAgain())
      .catch((error: unknown) => log.warn('changed addresses not read', { error }))
  }

  async #readAgain(): Promise<void> {
    const { store } = this.#parts
    const stored = await store.of(ddnsRecords).reportedAddresses()
    const pending = await store.of(ddnsRecords).pendingAddresses()
    const hosts = new Set(stored.map(({ host }) => host))
    for (const host of this.hosts()) if (!hosts.has(host)) this.#entries.delete(host)
    for (const reported of stored) {
      const { host } = reported
      if (isOther(reported, pendingOf(host, pending), this.#entries.get(host)))
        await this.#take(reported, pending)
    }
    if (this.isWaiting()) for (const listener of this.#waiters) listener()
  }

  /** Calls `listener` after the commit of each changed address: whoever publishes it should look. It must not throw. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** Calls `listener` when something begins to wait. It must not throw. */
  onWaiting(listener: () => void): void {
    this.#waiters.push(listener)
  }

  /** Whether time alone will change something. */
  isWaiting(): boolean {
    return [...this.#entries.values()].some(({ tracks }) =>
      MANAGED_TYPES.some((type) => settlesAt(tracks[type]) !== null),
    )
  }

  find(host: string): HostAddresses | null {
    return this.#entries.get(host) ?? null
  }

  hosts(): readonly string[] {
    return [...this.#entries.keys()].toSorted()
  }

  /**
   * Takes what can be taken, keeps the rest, and says of each address what became of it. Throws when that cannot be stored,
   * and where too many of the same host wait to be: whoever sends that many is asked to come again.
   */
  async report(report: AddressReport): Promise<readonly AddressEvaluation[]> {
    const evaluated = this.#evaluate(report, false)
    if (!isWorthWriting(evaluated) && !this.#turns.has(report.host)) return this.#note(report, evaluated)
    if ((this.#turns.get(report.host) ?? 0) >= MAX_TURNS) throw tooManyWait(report.host)
    return this.#inTurn(report.host, () => this.#change(report, false))
  }

  /** What a report would come to now. */
  preview(report: Omit<AddressReport, 'note'>): readonly AddressEvaluation[] {
    return this.#evaluate(report, false).evaluations
  }

  /** Takes what has waited for long enough. Throws when it cannot be stored: it goes on waiting then. */
  async settleDue(): Promise<void> {
    for (const host of this.hosts())
      for (const type of MANAGED_TYPES)
        if (this.#isDue(host, type)) await this.#inTurn(host, () => this.#settle(host, type))
  }

  #isDue(host: string, type: ManagedType): boolean {
    const track = this.#entries.get(host)?.tracks[type]
    return track !== undefined && settle(track, this.#parts.clock.now()) !== null
  }

  async #settle(host: string, type: ManagedType): Promise<void> {
    // Another report may have come before its turn.
    if (!this.#isDue(host, type)) return
    const { tracks, pending } = this.#entries.get(host)!
    const waiting = pending.find((one) => one.type === type)
    const address = waiting?.address ?? tracks[type].hold!.asked
    const { actor, by } = waiting ?? { actor: '', by: { name: '', request_id: '' } }
    await this.#change({ host, addresses: [{ address, type }], actor, by, note: null }, true)
  }

  #inTurn<T>(host: string, work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work)
    const waiting = (this.#turns.get(host) ?? 0) + 1
    const over = turn.catch(() => undefined).finally(() => this.#passed(host))
    this.#last = over
    this.#turns.set(host, waiting)
    return turn
  }

  #passed(host: string): void {
    const left = this.#turns.get(host)! - 1
    if (left > 0) this.#turns.set(host, left)
    else this.#turns.delete(host)
  }

  async #change(report: AddressReport, has_waited: boolean): Promise<readonly AddressEvaluation[]> {
    const { store, eventsAdded, isNamed } = this.#parts
    const { host } = report
    const known = this.#entries.get(host)
    const before = known?.reported ?? null
    const evaluated = this.#evaluate(report, has_waited)
    // The one before it has stored the same.
    if (!has_waited && !isWorthWriting(evaluated)) return this.#note(report, evaluated)
    const { after, evaluations, changes, events } = evaluated
    const written = await store.write(async (tx) => {
      await report.assertMay?.(tx)
      // Whoever deleted the domain or ended the key has taken what waited, too.
      if (has_waited && changes.length > 0 && !(await isPending(tx, report))) return false
      if (has_waited && !(await isNamed(tx, host))) {
        for (const { type } of report.addresses) await tx.of(ddnsRecords).dropPendingAddress(host, type)
        return false
      }
      if (changes.length > 0) await tx.of(ddnsRecords).saveReportedAddress(after.reported)
      for (const change of changes) await tx.of(ddnsRecords).addAddressChange(change)
      for (const type of MANAGED_TYPES) await writePending(tx, type, { host, before: known, after })
      for (const event of events) await tx.addEvent(event)
      if (changes.length > 0) await tx.audit(await addressAudit(tx, report, { before, changes }))
      await report.note?.(tx)
      return true
    })
    if (!written) {
      this.#entries.delete(host)
      await this.#readAgain()
      return evaluations
    }
    const noted_at = changes.length > 0 ? after.reported.reported_at : (known?.noted_at ?? 0)
    this.#entries.set(host, { ...after, noted_at })
    if (events.length > 0) eventsAdded()
    if (changes.length > 0) for (const listener of this.#listeners) listener()
    if (this.isWaiting()) for (const listener of this.#waiters) listener()
    return evaluations
  }

  /** Nothing has changed but the time. That it could not be written down is no reason to send a gateway away. */
  async #note(
    report: AddressReport,
    { after, evaluations }: EvaluatedReport,
  ): Promise<readonly AddressEvaluation[]> {
    const { reported } = after
    const known = this.#entries.get(report.host)
    const due = known !== undefined && !isWithin(known.noted_at, reported.reported_at, NOTED_EVERY_MS)
    if (known !== undefined)
      this.#entries.set(report.host, { ...after, noted_at: due ? reported.reported_at : known.noted_at })
    if (!due && report.note === null) return evaluations
    try {
      await this.#parts.store.write(async (tx) => {
        if (due) await tx.of(ddnsRecords).saveReportedAddress(reported)
        await report.note?.(tx)
      })
    } catch (error) {
      this.#parts.log.warn('time of an address report not kept', { host: report.host, error })
    }
    return evaluations
  }

  /** What a report makes of what is known, without doing it. */
  #evaluate(report: Omit<AddressReport, 'note'>, has_waited: boolean): EvaluatedReport {
    const before = this.#entries.get(report.host) ?? unknownHost(report.host)
    return evaluateReport(before, { ...report, has_waited, at: this.#parts.clock.now() })
  }
}

const tooManyWait = (host: string): Failure =>
  new Failure('store_unavailable', `Too many reports of ${host} wait to be written. Report again later.`)

const isWorthWriting = ({ changes, events, moves_pending }: EvaluatedReport): boolean =>
  changes.length > 0 || events.length > 0 || moves_pending

const isOther = (
  { ipv4, ipv6 }: ReportedAddress,
  pending: readonly PendingAddress[],
  known: Entry | undefined,
): boolean =>
  ipv4 !== known?.reported.ipv4 || ipv6 !== known.reported.ipv6 || !isSamePending(pending, known.pending)

/** A clock that was set back makes the time worth writing down again. */
const isWithin = (at: Instant, now: Instant, span: Milliseconds): boolean => now >= at && now - at < span
