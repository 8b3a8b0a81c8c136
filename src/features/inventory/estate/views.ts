/** The shape of assets, of what cannot both be right, and of what nobody stands behind: declared once. */
import { z } from 'zod'
import type { Answered } from '../../../http/contract.ts'
import { instant } from '../../../http/body/scalars.ts'

export const ASSET_STATES = [
  'running',
  'stopped',
  'paused',
  'suspended',
  'unknown',
  'template',
  'online',
  'offline',
] as const

const ASSET_KINDS = ['qemu', 'lxc', 'node', 'device'] as const

export const CLAIM_SOURCES = ['proxmox', 'unifi', 'docker', 'domain', 'gateway', 'ssh_target'] as const

export const ORPHAN_KINDS = [
  'domain_without_asset',
  'reservation_without_asset',
  'name_without_asset',
  'ssh_target_without_asset',
  'dns_record_without_domain',
] as const

const SEVERITIES = ['error', 'warning'] as const

const NETWORK_REASONS = ['in_dhcp_pool', 'fixed_lease_differs', 'not_by_scheme'] as const

const text = () => z.string().nullable()
export const asset = {
  vmid: z.int().nullable().describe('Null for hosts and devices, which have none'),
  name: z.string(),
  kind: z.enum(ASSET_KINDS),
  cluster: z.string().describe('Name of the cluster or controller'),
  node: text(),
  purpose: text().describe('By the scheme of VMIDs; null outside of it'),
  sequence: z.int().nullable(),
  in_scheme: z.boolean().nullable().describe('Null while the nodes are not known'),
  state: z.enum(ASSET_STATES),
  template: z.boolean(),
  addresses: z.array(z.string()).describe('As far as they are known; of a stopped one, those that it had'),
  macs: z.array(z.string()),
  tags: z.array(z.string()),
  domains: z.array(z.string()).describe('Names that lead to it'),
  ssh_target: text().describe('Its name at the SSH gateway; null where it is none there'),
  detail: text().describe('What is not known of its addresses, and what would help'),
}

export const GuestPlace = z.object({
  cluster: z.string(),
  id: z.string().describe('Unique within its cluster, such as qemu/101'),
  vmid: z.int(),
  name: z.string(),
  node: z.string(),
})

export type GuestPlace = Answered<typeof GuestPlace>

const severity = z.enum(SEVERITIES)

export const ShownClaim = z.object({
  source: z.enum(CLAIM_SOURCES),
  at: z.string().describe('Name of the cluster, controller or host'),
  name: z.string(),
  vmid: z.int().nullable(),
  mac: text(),
  online: z.boolean(),
})

export const AddressConflict = z.object({ address: z.string(), severity, holders: z.array(ShownClaim) })

export type AddressConflict = Answered<typeof AddressConflict>

export const VmidConflict = z.object({ vmid: z.int(), severity, holders: z.array(GuestPlace) })

export type VmidConflict = Answered<typeof VmidConflict>

export const MacConflict = z.object({ mac: z.string(), severity, holders: z.array(GuestPlace) })

export type MacConflict = Answered<typeof MacConflict>

export const NetworkConflict = z.object({
  reason: z.enum(NETWORK_REASONS),
  severity,
  address: z.string(),
  expected: text().describe('The address that the lease or the scheme says'),
  holder: GuestPlace,
  why: z.string(),
})

export type NetworkConflict = Answered<typeof NetworkConflict>

export const conflicts = {
  ip: z.array(AddressConflict).describe('One address, several holders'),
  vmid: z.array(VmidConflict).describe('One number in several clusters'),
  mac: z.array(MacConflict).describe('One card on several guests'),
  network: z.array(NetworkConflict).describe('An address where the network or the scheme says otherwise'),
}

export const Orphan = z.object({
  kind: z.enum(ORPHAN_KINDS),
  id: z.string(),
  name: z.string(),
  since: instant().nullable().describe('Null where nobody knows since when'),
  why: z.string(),
  helps: z.string(),
})

export type Orphan = Answered<typeof Orphan>
