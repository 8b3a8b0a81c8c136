/** The shapes that the views of the network answer. */
import { z } from 'zod'
import { FORWARD_PROTOCOLS } from '../model/inbound-port.ts'
import { complete, LanHostView, sources, text } from '../views.ts'
import type { Answered } from '../../../http/contract.ts'

export const ForwardView = z.object({
  name: z.string(),
  enabled: z.boolean(),
  uplink: z.string(),
  protocol: z.enum(FORWARD_PROTOCOLS),
  from: text().describe('Null: everybody'),
  ports: z.string().describe('On the outside, such as 443 or 8000-8010'),
  to_address: z.string(),
  to_ports: z.string(),
  to_name: text().describe('Who is there, where the network knows'),
  explained: z
    .boolean()
    .nullable()
    .describe('It leads to the proxy or to the backend of a domain. Null: cannot be told'),
  why: z.string(),
  domains: z.array(z.string()),
})
export type ForwardView = Answered<typeof ForwardView>

export const InboundRuleView = z.object({
  name: z.string(),
  lets_in: z.boolean(),
  to: z.string().describe('Zone, or gateway'),
  protocol: z.string(),
  ports: text().describe('Null: any, or not told'),
})
export type InboundRuleView = Answered<typeof InboundRuleView>

export const ProxyReach = z.object({
  port: z.int(),
  reaches: z.boolean().nullable().describe('Null: cannot be told'),
  evidence: z.string(),
})
export type ProxyReach = Answered<typeof ProxyReach>

export const InboundView = z.object({
  has_gateway: z
    .boolean()
    .nullable()
    .describe(
      'False: the controller manages none at this site, so nothing is known of what comes in. Null: not known',
    ),
  forwards: z.array(ForwardView).nullable().describe('Null where they are not known'),
  rules: z
    .array(InboundRuleView)
    .nullable()
    .describe(
      'Firewall rules of people for new connections from the internet. Null where they are not known',
    ),
  proxy: z.array(ProxyReach).describe('Whether TCP ports 80 and 443 of the uplink lead to the proxy'),
  unreadable: z.int().describe('Port forwards that could not be read'),
  detail: text().describe('What could not be read'),
})
export type InboundView = Answered<typeof InboundView>

const heading = { configured: z.boolean(), complete, sources }

export const SiteSummary = z.object({
  controller: z.string(),
  site: z.string(),
  label: z.string(),
  wan: z
    .array(
      z.object({
        name: z.string(),
        status: z.string().describe('As the controller says: ok, warning, error, unknown'),
        address: text(),
        latency_ms: z.number().nullable(),
        uptime_s: z.number().nullable(),
      }),
    )
    .nullable()
    .describe('Null where they are not known'),
  vpn: z.object({
    status: text().describe('Null where the site has none, or it is not known'),
    active: z.number().nullable().describe('Users and tunnels that are up'),
  }),
  clients: z
    .object({
      online: z.int(),
      wired: z.int(),
      wireless: z.int(),
      guest: z.int(),
      known: z.int().nullable().describe('Seen within 30 days; null where that is not known'),
    })
    .nullable()
    .describe('Null where it is not known who is connected'),
  devices: z
    .object({ total: z.int(), offline: z.int() })
    .nullable()
    .describe('Null where they are not known'),
  inbound: InboundView,
})
export type SiteSummary = Answered<typeof SiteSummary>

export const NetworkSummary = z
  .object({
    ...heading,
    sites: z.array(SiteSummary).nullable().describe('Null where nothing is known'),
  })
  .meta({ id: 'NetworkSummary' })
export type NetworkSummary = Answered<typeof NetworkSummary>

export const LanHosts = z
  .object({
    ...heading,
    hosts: z.array(LanHostView).nullable().describe('Null where nothing is known'),
  })
  .meta({ id: 'LanHosts' })
export type LanHosts = Answered<typeof LanHosts>
