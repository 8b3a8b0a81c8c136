/** One Proxmox VE host or cluster: its guests, over any of its nodes, with an API token that only needs to read. */
import type { Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import { asFlag, asRecord, asRecords, asText } from '../../../kernel/text/lenient.ts'
import { withTimeout } from '../../../kernel/async/with-timeout.ts'
import type { ClusterNode, GuestCluster, Guests } from '../model/guests-port.ts'
import type { LabLook } from '../model/lab-port.ts'
import type { GuestMemory } from '../model/guest-memory-port.ts'
import { AddressIndex } from './addresses.ts'
import { type ListedGuest, readGuests } from './read-guests.ts'
import { failureOf, Unusable } from '../model/unusable.ts'
import { ProxmoxSession, type SessionOptions } from './session.ts'

export interface OpenCluster extends GuestCluster {
  /** Ends what is read in the background. */
  close(): Promise<void>
}

/** So long a look waits for addresses; what comes later is in the next one. */
const ADDRESSES_WITHIN_MS: Milliseconds = 3000
const ASKED_WITHIN_MS: Milliseconds = 3000
const SEE = 'See PLUMBLINE_PROXMOX and its token.'

interface ClusterOptions extends SessionOptions {
  /** What its guests told before. */
  readonly memory: GuestMemory
}

export function proxmoxCluster({ memory, ...options }: ClusterOptions): OpenCluster {
  const { name, clock } = options
  const session = new ProxmoxSession(options)
  const address_index = new AddressIndex(session, memory)
  return {
    name,
    async look(signal): Promise<LabLook<Guests>> {
      try {
        return { known: true, state: await readAll(session, address_index, signal), at: clock.now() }
      } catch (error) {
        if (signal.aborted) throw signal.reason
        return { known: false, ...failureOf(name, error, SEE), at: clock.now() }
      }
    },
    isTaken: (vmid, signal) => isTaken(session, vmid, signal),
    close: () => address_index.close(),
  }
}

/** `/cluster/nextid?vmid=N` refuses a number that is taken (400), whatever the token may see. */
async function isTaken(session: ProxmoxSession, vmid: number, signal: AbortSignal): Promise<boolean | null> {
  try {
    await session.data(`/cluster/nextid?vmid=${vmid}`, { signal, deadline_ms: ASKED_WITHIN_MS })
    return false
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof Unusable) return error.status === 400 ? true : null
    if (error instanceof Failure) return null
    throw error
  }
}

async function readAll(
  session: ProxmoxSession,
  address_index: AddressIndex,
  signal: AbortSignal,
): Promise<Guests> {
  // The first call alone: a token that is not accepted is tried once, not three times.
  const version = asText(asRecord(await session.data('/version', { signal }))['version'])
  if (version === null) throw new Unusable('unreadable', 'what answers is not a Proxmox VE API')
  const [resources, missing, nodes] = await Promise.all([
    session.data('/cluster/resources?type=vm', { signal }),
    askMissing(session, signal),
    askNodes(session, signal),
  ])
  const listed = readGuests(resources)
  if (listed === null) throw new Unusable('unreadable', 'the list of guests is not what Proxmox VE promises')
  // No guests and no right to see any look the same.
  if (listed.guests.length === 0 && missing !== null)
    throw new Unusable('refused', `it shows no guests, and ${missing}`)
  // A round that takes longer goes on; the next look meets its trouble, and tells it.
  const bound = { clock: session.clock, ms: ADDRESSES_WITHIN_MS, signal }
  const { unreadable } = listed
  const all = [...listed.guests, ...listed.templates]
  await withTimeout(
    bound,
    () => address_index.refresh({ guests: all, is_whole: missing === null && unreadable === 0 }),
    () => undefined,
  )
  const placed = (all: readonly ListedGuest[]) => all.map((one) => guestOf(one, address_index))
  const [guests, templates] = [placed(listed.guests), placed(listed.templates)]
  return { version, guests, templates, nodes, unreadable, missing }
}

/** Only what numbers them by name needs them: a cluster that does not tell them is read all the same. */
async function askNodes(
  session: ProxmoxSession,
  signal: AbortSignal,
): Promise<readonly ClusterNode[] | null> {
  try {
    const rows = asRecords(await session.data('/nodes', { signal }))
    const nodes = rows?.flatMap((row): ClusterNode[] => {
      const name = asText(row['node'])
      const status = asText(row['status'])
      return name === null
        ? []
        : [{ name, state: status === 'online' || status === 'offline' ? status : 'unknown' }]
    })
    return nodes?.toSorted((a, b) => (a.name < b.name ? -1 : 1)) ?? null
  } catch (error) {
    if (error instanceof Unusable) return null
    throw error
  }
}

async function askMissing(session: ProxmoxSession, signal: AbortSignal): Promise<string | null> {
  try {
    return missingFor(await session.data('/access/permissions', { signal }))
  } catch (error) {
    if (error instanceof Unusable) return `whether that is all cannot be told: ${error.message}`
    throw error
  }
}

function guestOf(listed: ListedGuest, address_index: AddressIndex) {
  const { id, kind, vmid, name, node, state, tags } = listed
  const { macs, addresses, fixed, detail, is_unread } = address_index.of(listed)
  const unread = is_unread === true ? { is_unread } : {}
  return { id, kind, vmid, name, node, state, tags, macs, addresses, fixed, detail, ...unread }
}

/**
 * Does a token see every guest? Proxmox VE leaves out of its lists whatever a token may not see, and says nothing: an empty
 * list may as well be a token without rights. `/access/permissions` tells what it may, by path. Pure.
 */
const SEES_GUESTS = 'VM.Audit'
/** The value of a privilege says whether it holds for what lies below, too. */
const ABOVE_ALL_GUESTS = ['/', '/vms']

/** Null when it sees all of them; else what is wrong, as a sentence without its end. */
function missingFor(permissions: unknown): string | null {
  const paths = asRecord(permissions)
  if (ABOVE_ALL_GUESTS.some((path) => asFlag(asRecord(paths[path])[SEES_GUESTS]) === true)) return null
  const some = Object.keys(paths).filter((path) => SEES_GUESTS in asRecord(paths[path]))
  const seen = some.length === 0 ? 'has it nowhere' : `has it only for ${some.slice(0, 5).join(', ')}`
  return (
    `the token needs ${SEES_GUESTS} on /vms to see all guests and ${seen}: give the role PVEAuditor on / to the user, ` +
    'and to the token where its privileges are separated'
  )
}
