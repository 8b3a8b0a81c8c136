/** Discovery, which needs a key, and the views of the network, which the host itself and trusted networks may see. */
import { z } from 'zod'
import type { Core } from '../../core/core.ts'
import type { DiscoveryService } from './service.ts'
import { discoverAll, discoverClients, discoverContainers } from './discover.ts'
import { lanHosts, networkSummary } from './network/network.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { NETWORK_PAGE_HEADERS, networkPage } from './network/page.ts'
import { flag } from '../../http/body/scalars.ts'
import { Discovered, DiscoveredClients, DiscoveredContainers } from './views.ts'
import { LanHosts, NetworkSummary } from './network/views.ts'
import { ok } from '../../http/ok.ts'

interface DiscoveryParts extends Pick<Core, 'store' | 'clock'> {
  readonly lab: DiscoveryService
}

const discovery = {
  method: 'GET',
  level: 'keyed',
  tags: [
    {
      name: 'Discovery',
      description: 'What runs on container hosts, clusters and in the network, and which domain leads to it',
    },
  ],
} as const
const network = {
  method: 'GET',
  level: 'open',
  tags: [{ name: 'Network', description: 'Views of the network for people' }],
} as const

const MATCHED = `Each is matched to the domains that lead to it, by address and port or by name; what no domain leads to is
listed as \`not_exposed\`, the likeliest first, with a body for POST /api/domains, and domains that lead to nothing as \`points_at_nothing\`. What is
told is at most some seconds old.`

export const discoveryEndpoints = ({ lab, store, clock }: DiscoveryParts): readonly Endpoint[] => [
  endpoint({
    ...discovery,
    path: '/api/discover',
    id: 'discover',
    summary: 'Everything that runs on the container hosts, as guests of clusters and in the network',
    description: MATCHED,
    replies: { 200: Discovered },
    handler: async () => ok(await discoverAll({ lab, store })),
  }),
  endpoint({
    ...discovery,
    path: '/api/discover/hubA',
    id: 'discoverContainers',
    summary: 'Containers of the Docker hosts',
    description: MATCHED,
    replies: { 200: DiscoveredContainers },
    handler: async () => ok(await discoverContainers({ lab, store })),
  }),
  endpoint({
    ...discovery,
    path: '/api/discover/homelab',
    id: 'discoverClients',
    summary: 'Clients and devices of the network controllers',
    description: MATCHED,
    replies: { 200: DiscoveredClients },
    handler: async () => ok(await discoverClients({ lab, store })),
  }),
  endpoint({
    ...network,
    path: '/network',
    id: 'networkPage',
    summary: 'The network as a page',
    document: true,
    replies: {
      200: { content_type: 'text/html; charset=utf-8', description: 'A page that needs no scripts' },
    },
    handler: async () => {
      const [summary, all] = await Promise.all([
        networkSummary({ lab, store }),
        lanHosts(lab, { site: null, online_only: true }),
      ])
      return ok(networkPage({ summary, hosts: all.hosts, now: clock.now() }), NETWORK_PAGE_HEADERS)
    },
  }),
  endpoint({
    ...network,
    path: '/api/network/summary',
    id: 'networkSummary',
    summary: 'Uplinks, VPN and client counts of each site',
    replies: { 200: NetworkSummary },
    handler: async () => ok(await networkSummary({ lab, store })),
  }),
  endpoint({
    ...network,
    path: '/api/network/lan-hosts',
    id: 'lanHosts',
    summary: 'All devices in the network',
    query: z.object({
      site: z.string().max(256).optional().describe('Name or label of a site; all when left out'),
      online_only: flag().optional().describe('Default false'),
    }),
    replies: { 200: LanHosts },
    handler: async ({ query }) =>
      ok(await lanHosts(lab, { site: query.site ?? null, online_only: query.online_only ?? false })),
  }),
]
