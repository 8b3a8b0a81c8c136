/** The shapes that the network companion answers. */
import { z } from 'zod'
import { complete, sources, text } from '../discovery/views.ts'
import { Planned } from '../../http/common-views.ts'
import { type Fields, shapeOf } from './fields.ts'
import { RENAME_OUTCOMES } from './records.ts'
import { CLIENT, DEVICE, FIREWALL_GROUP, NETWORK, PORT_FORWARD, WLAN } from './rows.ts'
import type { Answered } from '../../http/contract.ts'
import { instant } from '../../http/body/scalars.ts'

const SKIP_REASONS = ['never_seen', 'ambiguous', 'named_by_hand'] as const

const FIREWALL_KINDS = ['rule', 'policy'] as const

const place = { controller: z.string(), site: z.string().describe('The controller’s own name of it') }

const list = (id: string, row: z.ZodObject) =>
  z
    .object({ data: z.array(row), count: z.int(), complete, sources })
    .meta({ id, description: 'A field that the controller does not send is left out' })

const listOf = (id: string, fields: Fields, more: Readonly<Record<string, z.ZodType>> = {}) =>
  list(id, z.object({ ...place, ...shapeOf(fields), ...more }))

export const FirewallSide = z.object({
  zone: text(),
  target: text(),
  addresses: z.array(z.string()),
  network_ids: z.array(z.string()),
  macs: z.array(z.string()),
  group_ids: z.array(z.string()),
  port: text(),
})
export type FirewallSide = Answered<typeof FirewallSide>

export const FirewallRow = z.object({
  kind: z.enum(FIREWALL_KINDS).describe('rule: of a firewall without zones; policy: of one with zones'),
  _id: text(),
  name: text(),
  enabled: z.boolean().nullable(),
  action: text(),
  index: z.number().nullable(),
  ruleset: text().describe('Of a rule'),
  ip_version: text(),
  protocol: text(),
  ports: text().describe('At the destination; null: any, or a group names them'),
  source: FirewallSide,
  destination: FirewallSide,
  states: z.array(z.string()).describe('States of a connection that it is for; empty: all'),
  logging: z.boolean().nullable(),
  predefined: z.boolean().nullable().describe('The controller made it itself'),
})
export type FirewallRow = Answered<typeof FirewallRow>

export const UnknownClient = z.object({
  ...place,
  mac: z.string(),
  randomized: z.boolean().describe('Its MAC is one that devices make up for each Wi-Fi'),
  address: text(),
  hostname: text(),
  vendor: text(),
  network: text(),
  vlan: z.number().nullable(),
  wired: z.boolean().nullable(),
  guest: z.boolean(),
  first_seen: instant().nullable(),
  last_seen: instant().nullable(),
  uplink: z
    .object({ mac: z.string(), name: text(), port: z.number().nullable() })
    .nullable()
    .describe('The switch or access point that it is connected to'),
})
export type UnknownClient = Answered<typeof UnknownClient>

export const RogueCheck = z
  .object({
    ok: z
      .boolean()
      .nullable()
      .describe('Null: none was found, and a source is not known in whole or none is configured'),
    complete,
    checked_at: instant().nullable(),
    known: z.int().describe('Connected clients that are known'),
    rogue: z.array(UnknownClient),
    undecided: z
      .array(UnknownClient)
      .describe('Nobody is known to know them, and a source that could is not known in whole'),
    sources,
  })
  .meta({ id: 'RogueCheck', description: 'Connected clients that nobody knows' })
export type RogueCheck = Answered<typeof RogueCheck>

export const Devices = listOf('Devices', DEVICE)
export const Clients = listOf('Clients', CLIENT, {
  online: z.boolean().nullable().describe('Null where it is not known who is connected'),
})
export const PortForwards = listOf('PortForwards', PORT_FORWARD)
export const FirewallRules = list('FirewallRules', z.object({ ...place, ...FirewallRow.shape }))
export const FirewallGroups = listOf('FirewallGroups', FIREWALL_GROUP)
export const Wlans = listOf('Wlans', WLAN)
export const Networks = listOf('Networks', NETWORK)

const rename = z.object({
  ...place,
  user_id: z.string().describe('Under which the controller keeps the client'),
  mac: z.string(),
  name_before: text().describe('Null: it had none'),
  name: z.string(),
  guest: z.string().describe('Cluster and id of the guest, such as lab/qemu/101'),
})

export const Skipped = z.object({
  reason: z
    .enum(SKIP_REASONS)
    .describe('never_seen: no controller keeps the card; ambiguous: several guests have it'),
  mac: z.string(),
  guests: z.array(z.string()),
  controller: text(),
  site: text(),
  name: text().describe('The name that it keeps'),
})
export type Skipped = Answered<typeof Skipped>

export const SyncAnswer = z
  .object({
    success: z.boolean().describe('False where a name that was to be written is not, or may not be'),
    dry_run: z.boolean(),
    renamed: z.array(rename).describe('Of a dry run, what would be renamed'),
    unchanged: z.int(),
    skipped: z.array(Skipped),
    failed: z.array(rename.extend({ why: z.string() })),
    recovered: z
      .array(rename.extend({ outcome: z.enum(RENAME_OUTCOMES) }))
      .describe('Writes of an earlier run that was cut off, and what became of them'),
  })
  .meta({ id: 'SyncedNames' })
export type SyncAnswer = Answered<typeof SyncAnswer>

export const PlannedSync = SyncAnswer.extend(Planned.shape).meta({ id: 'PlannedNames' })
