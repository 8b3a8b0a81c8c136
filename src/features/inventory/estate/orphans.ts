/** Entries that nobody stands behind any more: of each kind, or not known while a source is not. Pure. */
import { type Instant, type Milliseconds, isoTimeOrNull } from '../../../kernel/clock.ts'
import { shellWord } from '../../../kernel/text/shell-word.ts'
import { evaluatePointing } from '../../discovery/nothing.ts'
import { placeOf, whyNothing } from '../../discovery/nothing-words.ts'
import { placedContainers } from '../../discovery/placed.ts'
import { type Estate, gapsIn, isConfigured } from './estate.ts'
import type { ORPHAN_KINDS, Orphan } from './views.ts'
export type OrphanKind = (typeof ORPHAN_KINDS)[number]

/** Null: not known. */
export type OrphansOf = (estate: Estate, now: Instant) => readonly Orphan[] | null

/** A client that was not seen for so long may be gone. */
const UNSEEN_MS: Milliseconds = 30 * 86_400_000

export const domainsWithoutAsset: OrphansOf = (estate) => {
  const { clusters, controllers, hosts } = estate.looks
  if (estate.complete !== true) return null
  const { points_at_nothing } = evaluatePointing(estate.domains, {
    containers: hosts.length === 0 ? null : placedContainers(hosts),
    guests: clusters.length === 0 ? null : estate.guests,
    are_guests_all: true,
    hosts:
      controllers.length === 0
        ? null
        : controllers.flatMap(({ name: at, look }) =>
            look.known ? look.state.sites.flatMap((site) => site.hosts.map((host) => ({ at, host }))) : [],
          ),
    networks: estate.lans.map(({ cidr }) => cidr),
  })
  return points_at_nothing.map((one) => ({
    kind: 'domain_without_asset',
    id: String(one.domain_id),
    name: one.domain,
    since: null,
    why: `It leads to ${placeOf(one)}: ${whyNothing(one)}.`,
    helps: `Start what it leads to, lead it elsewhere (plumbline set ${shellWord(one.domain)} backend_host=…), or remove it (plumbline rm ${shellWord(one.domain)}).`,
  }))
}

export const reservationsWithoutAsset: OrphansOf = (estate, now) => {
  if (!isConfigured(estate, ['unifi']) || gapsIn(estate, ['unifi', 'proxmox']).length > 0) return null
  const cards = new Set(estate.guests.flatMap(({ guest }) => guest.macs))
  return estate.hosts
    .filter(
      ({ mac, fixed_address, online, last_seen }) =>
        fixed_address !== null && !online && !cards.has(mac) && now - (last_seen ?? 0) > UNSEEN_MS,
    )
    .map(({ mac, name, fixed_address, last_seen }) => ({
      kind: 'reservation_without_asset',
      id: mac,
      name,
      since: isoTimeOrNull(last_seen),
      why: `The controller keeps ${fixed_address ?? ''} for it, and it was not seen for 30 days.`,
      helps: 'Forget the client at the controller, or turn its fixed address off there.',
    }))
}
