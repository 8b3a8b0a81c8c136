/** Pages of what is looked at and not kept: one file, fetched when one of them is opened. */
export { Discover } from './discover/discover.tsx'
export { Vpn } from './vpn/vpn.tsx'
