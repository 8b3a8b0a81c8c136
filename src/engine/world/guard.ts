/**
 * Keeps an older database from destroying a newer world. Before each outside write it compares the numbers that stand in
 * the world beside our own id with the database, and then puts the database's own number there.
 *
 *   number in the world, beside our id    database                                     then
 *   none, or another installation's       any                                          written; ours is put there
 *   settled by a person's decision        any                                          written
 *   not above the newest change           has that very change                         written
 *   not above the newest change           has another change there, or none            waits
 *   above the newest change               any                                          waits
 *
 * The fourth line makes waiting last: what is committed after the start raises the database's number, and never brings
 * back the change that the world's mark names. Whoever waits waits until a person decides, in the next process too.
 *
 * A number that cannot be read stops its own place, and whatever has no number of its own; never another place:
 *
 *   the place's own number                                                        then
 *   is readable, in its holder or in the bytes of the place                       written
 *   cannot be read                                                                refused
 *   is in no holder, and another holder cannot be read                            refused
 *
 * No other holder proves anything instead: each has the number of what was written last in its own place, and an older
 * database may well know all of those.
 */
import { Failure } from '../../kernel/failure.ts'
import { REMEDY } from '../../model/undecided.ts'
import type { WorldStamp } from '../../model/world-stamp.ts'
import type { HolderFiles, HolderStamp, WorldHolder } from '../../ports/world-holder.ts'
import { newestSigned } from '../editions/newest-signed.ts'
import type { AnyTarget } from '../target.ts'
import type { WorldGuardParts } from './guard-parts.ts'
import { isUnknownTo, ownStamp, settledNumber } from './history.ts'
import {
  mayBeOlder,
  olderThanWorld,
  type UnreadableHolder,
  type WorldSide,
  type WorldStanding,
} from './standing.ts'

const MAX_LOOK_MS = 5_000

interface Seen {
  readonly glance: string | null
  readonly stamp: HolderStamp | null
}

export class WorldGuard {
  readonly #parts: WorldGuardParts
  readonly #seen = new Map<WorldHolder, Seen>()
  /** By place. */
  readonly #sides = new Map<string, WorldSide>()
  readonly #ahead = new Set<string>()
  /** Why its number is not known. */
  readonly #unread = new Map<WorldHolder, Failure>()
  /** Of decisions: what was compared before one says nothing after it. */
  #generation = 0
  /** Up to this number of the world a person has decided; null until it was read. */
  #settled: number | null = null
  #database_number = 0
  #raising: Promise<unknown> = Promise.resolve()

  constructor(parts: WorldGuardParts) {
    this.#parts = parts
  }

  /** Null for no trouble. What is known, without a look at anything. */
  failure(): Failure | null {
    return this.#ahead.size === 0 ? null : olderThanWorld(this.standing())
  }

  /** Those whose number is not known. Nothing is written where they stand. */
  unreadable(): readonly UnreadableHolder[] {
    return [...this.#unread].map(([{ world, place }, failure]) => ({ world, place, failure }))
  }

  /** Throws `restored_from_backup` while a person is to decide. */
  assertWhole(): void {
    const failure = this.failure()
    if (failure !== null) throw failure
  }

  /**
   * Why this database may be older than the world; null where it is not. What keeps a holder from being read counts where
   * this process has never read it: what it read once was not newer then, and only this process has written since.
   */
  uncertainty(): Failure | null {
    const unread = [...this.#unread].find(([holder]) => !this.#seen.has(holder))
    return this.failure() ?? (unread === undefined ? null : mayBeOlder(unread[1]))
  }

  /** Before an edit is saved, and before somebody is served what this database says. */
  assertKnownAndWhole(): void {
    const uncertainty = this.uncertainty()
    if (uncertainty !== null) throw uncertainty
  }

  /** Looks again at what could not be read, so that nobody is refused for what is mended. Never within a transaction. */
  async lookAgain(): Promise<void> {
    if (this.failure() === null && this.uncertainty() !== null)
      await this.examine(AbortSignal.timeout(MAX_LOOK_MS))
  }

  standing(): WorldStanding {
    return {
      waiting: this.#ahead.size > 0,
      database_number: this.#database_number,
      worlds: [...this.#sides.values()].map((side) => ({ ...side, ahead: this.#ahead.has(side.place) })),
    }
  }

  /** At the start, before anything is written: the holders, and what targets have found in the world themselves. */
  async examine(signal: AbortSignal): Promise<void> {
    const known = new Set(this.#unread.keys())
    await this.#lookAtAll(signal)
    for (const [{ place }, error] of [...this.#unread].filter(([holder]) => !known.has(holder)))
      this.#parts.log.warn('how far the world is cannot be told', { place, error })
  }

  /** After everything was looked at. Throws `restored_from_backup` where the settings say that the start ends then. */
  assertStart(): void {
    if (this.#parts.older_database === 'exit') this.assertWhole()
  }

  /** What a look of a target has found in the world. */
  async found(target: AnyTarget, observed: unknown): Promise<void> {
    const stamp = target.stampIn?.(observed) ?? null
    if (stamp !== null) await this.#note({ world: target.name, place: target.place, stamp })
  }

  /** Before each write: throws `restored_from_backup` where the world is ahead, and what keeps it from being known. */
  async assertNewest(target: AnyTarget, observed: unknown, signal: AbortSignal): Promise<void> {
    await this.#lookAtAll(signal)
    await this.found(target, observed)
    this.assertWhole()
    const failure = this.#unproven(target, observed)
    if (failure !== null) throw failure
  }

  /**
   * Puts the database's number beside what the component is about to write: first the number, then the write, so that
   * nothing outside is ever newer than its number. One after another, because two passes have one number for one file.
   * @param bears_number the write itself brings the number, so it goes on where no holder takes it
   */
  raise(component: string, signal: AbortSignal, { bears_number = false } = {}): Promise<void> {
    const raised = this.#raising
      .then(() => this.#raiseNow(component, signal))
      .catch((error: unknown) => {
        if (!bears_number || !(error instanceof Failure)) throw error
        this.#parts.log.warn('no holder took the number of a write', { component, error })
      })
    this.#raising = raised.catch(() => undefined)
    return raised
  }

  /** Puts the database's number there for a change that nothing is written outside for. Throws as a write would. */
  async announce(signal: AbortSignal): Promise<void> {
    await this.#lookAtAll(signal)
    this.assertWhole()
    await this.raise('', signal)
  }

  /** How far the database is. */
  async own(): Promise<WorldStamp> {
    const own = await ownStamp(this.#parts.store)
    this.#database_number = own.number
    return own
  }

  /**
   * What the newest of the worlds that are ahead holds, so far as we have signed it (a gateway elsewhere and DNS hold
   * nothing), and what there is unsigned. Files that somebody has put back meanwhile count. Throws where one cannot be
   * read: it may be the newest.
   */
  async newestHeld(signal: AbortSignal): Promise<HolderFiles> {
    await this.#lookAtAll(signal)
    for (const { failure } of this.unreadable()) throw failure
    const ahead = this.#parts.holders.filter(({ place }) => this.#ahead.has(place))
    return newestSigned(ahead, (stamp) => this.#isAhead(stamp), signal)
  }

  /** A person has decided, and the decision is durable. Nothing is let through before all was compared with it. */
  async resumed(): Promise<void> {
    this.#generation += 1
    this.#settled = null
    for (const place of this.#ahead) {
      const side = this.#sides.get(place)
      if (side !== undefined && (await this.#isAhead(side.stamp))) continue
      // One that was put there meanwhile is compared by whoever saw it.
      if (this.#sides.get(place) === side) this.#ahead.delete(place)
    }
  }

  async #lookAtAll(signal: AbortSignal): Promise<void> {
    for (const holder of this.#parts.holders)
      try {
        await this.#look(holder, signal)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        this.#unread.set(holder, error)
      }
  }

  async #look(holder: WorldHolder, signal: AbortSignal): Promise<void> {
    const glance = holder.glance()
    const before = this.#seen.get(holder)
    const is_as_read = before !== undefined && glance !== null && before.glance === glance
    const stamp = is_as_read ? before.stamp : await holder.stamp(signal)
    // Also of a file that stands as it stood: the database under us may be an older one by now.
    if (stamp !== null) await this.#note({ world: holder.world, place: holder.place, stamp })
    this.#seen.set(holder, { glance, stamp })
    this.#unread.delete(holder)
  }

  /** Why it is not known whether the target's place is newer than the database; null where it is known. */
  #unproven(target: AnyTarget, observed: unknown): Failure | null {
    const [first] = this.#unread.values()
    if (first === undefined) return null
    const in_place = target.bears_number === true ? (target.stampIn?.(observed) ?? null) : null
    if (this.#isOurs(in_place)) return null
    const own = this.#ownOf(target.name)
    return this.#unread.get(own) ?? (this.#isOurs(this.#seen.get(own)?.stamp ?? null) ? null : first)
  }

  /** Only while there are holders. */
  #ownOf(component: string): WorldHolder {
    const { holders } = this.#parts
    return holders.find(({ world }) => world === component) ?? holders[0]!
  }

  #isOurs(stamp: WorldStamp | null): boolean {
    return stamp?.installation_id === this.#parts.store.installation_id
  }

  async #note(side: WorldSide): Promise<void> {
    if (!this.#isOurs(side.stamp)) return
    this.#sides.set(side.place, side)
    const is_ahead = await this.#isAhead(side.stamp)
    const was_waiting = this.#ahead.size > 0
    if (is_ahead) this.#ahead.add(side.place)
    if (was_waiting || this.#ahead.size === 0) return
    const { database_number, worlds } = this.standing()
    this.#parts.log.error('the world is newer than the database: nothing is written outside', {
      database_number,
      worlds: worlds.map(({ world, place, stamp, ahead }) => ({ world, place, number: stamp.number, ahead })),
      remedy: REMEDY,
    })
  }

  /** Against the newest decision: one that comes while it is compared has it compared again. */
  async #isAhead(stamp: WorldStamp): Promise<boolean> {
    for (;;) {
      const generation = this.#generation
      const settled = this.#settled ?? (await settledNumber(this.#parts.store))
      const is_ahead =
        stamp.number > settled && (await isUnknownTo(this.#parts.store, await this.own(), stamp))
      if (generation !== this.#generation) continue
      this.#settled = settled
      return is_ahead
    }
  }

  /** Never over one that cannot be read: it may be newer. */
  async #raiseNow(component: string, signal: AbortSignal): Promise<void> {
    const { holders } = this.#parts
    if (holders.length === 0) return
    const stamp = await this.own()
    const own = this.#ownOf(component)
    const first = await this.#tryPut(own, stamp, signal)
    if (first === null) return
    // All others stop an older database then: a folder that cannot be written must not keep a revoked key in another place.
    const others = holders.filter((holder) => holder !== own)
    const failures = await Promise.all(others.map((holder) => this.#tryPut(holder, stamp, signal)))
    if (!failures.includes(null)) throw first
  }

  async #tryPut(holder: WorldHolder, stamp: WorldStamp, signal: AbortSignal): Promise<Failure | null> {
    try {
      const unread = this.#unread.get(holder)
      if (unread === undefined) await this.#put(holder, stamp, signal)
      return unread ?? null
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return error
    }
  }

  async #put(holder: WorldHolder, stamp: WorldStamp, signal: AbortSignal): Promise<void> {
    const stands = this.#seen.get(holder)?.stamp ?? null
    // One that an earlier version wrote gets its signature.
    const is_known = stands !== null && stands.number === stamp.number && stands.mark === stamp.mark
    if (is_known && stands.signed) return
    await holder.write({ stamp, ...(await this.#parts.content()) }, signal)
    this.#seen.set(holder, { glance: holder.glance(), stamp: { ...stamp, signed: true } })
    this.#sides.set(holder.place, { world: holder.world, place: holder.place, stamp })
  }
}
