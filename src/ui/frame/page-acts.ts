/** What can be done on a page, as the palette offers it: `?do=add` begins it there. */
import type { IconName } from '../parts/icons.tsx'

export interface PageAct {
  readonly to: string
  readonly text: string
  readonly icon: IconName
}

/** One that needs a thing to be chosen first leads to the page with its list. */
export const PAGE_ACTS: readonly PageAct[] = [
  { to: '/people?do=invite', text: 'Invite a person', icon: 'people' },
  { to: '/people', text: 'Revoke or regroup a person', icon: 'people' },
  { to: '/certificates?do=obtain', text: 'Obtain certificates now', icon: 'cert' },
  { to: '/dns?do=adopt', text: 'Take a DNS record over', icon: 'dns' },
  { to: '/ddns?do=issue', text: 'Issue a key of dynamic DNS', icon: 'ddns' },
  { to: '/ddns', text: 'Rotate or end a key of dynamic DNS', icon: 'ddns' },
  { to: '/ssh?do=add', text: 'Add a key of an SSH client', icon: 'ssh' },
  { to: '/edges?do=add', text: 'Add an edge', icon: 'edges' },
  { to: '/edges', text: 'Drain an edge, or take it out', icon: 'edges' },
  { to: '/inventory?do=next-free', text: 'Next free number and address', icon: 'inventory' },
  { to: '/inventory?do=check', text: 'Check a number', icon: 'inventory' },
  { to: '/vpn', text: 'Read the VPN gateways', icon: 'vpn' },
  { to: '/lan?do=names', text: 'Give clients the names of their guests', icon: 'network' },
]
