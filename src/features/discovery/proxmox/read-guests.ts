/** From `/cluster/resources` to guests without their addresses, which it does not tell. Pure, and lenient about types. */
import { asFlag, asNumber, asRecord, asText, type Json } from '../../../kernel/text/lenient.ts'
import { GUEST_KINDS, GUEST_STATES, type GuestState } from '../model/guest.ts'
import type { Guest } from '../model/guests-port.ts'

export interface ListedGuest extends Pick<
  Guest,
  'id' | 'kind' | 'vmid' | 'name' | 'node' | 'state' | 'tags'
> {
  /** Null where it is not told. A smaller one than before: it was started anew. */
  readonly uptime_s: number | null
}

export interface ListedGuests {
  readonly guests: readonly ListedGuest[]
  readonly templates: readonly ListedGuest[]
  readonly unreadable: number
}

/** Null for what is no list. */
export function readGuests(data: unknown): ListedGuests | null {
  if (!Array.isArray(data)) return null
  const rows = data.map(asRecord).filter(isGuest)
  const guests = inOrder(rows.filter((row) => !isTemplate(row)).flatMap((row) => readGuest(row) ?? []))
  const templates = inOrder(rows.filter(isTemplate).flatMap((row) => readGuest(row) ?? []))
  const untyped = data.filter((row) => asText(asRecord(row)['type']) === null).length
  return {
    guests,
    templates,
    unreadable: untyped + rows.length - guests.length - templates.length,
  }
}

const inOrder = (guests: readonly ListedGuest[]): ListedGuest[] =>
  guests.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.vmid - b.vmid))

/** The same list may hold storages and nodes. */
const isGuest = (row: Json): boolean => GUEST_KINDS.some((kind) => kind === row['type'])

/** It never runs. */
const isTemplate = (row: Json): boolean => asFlag(row['template']) === true

function readGuest(row: Json): ListedGuest | null {
  const kind = GUEST_KINDS.find((one) => one === row['type'])
  const vmid = asNumber(row['vmid'])
  const node = asText(row['node'])
  if (kind === undefined || vmid === null || !Number.isInteger(vmid) || vmid < 1 || node === null) return null
  return {
    id: `${kind}/${vmid}`,
    kind,
    vmid,
    name: asText(row['name']) ?? `${kind === 'qemu' ? 'VM' : 'CT'} ${vmid}`,
    node,
    state: stateOf(asText(row['status'])),
    tags: (asText(row['tags']) ?? '').split(/[;, ]+/).filter((tag) => tag !== ''),
    uptime_s: asNumber(row['uptime']),
  }
}

const stateOf = (text: string | null): GuestState => GUEST_STATES.find((state) => state === text) ?? 'unknown'
