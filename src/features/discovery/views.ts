/** The shapes that discovery answers. */
import { z } from 'zod'
import { CONTAINER_STATES, HEALTH } from './model/container.ts'
import { STATUSES } from '../../model/domain/record.ts'
import { GUEST_KINDS, GUEST_STATES } from './model/guest.ts'
import { SOURCE_KINDS } from './model/lab-port.ts'
import { MATCHED_BY } from './model/match.ts'
import type { Answered } from '../../http/contract.ts'
import { instant } from '../../http/body/scalars.ts'

const NOTHING_REASONS = [
  'no_such_address',
  'offline',
  'port_not_published',
  'not_running',
  'no_such_container',
] as const

export const LIKELIHOODS = ['high', 'medium', 'low'] as const

export const text = () => z.string().nullable()
const named = { domain_id: z.int(), domain: z.string() }

export const SourceView = z.object({
  kind: z.enum(SOURCE_KINDS),
  configured: z.boolean(),
  name: text(),
  known: z.boolean().nullable().describe('False: what runs there is unknown. Null: nothing is configured'),
  reason: z.enum(['unreachable', 'refused', 'unreadable']).nullable(),
  detail: text().describe(
    'What was tried and what would help; of a known source, why its list may not be whole',
  ),
  observed_at: instant().nullable(),
  count: z.int().nullable().describe('Entries that were read'),
  unreadable: z.int().describe('Entries that could not be read'),
})
export type SourceView = Answered<typeof SourceView>

export const sources = z.array(SourceView)

export const complete = z
  .boolean()
  .nullable()
  .describe(
    'False: a source is unknown or tells only a part, so no list is whole. Null: nothing is configured',
  )

const matches = z
  .array(
    z.object({
      ...named,
      status: z.enum(STATUSES),
      by: z.enum(MATCHED_BY).describe('address and name say nothing of the port'),
    }),
  )
  .describe('Domains that lead there')

export const ContainerView = z.object({
  host: z.string(),
  id: z.string(),
  name: z.string(),
  image: text(),
  state: z.enum(CONTAINER_STATES),
  health: z.enum(HEALTH).nullable().describe('Null without a health check'),
  project: text().describe('Of Compose'),
  service: text().describe('Of Compose'),
  networks: z.array(z.object({ name: z.string(), addresses: z.array(z.string()) })),
  ports: z.array(
    z.object({
      protocol: z.string(),
      private_port: z.int(),
      public_port: z.int().nullable().describe('Null where it is not published'),
      address: text().describe('Null: published on all addresses of the host'),
    }),
  ),
  is_on_host_network: z.boolean(),
  domains: matches,
})
export type ContainerView = Answered<typeof ContainerView>

export const GuestView = z.object({
  cluster: z.string(),
  id: z.string().describe('Unique within its cluster, such as qemu/101'),
  kind: z.enum(GUEST_KINDS),
  vmid: z.int(),
  name: z.string(),
  node: z.string(),
  state: z.enum(GUEST_STATES),
  tags: z.array(z.string()),
  macs: z.array(z.string()),
  addresses: z.array(z.string()).describe('As far as they are known; of a stopped one, those that it had'),
  detail: text().describe('Why addresses are not known; null when nothing is missing'),
  domains: matches,
})
export type GuestView = Answered<typeof GuestView>

export const LanHostView = z.object({
  controller: z.string(),
  site: z.string(),
  kind: z.enum(['client', 'device']),
  mac: z.string(),
  name: z.string(),
  hostname: text(),
  address: text(),
  online: z.boolean(),
  wired: z.boolean().nullable(),
  guest: z.boolean(),
  network: text(),
  vlan: z.number().nullable(),
  vendor: text(),
  last_seen: instant().nullable(),
})
export type LanHostView = Answered<typeof LanHostView>

const CreateBody = z
  .object({
    domain: z.string(),
    service_type: z.literal('http'),
    environment: z.literal('production'),
    backend_host: z.string(),
    backend_port: z.int(),
  })
  .describe('Ready for POST /api/domains')

export const ClientView = LanHostView.extend({ domains: matches })
export type ClientView = Answered<typeof ClientView>

export const Suggestion = z.object({
  body: CreateBody,
  assumed: z.array(z.string()).describe('Fields that are a guess'),
})
export type Suggestion = Answered<typeof Suggestion>

export const Unexposed = z.object({
  source: z.enum(SOURCE_KINDS),
  at: z.string().describe('Name of the host, cluster or controller'),
  name: z.string(),
  likelihood: z.enum(LIKELIHOODS).describe('That somebody wants a domain for it'),
  why: z.string(),
  suggestion: Suggestion.nullable().describe('Null where there is nothing that could be suggested'),
})
export type Unexposed = Answered<typeof Unexposed>

export const HeldBy = z.object({ source: z.enum(SOURCE_KINDS), at: z.string(), name: z.string() })
export type HeldBy = Answered<typeof HeldBy>

export const PointsAtNothing = z.object({
  ...named,
  status: z.enum(STATUSES),
  backend_host: z.string(),
  backend_port: z.int().nullable(),
  reason: z.enum(NOTHING_REASONS),
  held_by: HeldBy.nullable().describe(
    'Who has that address or name and does not answer; null where nobody has',
  ),
})
export type PointsAtNothing = Answered<typeof PointsAtNothing>

const found = {
  sources,
  complete,
  not_exposed: z
    .array(Unexposed)
    .nullable()
    .describe('Null while it cannot be known: none was found, and a source is unknown or none is configured'),
  points_at_nothing: z
    .array(PointsAtNothing)
    .nullable()
    .describe('Null while it cannot be known: a source is unknown, or none is configured'),
  not_judged: z.int().nullable().describe('Domains that point where no source can tell'),
}
const containers = z.array(ContainerView).nullable().describe('Null where nothing is known of any host')
const guests = z.array(GuestView).nullable().describe('Null where nothing is known of any cluster')
const clients = z.array(ClientView).nullable().describe('Null where nothing is known of any controller')

export const Discovered = z.object({ ...found, containers, guests, clients }).meta({ id: 'Discovery' })
export type Discovered = Answered<typeof Discovered>
export const DiscoveredContainers = z.object({ ...found, containers }).meta({ id: 'ContainerDiscovery' })
export type DiscoveredContainers = Answered<typeof DiscoveredContainers>
export const DiscoveredClients = z.object({ ...found, clients }).meta({ id: 'ClientDiscovery' })
export type DiscoveredClients = Answered<typeof DiscoveredClients>
