/**
 * What is known of the guests' addresses. Nobody tells them all at once: each guest is asked for itself, and an agent may
 * hang. So they are read in the background, few at a time, kept for a while, and a look takes what is there: a guest that
 * was not asked yet says so.
 */
import type { Milliseconds } from '../../../kernel/clock.ts'
import { mapLimit } from '../../../kernel/async/map-limit.ts'
import { SingleFlight } from '../../../kernel/async/single-flight.ts'
import { askInside, askSettings, hasInside, type Told, troubleOf } from './ask-guest.ts'
import type { ListedGuest } from './read-guests.ts'
import type { GuestSettings } from './read-settings.ts'
import type { ProxmoxSession } from './session.ts'

export interface GuestAddresses {
  readonly macs: readonly string[]
  readonly addresses: readonly string[]
  readonly detail: string | null
}

interface Kept extends GuestAddresses {
  readonly guest: ListedGuest
  readonly until_ms: Milliseconds
}

const KEEP_MS: Milliseconds = 5 * 60_000
const SETTINGS_AT_ONCE = 6
const INSIDES_AT_ONCE = 2
const NOT_READ: GuestAddresses = { macs: [], addresses: [], detail: 'its addresses were not read yet' }

export class AddressBook {
  readonly #session: ProxmoxSession
  readonly #end = new AbortController()
  readonly #kept = new Map<string, Kept>()
  readonly #reading = new SingleFlight((guests: readonly ListedGuest[]) => this.#round(guests))

  constructor(session: ProxmoxSession) {
    this.#session = session
  }

  of({ id }: ListedGuest): GuestAddresses {
    return this.#kept.get(id) ?? NOT_READ
  }

  /** Resolves when everything that is due was read. Never rejects. A round that is under way is joined. */
  refresh(guests: readonly ListedGuest[]): Promise<void> {
    return this.#reading.join(guests)
  }

  async close(): Promise<void> {
    this.#end.abort(new Error('closed'))
    await this.#reading.running
  }

  async #round(guests: readonly ListedGuest[]): Promise<void> {
    const listed = new Set(guests.map(({ id }) => id))
    for (const id of this.#kept.keys()) if (!listed.has(id)) this.#kept.delete(id)
    const due = guests.filter((guest) => this.#isDue(guest))
    const silent = new Set<string>()
    const inside: { readonly guest: ListedGuest; readonly settings: GuestSettings }[] = []
    const note = (guest: ListedGuest, { told, settings }: { told: Told; settings: GuestSettings | null }) => {
      if (told.is_node_silent) silent.add(guest.node)
      this.#keep(guest, told, settings)
    }
    await this.#each(due, SETTINGS_AT_ONCE, async (guest, signal) => {
      if (silent.has(guest.node)) return note(guest, { told: SILENT, settings: null })
      const settings = await askSettings(this.#session, guest, signal).catch((error: unknown) => {
        if (signal.aborted) throw error
        note(guest, { told: troubleOf(error), settings: null })
        return null
      })
      if (settings === null) return
      if (hasInside(guest, settings)) inside.push({ guest, settings })
      else note(guest, { told: withoutInside(guest, settings), settings })
    })
    await this.#each(inside, INSIDES_AT_ONCE, async (one, signal) => {
      const { guest, settings } = one
      const { macs } = settings
      const told = silent.has(guest.node) ? SILENT : await askInside(this.#session, guest, { macs, signal })
      note(guest, { told, settings })
    })
  }

  /** Soon after the end nothing is under way any more, and what fails then is the end's. */
  async #each<T>(
    all: readonly T[],
    at_once: number,
    work: (one: T, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const { signal } = this.#end
    await mapLimit(all, { at_once }, async (one) => {
      if (signal.aborted) return
      await work(one, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
    })
  }

  /** Settings change with a start, and so may everything else. */
  #isDue(guest: ListedGuest): boolean {
    const kept = this.#kept.get(guest.id)
    if (kept === undefined || this.#session.clock.elapsed() >= kept.until_ms) return true
    const { node, state, uptime_s } = kept.guest
    return node !== guest.node || state !== guest.state || (guest.uptime_s ?? 0) < (uptime_s ?? 0)
  }

  /** A guest that cannot tell any more keeps the addresses that it told. */
  #keep(guest: ListedGuest, told: Told, settings: GuestSettings | null): void {
    const before = this.#kept.get(guest.id)
    const had = told.addresses.length === 0 ? (before?.addresses ?? []) : []
    this.#kept.set(guest.id, {
      guest,
      macs: settings?.macs ?? before?.macs ?? [],
      addresses: [...new Set([...told.addresses, ...(settings?.addresses ?? []), ...had])],
      detail: told.detail,
      until_ms: this.#session.clock.elapsed() + KEEP_MS,
    })
  }
}

const SILENT: Told = { addresses: [], detail: 'its node does not answer', is_node_silent: true }

function withoutInside({ state }: ListedGuest, { has_others, addresses }: GuestSettings): Told {
  const is_told = !has_others || addresses.length > 0
  const why =
    state === 'running'
      ? 'it has no guest agent, so only its network knows its address'
      : 'it has no fixed address and does not run'
  return { addresses: [], detail: is_told ? null : why, is_node_silent: false }
}
