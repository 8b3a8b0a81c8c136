/** Pages of what is looked at and not kept: one file, fetched when one of them is opened. */
export { Inventory } from './inventory/inventory.tsx'
export { Vpn } from './vpn/vpn.tsx'
