/** The shape of every answer of dynamic DNS, declared once. */
import { z } from 'zod'
import { ADDRESS_SOURCES } from '../../model/domain/address-sources.ts'
import { CARRIED_OVER, MANAGED_TYPES } from '../../model/network/dns.ts'
import { Planned } from '../../http/common-views.ts'
import { NOT_IN_FORCE } from './hosts/in-force.ts'
import type { Answered } from '../../http/contract.ts'
import { instant } from '../../http/body/scalars.ts'

const TOKEN_STATES = ['valid', 'rotation_due', 'ending', 'ended'] as const

const PUBLISHED_STATES = ['in_place', 'pending', 'different', 'unknown'] as const

export const TokenView = z
  .object({
    id: z.string(),
    host: z.string().describe('The one name that it can report addresses for'),
    label: z.string(),
    state: z
      .enum(TOKEN_STATES)
      .describe('rotation_due: older than the quarter and without a successor, valid all the same'),
    created_at: instant(),
    expires_at: instant().nullable().describe('Null while it is valid without end'),
    last_used_at: instant().nullable(),
  })
  .meta({ id: 'SiteToken' })
export type TokenView = Answered<typeof TokenView>

export const ListedToken = TokenView.extend({
  has_record: z
    .boolean()
    .describe('False where no record that is not disabled has its name, so that it opens nothing'),
}).meta({ id: 'ListedSiteToken' })
export type ListedToken = Answered<typeof ListedToken>

const answer_fields = {
  success: z.literal(true),
  message: z.string(),
  warnings: z.array(z.string()),
  token: TokenView,
}

export const RouterLines = z
  .object({
    url: z.string().describe('The address of the connection counts; with &ip=… behind it, that one'),
    curl: z.string(),
    unifi: z
      .object({
        service: z.literal('custom'),
        hostname: z.string(),
        username: z.string(),
        password: z.string(),
        server: z.string(),
      })
      .describe('The fields of the form'),
    inadyn: z.string(),
    ddclient: z.string(),
  })
  .describe('What is typed into a router, ready to be copied')
export type RouterLines = Answered<typeof RouterLines>

export const TokenAnswer = z
  .object({
    ...answer_fields,
    key: z.string().describe('The secret. It is shown this once and kept nowhere'),
    lines: RouterLines,
  })
  .meta({ id: 'SiteTokenIssued' })
export type TokenAnswer = Answered<typeof TokenAnswer>

export const RevokedAnswer = z.object(answer_fields).meta({ id: 'SiteTokenRevoked' })
export type RevokedAnswer = Answered<typeof RevokedAnswer>

const type = z.enum(MANAGED_TYPES)

export const FlappingView = z.object({ type, held: z.string(), asked: z.string(), until: instant() })
export type FlappingView = Answered<typeof FlappingView>

const flapping = z
  .array(FlappingView)
  .describe('Types whose address goes back and forth, so that one is held')

const waiting = z
  .array(z.object({ type, address: z.string(), due_at: instant() }))
  .describe('What was reported too soon, and when it is taken if nothing else is reported until then')

const refused = z
  .object({ at: instant(), code: z.string(), detail: z.string() })
  .nullable()
  .describe('The last report, where it was refused and none was taken since; forgotten with a restart')

export const RotationView = z.object({
  next_at: instant().describe('The last Sunday of March, June, September or December, 02:00'),
  last_at: instant().nullable(),
  rotation_due: z.array(z.string()).describe('Hosts whose token is to be rotated by somebody'),
})
export type RotationView = Answered<typeof RotationView>

export const HostView = z.object({
  host: z.string(),
  /** Null for the hub's name where no record has it, and for a name whose record is gone. */
  domain_id: z.int().nullable(),
  is_hub: z.boolean(),
  ddns_enabled: z.boolean().nullable().describe('Null where there is no record'),
  in_force: z.boolean().describe('Whether what is reported for it counts'),
  because: z.enum(NOT_IN_FORCE).nullable().describe('Why it does not'),
  counts: z
    .object({ source: z.enum([...ADDRESS_SOURCES, CARRIED_OVER]), addresses: z.array(z.string()) })
    .nullable()
    .describe(
      'What is published for it now; carried_over: what was published before its gateway was to report',
    ),
  ipv4: z.string().nullable(),
  ipv6: z.string().nullable(),
  changed_at: instant().nullable(),
  reported_at: instant().nullable(),
  flapping,
  waiting,
  refused,
  tokens: z.int().describe('Site tokens that are valid now'),
  history: z
    .array(z.object({ type, address: z.string(), at: instant(), actor: z.string() }))
    .describe('Newest first'),
})
export type HostView = Answered<typeof HostView>

export const HostsAnswer = z
  .object({ rotation: RotationView, hosts: z.array(HostView) })
  .meta({ id: 'DdnsHosts' })
export type HostsAnswer = Answered<typeof HostsAnswer>

export const Published = z
  .object({
    A: z.array(z.string()),
    AAAA: z.array(z.string()),
    state: z
      .enum(PUBLISHED_STATES)
      .describe(
        'Whether the name servers show it, by the last check of DNS. unknown: nothing is published for it, or no check could tell yet',
      ),
  })
  .describe('What stands in our zones by the newest look at them; nothing is asked for this')
export type Published = Answered<typeof Published>

export const StatusHost = z.object({
  host: z.string(),
  domain_id: z.int().nullable(),
  ipv4: z.string().nullable(),
  ipv6: z.string().nullable(),
  reported_at: instant().nullable(),
  changed_at: instant().nullable(),
  source: z
    .string()
    .nullable()
    .describe('A source of PLUMBLINE_DDNS_SOURCES, or where its address comes from'),
  published: Published,
  last_error: z.string().nullable().describe('Of its source, else of the last report where that was refused'),
  refused,
  flapping,
  waiting,
})
export type StatusHost = Answered<typeof StatusHost>

export const DdnsStatus = z
  .object({
    status: z.enum(['ok', 'degraded', 'unknown']),
    unknown_because: z.string().nullable().describe('Why `status` is unknown, else null'),
    hub_host: z.string().nullable(),
    checked_at: instant().nullable().describe('When DNS was checked last; null before the first time'),
    hosts: z.array(StatusHost),
    rotation: RotationView,
    sources: z.array(
      z.object({
        name: z.string(),
        host: z.string(),
        addresses: z.array(z.string()),
        at: instant().nullable().describe('Null before it was read'),
        error: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'DdnsStatus' })
export type DdnsStatus = Answered<typeof DdnsStatus>

export const UpdatedHost = z.object({
  host: z.string(),
  addresses: z.array(z.string()),
  because: z.enum(NOT_IN_FORCE).nullable().describe('Why it is kept and not published; null where it counts'),
})
export type UpdatedHost = Answered<typeof UpdatedHost>

export const UpdateAnswer = z
  .object({
    dry_run: z.boolean().describe('Nothing was taken, and nothing was done: this is what would become of it'),
    success: z.boolean().describe('Every source could be read, and DNS was brought to what is released'),
    message: z.string(),
    changed: z.array(UpdatedHost).describe('What holds from now on'),
    unchanged: z.array(UpdatedHost),
    waiting: z
      .array(UpdatedHost.extend({ due_at: instant() }))
      .describe(
        'What changes less than a minute after the last change, or goes back and forth: taken when it is due, if nothing else is reported until then',
      ),
    failed: z.array(z.object({ name: z.string().describe('A source, or dns'), error: z.string() })),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'DdnsUpdated' })
export type UpdateAnswer = Answered<typeof UpdateAnswer>

export const PlannedUpdate = UpdateAnswer.extend(Planned.shape).meta({ id: 'PlannedDdnsUpdate' })
export type PlannedUpdate = Answered<typeof PlannedUpdate>
