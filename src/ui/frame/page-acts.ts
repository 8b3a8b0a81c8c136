/** What can be done on a page, as the palette offers it: `?do=add` begins it there. */
export interface PageAct {
  readonly to: string
  readonly text: string
}

/** One that needs a thing to be chosen first leads to the page with its list. */
export const PAGE_ACTS: readonly PageAct[] = [
  { to: '/people?do=invite', text: 'Invite a person' },
  { to: '/people', text: 'Revoke or regroup a person' },
  { to: '/certificates?do=obtain', text: 'Obtain certificates now' },
  { to: '/dns?do=adopt', text: 'Take a DNS record over' },
  { to: '/ddns?do=issue', text: 'Issue a key of dynamic DNS' },
  { to: '/ddns', text: 'Rotate or end a key of dynamic DNS' },
  { to: '/ssh?do=add', text: 'Add a key of an SSH client' },
  { to: '/edges?do=add', text: 'Add an edge' },
  { to: '/edges', text: 'Drain an edge, or take it out' },
  { to: '/inventory?do=next-free', text: 'Next free number and address' },
  { to: '/inventory?do=check', text: 'Check a number' },
  { to: '/vpn', text: 'Read the VPN gateways' },
  { to: '/lan?do=names', text: 'Give clients the names of their guests' },
]
