/** What is taken in of guests and of the setting, compared with the rows that there are. Pure. */
import type { Instant } from '../../../kernel/clock.ts'
import { foldedName, isNumberedOf, namesFor, withoutNumber } from './names.ts'
import { type ProxyHost, SSH_PORT, type SshTarget } from '../records.ts'
import type { ListedTarget } from '../settings.ts'

export interface SeenGuest {
  readonly cluster: string
  readonly vmid: number
  readonly name: string
  readonly is_running: boolean
  /** Fit to be reached; the best first. */
  readonly addresses: readonly string[]
  /** It bears the tag `no-ssh`. */
  readonly is_excluded: boolean
}

export interface SeenGuests {
  readonly guests: readonly SeenGuest[]
  /** Clusters that have shown all that they have. */
  readonly whole: ReadonlySet<string>
  /** Null: no cluster is configured. */
  readonly complete: boolean | null
}

export interface Wanted {
  readonly listed: readonly ListedTarget[]
  /** Of guests. */
  readonly user: string
  /** Where names lead now. Left out: nowhere. */
  readonly released?: readonly ProxyHost[]
}

export interface SyncPlan {
  /** All of them as they are to be. */
  readonly rows: readonly SshTarget[]
  readonly added: readonly string[]
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  /** Leads elsewhere from now on. */
  readonly moved: readonly { readonly name: string; readonly from: string; readonly to: string }[]
  /** The guest is there no more; the row stays. */
  readonly lost: readonly string[]
  /** Taken out of the setting, or excluded by the tag. */
  readonly removed: readonly string[]
  readonly unchanged: number
}

export const guestId = ({ cluster, vmid }: Pick<SeenGuest, 'cluster' | 'vmid'>): string =>
  `guest:${cluster}/${vmid}`
const settingId = (name: string): string => `setting:${name}`

/** @param seen null: guests are not asked, and what is known of them stays */
export function planSync(
  before: readonly SshTarget[],
  seen: SeenGuests | null,
  wanted: Wanted & { readonly at: Instant },
): SyncPlan {
  const old = new Map(before.map((row) => [row.id, row]))
  const guests = new Map((seen?.guests ?? []).map((guest) => [guestId(guest), guest]))
  const listed = new Map(wanted.listed.map((entry) => [settingId(entry.name), entry]))
  const covering = coveredBy(wanted.listed, guests)
  const covered = new Map([...covering].map(([id, guest]) => [guestId(guest), id]))
  const taken = [...guests].flatMap(([id, guest]) => {
    if (guest.is_excluded || covered.has(id)) return []
    const address = addressFor(guest, old.get(id))
    return address === null ? [] : [{ id, guest, address }]
  })
  const ids = new Set(taken.map(({ id }) => id))
  const rest = before.filter((row) => row.source === 'guest' && !ids.has(row.id))
  const removed = [
    ...rest.filter(({ id }) => guests.get(id)?.is_excluded === true || covered.has(id)),
    ...before.filter(({ id, source }) => source === 'setting' && !listed.has(id)),
  ]
  const dropped = new Set(removed)
  const left = rest.filter((row) => !dropped.has(row)).map((row) => withoutGuest(row, seen, wanted.at))
  const names = namesFor(
    taken.map(({ id, guest: { name: called, cluster, vmid } }) => {
      const was = old.get(id)
      return { id, called, cluster, vmid, ...(was?.state === 'present' && { had: was.name }) }
    }),
    {
      names: [...wanted.listed, ...left.filter(isPresent)].map(({ name }) => name),
      owners: ownersOf(before, taken, wanted.released ?? []),
      vmids: [...guests.values(), ...left].flatMap(({ vmid }) => vmid ?? []),
      called: [
        ...[...covering.values()].map(({ name }) => name),
        ...left.filter(isPresent).flatMap((row) => calledBy(row)),
      ],
    },
  )
  const rows = [
    ...[...listed].map(([id, entry]) => listedRow(id, entry, { guest: covering.get(id), old: old.get(id) })),
    ...taken.map(({ id, guest, address }) =>
      guestRow({ ...guest, id, address, name: names.get(id)!, user: wanted.user }, old.get(id)),
    ),
    ...left,
  ]
  return { rows, ...changesBetween(old, rows), removed: removed.map(({ name }) => name).toSorted() }
}

/** What a guest that nobody sees now may be called, by the name that its row has. */
const calledBy = ({ name, cluster, vmid }: SshTarget): readonly string[] =>
  cluster === null || vmid === null ? [] : withoutNumber(name, { cluster, vmid })

const isPresent = ({ state }: SshTarget): boolean => state === 'present'

/**
 * Whose the names are that rows have and those that are released: a guest may take up again where its address leads. What led to
 * a guest that is gone is free.
 */
function ownersOf(
  before: readonly SshTarget[],
  taken: readonly { readonly id: string; readonly address: string }[],
  released: readonly ProxyHost[],
): ReadonlyMap<string, string> {
  const lost = new Set(before.filter((row) => !isPresent(row)).map(({ name }) => name))
  const by_address = new Map(taken.map(({ id, address }) => [address, id]))
  return new Map([
    ...released
      .filter(({ name }) => !lost.has(name))
      .map(({ name, address }) => [name, by_address.get(address) ?? UNKNOWN_HOLDER] as const),
    ...before.filter(isPresent).map(({ name, id }) => [name, id] as const),
  ])
}

const UNKNOWN_HOLDER = ''

/** Guests that the setting speaks of, by the id of its entry: of the same name, with its number or without, at the same address. */
function coveredBy(
  listed: readonly ListedTarget[],
  guests: ReadonlyMap<string, SeenGuest>,
): ReadonlyMap<string, SeenGuest> {
  return new Map(
    [...guests.values()].flatMap((guest) => {
      const entry = listed.find(({ name, host }) => guest.addresses.includes(host) && isNameFor(guest, name))
      return entry === undefined ? [] : [[settingId(entry.name), guest] as const]
    }),
  )
}

const isNameFor = ({ name: called, cluster, vmid }: SeenGuest, name: string): boolean =>
  name === foldedName(called) || isNumberedOf({ called, cluster, vmid }, name)

/** The one that it has already, as long as it is among them; a guest whose addresses nobody sees keeps it. */
function addressFor({ addresses, is_running }: SeenGuest, old: SshTarget | undefined): string | null {
  if (old !== undefined && (addresses.length === 0 || !is_running || addresses.includes(old.address)))
    return old.address
  return is_running ? (addresses[0] ?? null) : null
}

/** Gone is only what its cluster, seen in whole, does not have. */
function withoutGuest(row: SshTarget, seen: SeenGuests | null, at: Instant): SshTarget {
  const is_lost = row.state === 'present' && row.cluster !== null && seen?.whole.has(row.cluster) === true
  return is_lost ? { ...row, state: 'gone', lost_at: at } : row
}

const UNSEEN = { host_key: null, key_origin: null, shown_key: null, shown_at: null } as const

interface GuestFacts {
  readonly id: string
  readonly name: string
  readonly address: string
  readonly user: string
  readonly cluster: string
  readonly vmid: number
}

/** A key belongs to the guest, wherever it moves. */
function guestRow(
  { id, name, address, user, cluster, vmid }: GuestFacts,
  old: SshTarget | undefined,
): SshTarget {
  const facts = { id, name, address, user, cluster, vmid, port: SSH_PORT, source: 'guest' } as const
  const { host_key, key_origin, shown_key, shown_at } = old ?? UNSEEN
  return { ...facts, state: 'present', lost_at: null, host_key, key_origin, shown_key, shown_at }
}

function listedRow(
  id: string,
  { name, user, host, port, host_key }: ListedTarget,
  { guest, old }: { readonly guest: SeenGuest | undefined; readonly old: SshTarget | undefined },
): SshTarget {
  const [cluster, vmid] =
    guest === undefined ? [old?.cluster ?? null, old?.vmid ?? null] : [guest.cluster, guest.vmid]
  const facts = { id, name, address: host, port, user, source: 'setting', cluster, vmid } as const
  const is_there = { state: 'present', lost_at: null } as const
  const is_same = old !== undefined && old.address === host && old.port === port
  if (host_key === null) {
    // What the setting said once was never a contact of ours.
    const { key_origin, ...keys } = is_same && old.key_origin !== 'setting' ? old : UNSEEN
    const { host_key: known, shown_key, shown_at } = keys
    return { ...facts, ...is_there, host_key: known, key_origin, shown_key, shown_at }
  }
  const is_shown = is_same && old.shown_key !== null && old.shown_key !== host_key
  const shown = is_shown ? { shown_key: old.shown_key, shown_at: old.shown_at } : {}
  return { ...facts, ...is_there, ...UNSEEN, host_key, key_origin: 'setting', ...shown }
}

function changesBetween(
  old: ReadonlyMap<string, SshTarget>,
  rows: readonly SshTarget[],
): Omit<SyncPlan, 'rows' | 'removed'> {
  const pairs = rows.map((row) => ({ row, was: old.get(row.id) }))
  const is_back = ({ row, was }: (typeof pairs)[number]) =>
    was === undefined || (was.state === 'gone' && row.state === 'present')
  const both = pairs.flatMap((pair) =>
    pair.was === undefined || is_back(pair) ? [] : [{ row: pair.row, was: pair.was }],
  )
  const place = ({ user, address, port }: SshTarget) => `${user}@${address}:${port}`
  const renamed = both.filter(({ row, was }) => row.name !== was.name)
  const moved = both.filter(({ row, was }) => place(row) !== place(was))
  const lost = both.filter(({ row, was }) => row.state === 'gone' && was.state === 'present')
  const changed = new Set([...renamed, ...moved, ...lost].map(({ row }) => row.id))
  return {
    added: pairs
      .filter(is_back)
      .map(({ row }) => row.name)
      .toSorted(),
    renamed: renamed.map(({ row, was }) => ({ from: was.name, to: row.name })),
    moved: moved.map(({ row, was }) => ({ name: row.name, from: place(was), to: place(row) })),
    lost: lost.map(({ row }) => row.name).toSorted(),
    unchanged: both.filter(({ row }) => !changed.has(row.id)).length,
  }
}
