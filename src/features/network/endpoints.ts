/** The network companion over HTTP: lists of what the controllers have. */
import { z } from 'zod'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { callerOf } from '../../http/access/caller-of.ts'
import { flag } from '../../http/body/scalars.ts'
import { withLongJson } from '../../http/long-json.ts'
import { ok } from '../../http/ok.ts'
import type { Clock } from '../../kernel/clock.ts'
import { lookAtControllers } from '../discovery/looks.ts'
import type { DiscoveryService } from '../discovery/service.ts'
import * as lists from './lists.ts'
import { EXPOSITION_TYPE } from './exposition.ts'
import { metricsText } from './metrics.ts'
import type { NameSync } from './names/sync.ts'
import type { NetworkSettings } from './settings.ts'
import * as views from './views.ts'
import type { RogueCheck } from './views.ts'

export interface NetworkParts {
  readonly lab: DiscoveryService
  readonly clock: Clock
  readonly settings: NetworkSettings
  readonly checkRogue: (guests: boolean) => Promise<RogueCheck>
  readonly names: Pick<NameSync, 'sync'>
}

const networkTag = {
  name: 'Network',
  description: 'What the network controllers have: devices, clients, Wi-Fi, networks and the firewall',
}
const look = { method: 'GET', level: 'open', tags: [networkTag] } as const

const site = z.string().min(1).max(256).optional().describe('Name or label of a site; all when left out')

interface ListEndpoint {
  readonly path: `/api/${string}`
  readonly id: string
  readonly summary: string
  readonly kind: lists.ListKind
  readonly reply: typeof views.Devices
}

const LISTS: readonly ListEndpoint[] = [
  {
    path: '/api/devices',
    id: 'devices',
    summary: 'Gateways, switches and access points',
    kind: lists.DEVICES,
    reply: views.Devices,
  },
  {
    path: '/api/port-forwards',
    id: 'portForwards',
    summary: 'Port forwards of the gateways',
    kind: lists.PORT_FORWARDS,
    reply: views.PortForwards,
  },
  {
    path: '/api/firewall-rules',
    id: 'firewallRules',
    summary: 'Firewall rules, and policies between zones',
    kind: lists.FIREWALL_RULES,
    reply: views.FirewallRules,
  },
  {
    path: '/api/firewall-groups',
    id: 'firewallGroups',
    summary: 'Groups of addresses and ports',
    kind: lists.FIREWALL_GROUPS,
    reply: views.FirewallGroups,
  },
  { path: '/api/wlans', id: 'wlans', summary: 'Wi-Fi networks', kind: lists.WLANS, reply: views.Wlans },
  {
    path: '/api/networks',
    id: 'networks',
    summary: 'Networks and VLANs',
    kind: lists.NETWORKS,
    reply: views.Networks,
  },
]

export const networkEndpoints = ({
  lab,
  clock,
  settings,
  checkRogue,
  names,
}: NetworkParts): readonly Endpoint[] => [
  ...LISTS.map(({ kind, reply, ...rest }) =>
    endpoint({
      ...look,
      ...rest,
      query: z.object({ site }),
      replies: { 200: reply },
      problems: ['component_unavailable'],
      handler: async ({ query }) => answered(await lists.listOf(lab, kind, query.site ?? null)),
    }),
  ),
  endpoint({
    ...look,
    path: '/api/clients',
    id: 'clients',
    summary: 'Clients of the network',
    query: z.object({
      site,
      all: flag().optional().describe('Those that were seen within 30 days and are not connected, too'),
    }),
    replies: { 200: views.Clients },
    problems: ['component_unavailable'],
    handler: async ({ query }) => {
      const kind = query.all === true ? lists.ALL_CLIENTS : lists.ONLINE_CLIENTS
      return answered(await lists.listOf(lab, kind, query.site ?? null))
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api/sync-names',
    id: 'syncNames',
    summary: 'Give clients the names of their guests',
    description:
      'By the cards of the guests, running or not. A name that a person gave is kept, unless overwrite says otherwise. ' +
      'Each answer holds the names before.',
    level: 'keyed',
    tags: ['Network'],
    query: z.object({
      dry_run: flag().optional().describe('Answer with what would be written and write nothing'),
      overwrite: flag().optional().describe('Also names that a person gave'),
      confirm: flag().optional().describe('Also more than 50 names'),
    }),
    replies: { 200: views.PlannedSync.or(views.SyncAnswer) },
    problems: ['component_unavailable', 'conflict', 'refused_by_guard', 'restored_from_backup'],
    respond_async: 'asked',
    handler: async (call) => {
      const { dry_run, overwrite = false, confirm = false } = call.query
      const caller = callerOf({ ...call, query: { dry_run } })
      return ok(await names.sync(caller, { overwrite, confirm }))
    },
  }),
  endpoint({
    ...look,
    path: '/api/rogue-check',
    id: 'rogueCheck',
    summary: 'Connected clients that nobody knows',
    description:
      'Known are the cards of guests, devices, clients with a name or a fixed address, and PLUMBLINE_KNOWN_MACS.',
    query: z.object({ guests: flag().optional().describe('Clients of guest networks, too') }),
    replies: { 200: views.RogueCheck },
    handler: async ({ query }) => withLongJson(ok(await checkRogue(query.guests === true))),
  }),
  endpoint({
    ...look,
    path: '/metrics',
    id: 'metrics',
    summary: 'The network in Prometheus text form',
    description:
      'What is not known has no sample. Series of each client only with PLUMBLINE_NETWORK_CLIENT_METRICS.',
    replies: { 200: { content_type: 'text/plain', description: 'Prometheus text exposition' } },
    handler: async () => {
      const [looks, { rogue, complete }] = await Promise.all([lookAtControllers(lab), checkRogue(false)])
      const text = metricsText({
        looks,
        rogue: complete === true ? rogue.length : null,
        clients: settings.client_metrics,
        now: clock.now(),
      })
      return ok(text, { 'Content-Type': EXPOSITION_TYPE })
    },
  }),
]

const answered = (answer: lists.ListAnswer) => withLongJson(ok(answer as z.output<typeof views.Devices>))
