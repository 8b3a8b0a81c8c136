/**
 * The addresses that gateways reported, in memory and written through. A report of what is known already costs no
 * transaction, except that every five minutes its time is written down.
 *
 * Changes go one after another: each is judged by what the one before it left, and memory follows the commit, so that a
 * store that cannot write leaves everything as it was.
 */
import type { Clock, Instant, Milliseconds } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Actor } from '../../model/actor.ts'
import { CARRIED_OVER, MANAGED_TYPES, type ReportedAddress } from '../../model/dns.ts'
import type { ReportableAddress } from '../../model/public-address.ts'
import type { AddressChange } from '../../ports/dns-records.ts'
import type { Store, StoreWriter } from '../../ports/store.ts'
import type { NewEvent } from '../../ports/trails.ts'
import { addressAudit } from './address-audit.ts'
import { addressEvents } from './address-events.ts'
import { FLAP_WINDOW_MS, judge, NO_TRACK, type Tracks, type Verdict } from './flap-guard.ts'
import { tracksOf } from './recent-tracks.ts'

const NOTED_EVERY_MS: Milliseconds = 5 * 60_000
/** Enough for the window of the flap guard, at one change of each type a minute. */
const RECENT_CHANGES = 30

export interface HostAddresses {
  readonly reported: ReportedAddress
  /** No gateway has said so: it is what was published before one was to report. */
  readonly is_carried: boolean
  readonly tracks: Tracks
}

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
}

export interface AddressVerdict extends ReportableAddress {
  readonly verdict: Verdict
}

export interface AddressBookParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** Somebody's transaction added an event and is durable. */
  readonly eventsAdded: () => void
}

interface Entry extends HostAddresses {
  /** The `reported_at` that is written down. */
  readonly noted_at: Instant
}

interface Judged {
  readonly entry: Entry
  readonly verdicts: readonly AddressVerdict[]
  readonly changes: readonly AddressChange[]
  readonly events: readonly NewEvent[]
}

export class AddressBook {
  readonly #parts: AddressBookParts
  readonly #entries = new Map<string, Entry>()
  readonly #listeners: (() => void)[] = []
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: AddressBookParts) {
    this.#parts = parts
  }

  async load(): Promise<void> {
    this.#entries.clear()
    for (const reported of await this.#parts.store.reportedAddresses()) await this.#take(reported)
  }

  async #take(reported: ReportedAddress): Promise<void> {
    const { store, clock } = this.#parts
    const recent = clock.now() - reported.changed_at < FLAP_WINDOW_MS
    const history = await store.addressHistory(reported.host, recent ? RECENT_CHANGES : 1)
    const is_carried = history[0]?.actor === CARRIED_OVER
    const tracks = tracksOf(reported, recent ? history : [])
    this.#entries.set(reported.host, { reported, is_carried, tracks, noted_at: reported.reported_at })
  }

  /** A release is durable, which may have carried addresses over or given them up: here it is known after that. */
  released(): void {
    const { store, log } = this.#parts
    this.#last = this.#last
      .then(async () => {
        const stored = await store.reportedAddresses()
        const hosts = new Set(stored.map(({ host }) => host))
        for (const host of this.hosts()) if (!hosts.has(host)) this.#entries.delete(host)
        for (const reported of stored)
          if (isOther(reported, this.#entries.get(reported.host)?.reported)) await this.#take(reported)
      })
      .catch((error: unknown) => log.warn('addresses of a release not read', { error }))
  }

  /** Calls `listener` after the commit of each changed address: whoever publishes it should look. It must not throw. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  find(host: string): HostAddresses | null {
    return this.#entries.get(host) ?? null
  }

  hosts(): readonly string[] {
    return [...this.#entries.keys()].toSorted()
  }

  /** Takes what can be taken and says of each address what became of it. Throws when a change cannot be stored. */
  async report(report: AddressReport): Promise<readonly AddressVerdict[]> {
    const judged = this.#judge(report)
    if (judged.changes.length === 0 && judged.events.length === 0) return this.#note(report, judged)
    const turn = this.#last.then(() => this.#change(report))
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async #change(report: AddressReport): Promise<readonly AddressVerdict[]> {
    const { store, eventsAdded } = this.#parts
    const before = this.#entries.get(report.host)?.reported ?? null
    const { entry, verdicts, changes, events } = this.#judge(report)
    await store.write(async (tx) => {
      if (changes.length > 0) await tx.saveReportedAddress(entry.reported)
      for (const change of changes) await tx.addAddressChange(change)
      for (const event of events) await tx.addEvent(event)
      if (changes.length > 0) await tx.audit(await addressAudit(tx, report, { before, changes }))
      await report.note?.(tx)
    })
    const noted_at = changes.length > 0 ? entry.reported.reported_at : entry.noted_at
    this.#entries.set(report.host, { ...entry, noted_at })
    if (events.length > 0) eventsAdded()
    if (changes.length > 0) for (const listener of this.#listeners) listener()
    return verdicts
  }

  /** Nothing has changed but the time. That it could not be written down is no reason to send a gateway away. */
  async #note(report: AddressReport, { entry, verdicts }: Judged): Promise<readonly AddressVerdict[]> {
    const { reported, noted_at } = entry
    const known = this.#entries.has(report.host)
    const due = known && !isWithin(noted_at, reported.reported_at, NOTED_EVERY_MS)
    if (known) this.#entries.set(report.host, due ? { ...entry, noted_at: reported.reported_at } : entry)
    if (!due && report.note === null) return verdicts
    try {
      await this.#parts.store.write(async (tx) => {
        if (due) await tx.saveReportedAddress(reported)
        await report.note?.(tx)
      })
    } catch (error) {
      this.#parts.log.warn('time of an address report not kept', { host: report.host, error })
    }
    return verdicts
  }

  /** What a report makes of what is known, without doing it. */
  #judge({ host, addresses, actor }: AddressReport): Judged {
    const now = this.#parts.clock.now()
    const before = this.#entries.get(host) ?? fresh(host)
    const verdicts = addresses.map(({ address, type }) => ({
      address,
      type,
      verdict: judge(before.tracks[type], address, now),
    }))
    const after = { ...before.tracks }
    for (const { type, verdict } of verdicts) after[type] = verdict.track
    const moved = MANAGED_TYPES.filter((type) => after[type].address !== before.tracks[type].address)
    // The first report of what was carried over makes it a report.
    const confirmed = verdicts.filter(({ verdict }) => before.is_carried && verdict.kind === 'unchanged')
    const types = [...moved, ...confirmed.map(({ type }) => type)]
    const changes = types.map((type) => ({ host, type, address: after[type].address!, at: now, actor }))
    const reported: ReportedAddress = {
      host,
      ipv4: after.A.address,
      ipv6: after.AAAA.address,
      changed_at: moved.length > 0 ? now : before.reported.changed_at,
      reported_at: now,
    }
    const events = addressEvents({ host, at: now, actor, before: before.tracks, after })
    const is_carried = before.is_carried && changes.length === 0
    const entry = { reported, is_carried, tracks: after, noted_at: before.noted_at }
    return { entry, verdicts, changes, events }
  }
}

const fresh = (host: string): Entry => ({
  reported: { host, ipv4: null, ipv6: null, changed_at: 0, reported_at: 0 },
  is_carried: false,
  tracks: { A: NO_TRACK, AAAA: NO_TRACK },
  noted_at: 0,
})

const isOther = (stored: ReportedAddress, known: ReportedAddress | undefined): boolean =>
  stored.ipv4 !== known?.ipv4 || stored.ipv6 !== known.ipv6

/** A clock that was set back makes the time worth writing down again. */
const isWithin = (at: Instant, now: Instant, span: Milliseconds): boolean => now >= at && now - at < span
