/** The pages of the rail, one line each, in the order in which they are shown. */
import type { IconName } from '../parts/icons.tsx'

export interface PageLink {
  readonly to: string
  readonly name: string
  readonly icon: IconName
}

/** On a phone they are the tabs. */
export const PLACES: readonly PageLink[] = [
  { to: '/', name: 'Overview', icon: 'overview' },
  { to: '/domains', name: 'Domains', icon: 'domains' },
  { to: '/drift', name: 'Drift', icon: 'drift' },
  { to: '/changes', name: 'Changes', icon: 'changes' },
]

export const KEPT_TRUE: readonly PageLink[] = [
  { to: '/dns', name: 'DNS', icon: 'dns' },
  { to: '/certificates', name: 'Certificates', icon: 'cert' },
  { to: '/access', name: 'Access', icon: 'access' },
  { to: '/people', name: 'People', icon: 'people' },
  { to: '/ddns', name: 'Dynamic DNS', icon: 'ddns' },
  { to: '/ssh', name: 'SSH clients', icon: 'ssh' },
  { to: '/edges', name: 'Edges', icon: 'edges' },
]

export const LOOKED_AT: readonly PageLink[] = [
  { to: '/map', name: 'Map', icon: 'map' },
  { to: '/lan', name: 'Network', icon: 'network' },
  { to: '/discover', name: 'Discover', icon: 'discover' },
  { to: '/inventory', name: 'Inventory', icon: 'inventory' },
  { to: '/vpn', name: 'VPN', icon: 'vpn' },
  { to: '/system', name: 'System', icon: 'system' },
]
