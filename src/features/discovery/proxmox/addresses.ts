/**
 * What is known of the guests' addresses. Nobody tells them all at once: each guest is asked for itself, and an agent may
 * hang. So they are read in the background, few at a time, kept for a while, and a look takes what is there: a guest that
 * was not asked yet says so.
 */
import { mapLimit } from '../../../kernel/async/map-limit.ts'
import { SingleFlight } from '../../../kernel/async/single-flight.ts'
import type { Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { GuestMemory, Replaced } from '../model/guest-memory-port.ts'
import type { ListedGuest } from './read-guests.ts'
import { type GuestSettings, readInterfaces, readSettings } from './read-settings.ts'
import { hasRunSince, isSameRun, startOf } from './same-run.ts'
import { Unusable } from '../model/unusable.ts'
import { isSilentNode, type ProxmoxSession } from './session.ts'
import { KeptGuests } from './guest-memory.ts'

export interface GuestAddresses {
  readonly macs: readonly string[]
  readonly addresses: readonly string[]
  /** Those that its settings say. */
  readonly fixed: readonly string[]
  readonly detail: string | null
  readonly is_unread?: true
}

interface Kept extends GuestAddresses {
  readonly guest: ListedGuest
  /** What its inside said, as long as it says nothing else. */
  readonly reported: readonly string[]
  readonly replaced: Replaced | null
  readonly until_ms: Milliseconds
}

/** So long nobody sees that an address was changed: the shorter, the better; but reading takes a tenth of the time at most. */
const KEEP_MS: Milliseconds = 30_000
const KEEP_AT_MOST_MS: Milliseconds = 5 * 60_000
const SETTINGS_AT_ONCE = 6
const INSIDES_AT_ONCE = 2
const NOT_READ: GuestAddresses = {
  macs: [],
  addresses: [],
  fixed: [],
  detail: 'its addresses were not read yet',
  is_unread: true,
}

interface Listed {
  readonly guests: readonly ListedGuest[]
  /** There is no guest that it leaves out. */
  readonly is_whole: boolean
}

export class AddressIndex {
  readonly #session: ProxmoxSession
  readonly #memory: KeptGuests
  readonly #end = new AbortController()
  readonly #kept = new Map<string, Kept>()
  #keep_ms = KEEP_MS
  readonly #reading = new SingleFlight((listed: Listed) => this.#round(listed))

  constructor(session: ProxmoxSession, memory: GuestMemory) {
    this.#session = session
    this.#memory = new KeptGuests(memory)
  }

  of({ id }: ListedGuest): GuestAddresses {
    return this.#kept.get(id) ?? NOT_READ
  }

  /**
   * Resolves when everything that is due was read. Throws only what a store throws of which nothing can be read. A round that
   * is under way is joined.
   */
  refresh(listed: Listed): Promise<void> {
    return this.#reading.join(listed)
  }

  async close(): Promise<void> {
    this.#end.abort(new Error('closed'))
    await this.#reading.running?.catch(() => undefined)
  }

  async #round({ guests, is_whole }: Listed): Promise<void> {
    const listed = new Set(guests.map(({ id }) => id))
    for (const id of this.#kept.keys()) if (!listed.has(id)) this.#kept.delete(id)
    await this.#recall(guests)
    await this.#read(guests)
    const now = [...this.#kept].map(([guest, { macs, fixed, reported, replaced }]) => ({
      guest,
      macs,
      fixed,
      reported,
      replaced,
    }))
    await this.#memory.keep(now, is_whole ? listed : null)
  }

  /** Of guests that are new here: as they were before the start, until they are read. */
  async #recall(guests: readonly ListedGuest[]): Promise<void> {
    const remembered = await this.#memory.all()
    for (const guest of guests) {
      const before = remembered.get(guest.id)
      if (before === undefined || this.#kept.has(guest.id)) continue
      const { macs, fixed, reported } = before
      const replaced = hasRunSince(before.replaced, guest, this.#session.clock.now()) ? before.replaced : null
      const addresses = [...new Set([...reported, ...fixed, ...(replaced?.addresses ?? [])])]
      const known = { macs, fixed, reported, addresses, replaced }
      this.#kept.set(guest.id, { ...NOT_READ, ...known, guest, until_ms: -Infinity })
    }
  }

  async #read(guests: readonly ListedGuest[]): Promise<void> {
    const due = guests.filter((guest) => this.#isDue(guest))
    const began_ms = this.#session.clock.elapsed()
    const silent = new Set<string>()
    const inside: { readonly guest: ListedGuest; readonly settings: GuestSettings }[] = []
    const note = (
      guest: ListedGuest,
      { answer, settings }: { answer: AddressAnswer; settings: GuestSettings | null },
    ) => {
      if (answer.is_node_silent) silent.add(guest.node)
      this.#keep(guest, answer, settings)
    }
    await this.#each(due, SETTINGS_AT_ONCE, async (guest, signal) => {
      if (silent.has(guest.node)) return note(guest, { answer: SILENT, settings: null })
      const settings = await askSettings(this.#session, guest, signal).catch((error: unknown) => {
        if (signal.aborted) throw error
        note(guest, { answer: failureOf(error), settings: null })
        return null
      })
      if (settings === null) return
      if (hasInside(guest, settings)) inside.push({ guest, settings })
      else note(guest, { answer: withoutInside(guest, settings), settings })
    })
    await this.#each(inside, INSIDES_AT_ONCE, async (one, signal) => {
      const { guest, settings } = one
      const { macs } = settings
      const answer = silent.has(guest.node) ? SILENT : await askInside(this.#session, guest, { macs, signal })
      note(guest, { answer, settings })
    })
    if (due.length === 0) return
    const took_ms = this.#session.clock.elapsed() - began_ms
    this.#keep_ms = Math.min(Math.max(KEEP_MS, took_ms * 10), KEEP_AT_MOST_MS)
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

  /** A guest that cannot tell any more keeps the addresses that it told, but not those that its settings said and do not say now. */
  #keep(guest: ListedGuest, answer: AddressAnswer, settings: GuestSettings | null): void {
    const kept = this.#kept.get(guest.id)
    const before = kept !== undefined && isAnother(kept, settings) ? undefined : kept
    const fixed = settings?.addresses ?? before?.fixed ?? []
    const changed = before?.fixed.filter((address) => !fixed.includes(address)) ?? []
    const has_reported = answer.addresses.length > 0
    const goes_on = before !== undefined && isSameRun(before.guest, guest)
    const had = before?.reported.filter((address) => goes_on || !changed.includes(address)) ?? []
    const reported = has_reported ? answer.addresses : had
    const now = this.#session.clock.now()
    const had_replaced =
      before !== undefined && hasRunSince(before.replaced, guest, now) ? before.replaced : null
    const still = goes_on && !has_reported ? [...(had_replaced?.addresses ?? []), ...changed] : []
    const started_at = had_replaced?.started_at ?? startOf(guest, now)
    const replaced = still.length === 0 ? null : { addresses: [...new Set(still)], started_at }
    this.#kept.set(guest.id, {
      guest,
      macs: settings?.macs ?? before?.macs ?? [],
      addresses: [...new Set([...reported, ...fixed, ...still])],
      fixed,
      reported,
      replaced,
      detail: answer.detail,
      ...(settings === null && (before === undefined || before.is_unread === true) && { is_unread: true }),
      until_ms: this.#session.clock.elapsed() + this.#keep_ms,
    })
  }
}

/** Its number was given to another one while nobody looked. */
const isAnother = ({ is_unread, macs }: Kept, settings: GuestSettings | null): boolean =>
  is_unread === true &&
  settings !== null &&
  macs.length > 0 &&
  settings.macs.length > 0 &&
  !settings.macs.some((mac) => macs.includes(mac))

const SILENT: AddressAnswer = { addresses: [], detail: 'its node does not answer', is_node_silent: true }

function withoutInside({ state }: ListedGuest, { has_others }: GuestSettings): AddressAnswer {
  const why =
    state === 'running'
      ? 'it has no guest agent, so only its network knows its address'
      : 'it has no fixed address and does not run'
  return { addresses: [], detail: has_others ? why : null, is_node_silent: false }
}

// What is asked about one guest: its configuration, and who knows its addresses while it runs.

interface AddressAnswer {
  readonly addresses: readonly string[]
  /** Null when nothing is missing. */
  readonly detail: string | null
  /** Its node does not answer, so nobody else on it needs to be asked. */
  readonly is_node_silent: boolean
}

const SETTINGS_WITHIN_MS = 5000
/** An agent that hangs blocks the node's worker, too; one that answers does so at once. */
const INSIDE_WITHIN_MS = 2500

const pathOf = ({ node, kind, vmid }: ListedGuest): string =>
  `/nodes/${encodeURIComponent(node)}/${kind}/${vmid}`

/** Throws `Unusable`, a Failure, or the signal's reason. */
async function askSettings(
  session: ProxmoxSession,
  guest: ListedGuest,
  signal: AbortSignal,
): Promise<GuestSettings> {
  const deadline_ms = SETTINGS_WITHIN_MS
  return readSettings(await session.data(`${pathOf(guest)}/config`, { signal, deadline_ms }))
}

/** Whether its inside can tell more than its settings do. */
const hasInside = ({ kind, state }: ListedGuest, { has_others, has_agent }: GuestSettings): boolean =>
  state === 'running' && (kind === 'qemu' ? has_agent : has_others)

/** What runs in it tells: the agent of a virtual machine, the kernel of a container. Throws only the signal's reason. */
async function askInside(
  session: ProxmoxSession,
  guest: ListedGuest,
  { macs, signal }: { readonly macs: readonly string[]; readonly signal: AbortSignal },
): Promise<AddressAnswer> {
  const path = guest.kind === 'qemu' ? '/agent/network-get-interfaces' : '/interfaces'
  try {
    const data = await session.data(pathOf(guest) + path, { signal, deadline_ms: INSIDE_WITHIN_MS })
    const addresses = readInterfaces(data, macs)
    return addresses === null
      ? untold('what it says of its interfaces cannot be read')
      : { addresses, detail: null, is_node_silent: false }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    return failureOf(error)
  }
}

/** Rethrows what is no failure of the other side. */
function failureOf(error: unknown): AddressAnswer {
  if (error instanceof Unusable) {
    const rights =
      error.status === 403 ? '; agents are asked with VM.GuestAgent.Audit (VM.Monitor before 9)' : ''
    return { ...untold(error.message + rights), is_node_silent: isSilentNode(error.status) }
  }
  if (error instanceof Failure) return untold(error.message.replace(/\.$/, ''))
  throw error
}

const untold = (detail: string): AddressAnswer => ({ addresses: [], detail, is_node_silent: false })
