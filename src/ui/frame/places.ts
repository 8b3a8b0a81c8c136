/** The pages of the rail, one line each, in the order in which they are shown. */
import type { IconName } from '../parts/icons.tsx'

export interface PageLink {
  readonly to: string
  readonly name: string
  readonly icon: IconName
  /** After `g`. */
  readonly key: string
}

/** On a phone they are the tabs. */
export const PLACES: readonly PageLink[] = [
  { to: '/', name: 'Overview', icon: 'overview', key: 'o' },
  { to: '/domains', name: 'Domains', icon: 'domains', key: 'd' },
  { to: '/drift', name: 'Drift', icon: 'drift', key: 'x' },
  { to: '/changes', name: 'Changes', icon: 'changes', key: 'c' },
]

export const KEPT_TRUE: readonly PageLink[] = [
  { to: '/dns', name: 'DNS', icon: 'dns', key: 'n' },
  { to: '/certificates', name: 'Certificates', icon: 'cert', key: 't' },
  { to: '/access', name: 'Access', icon: 'access', key: 'a' },
  { to: '/people', name: 'People', icon: 'people', key: 'p' },
  { to: '/ddns', name: 'Dynamic DNS', icon: 'ddns', key: 'y' },
  { to: '/ssh', name: 'SSH clients', icon: 'ssh', key: 'h' },
  { to: '/edges', name: 'Edges', icon: 'edges', key: 'e' },
]

export const LOOKED_AT: readonly PageLink[] = [
  { to: '/map', name: 'Map', icon: 'map', key: 'm' },
  { to: '/lan', name: 'Network', icon: 'network', key: 'l' },
  { to: '/discover', name: 'Discover', icon: 'discover', key: 'f' },
  { to: '/inventory', name: 'Inventory', icon: 'inventory', key: 'i' },
  { to: '/vpn', name: 'VPN', icon: 'vpn', key: 'v' },
  { to: '/system', name: 'System', icon: 'system', key: 's' },
]

export const ALL_PLACES: readonly PageLink[] = [...PLACES, ...KEPT_TRUE, ...LOOKED_AT]
