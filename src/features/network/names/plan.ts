/** Which clients of the controllers get the names of their guests, and which keep theirs. Pure. */
import type { PlacedGuest } from '../../discovery/guests.ts'
import type { KeptClient } from '../../discovery/model/names-port.ts'
import type { NewRename, RenameRow } from '../records.ts'
import type { Skipped } from '../views.ts'

export interface PlacedClient extends KeptClient {
  readonly controller: string
  readonly site: string
}

export interface NamePlan {
  readonly renames: readonly NewRename[]
  readonly unchanged: number
  readonly skipped: readonly Skipped[]
}

/**
 * What we called a client last, and what came after it where it is not known that it was written. An older name of ours that
 * stands there again, or one whose write failed for certain, is somebody's own.
 */
export type OurNames = ReadonlyMap<string, ReadonlySet<string>>

export const clientKey = ({
  controller,
  site,
  mac,
}: Pick<NewRename, 'controller' | 'site' | 'mac'>): string => JSON.stringify([controller, site, mac])

export function ourNames(rows: readonly RenameRow[]): OurNames {
  const names = new Map<string, Set<string>>()
  for (const row of rows) {
    const { outcome, name } = row
    const key = clientKey(row)
    const before = names.get(key) ?? []
    if (outcome === 'written') names.set(key, new Set([name]))
    else if (outcome === null) names.set(key, new Set([...before, name]))
  }
  return names
}

/** UniFi takes no longer one. */
const MAX_NAME = 128

/** Half a character is written as another one, and would never be the same again. */
const cut = (name: string): string => name.slice(0, MAX_NAME).replace(/[\uD800-\uDBFF]$/, '')

export function planNames(
  guests: readonly PlacedGuest[],
  clients: readonly PlacedClient[],
  { ours, overwrite }: { readonly ours: OurNames; readonly overwrite: boolean },
): NamePlan {
  const renames: NewRename[] = []
  const skipped: Skipped[] = []
  let unchanged = 0
  const by_mac = Map.groupBy(clients, ({ mac }) => mac)
  for (const [mac, owners] of guestsByCard(guests)) {
    const names = owners.map(({ guest }) => guest.name)
    const skip = (reason: Skipped['reason'], client: PlacedClient | null) => {
      const { controller = null, site = null, name = null } = client ?? {}
      skipped.push({ reason, mac, guests: names, controller, site, name })
    }
    const [owner, another] = owners
    const seen = by_mac.get(mac) ?? []
    if (another !== undefined) skip('ambiguous', null)
    else if (seen.length === 0) skip('never_seen', null)
    else
      for (const client of seen) {
        const { controller, site, id: user_id, name: name_before } = client
        const name = cut(owner!.guest.name)
        if (name_before === name) unchanged++
        else if (!overwrite && isByHand(client, ours)) skip('named_by_hand', client)
        else {
          const guest = `${owner!.at}/${owner!.guest.id}`
          renames.push({ controller, site, user_id, mac, name_before, name, guest })
        }
      }
  }
  return { renames, unchanged, skipped }
}

function isByHand(client: PlacedClient, ours: OurNames): boolean {
  const { name, hostname } = client
  return name !== null && name !== hostname && ours.get(clientKey(client))?.has(name) !== true
}

/** A guest that has one card twice owns it once. */
function guestsByCard(guests: readonly PlacedGuest[]): ReadonlyMap<string, readonly PlacedGuest[]> {
  const cards = new Map<string, PlacedGuest[]>()
  for (const placed of guests)
    for (const mac of new Set(placed.guest.macs)) cards.set(mac, [...(cards.get(mac) ?? []), placed])
  return cards
}
