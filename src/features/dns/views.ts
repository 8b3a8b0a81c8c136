/** The shape of the answers about zones, records and what resolvers say, declared once. */
import { z } from 'zod'
import { MANAGED_TYPES } from '../../model/network/dns.ts'
import { acts, differenceWithActs, driftCause, driftState } from '../../http/difference-views.ts'
import { LEFT_BECAUSE } from './records/leftover.ts'
import { PROPAGATION_STATES } from './integrity/propagation.ts'
import { countsOf, instant } from '../../http/body/scalars.ts'
import type { Answered } from '../../http/contract.ts'

export const HOST_STATES = ['ok', 'missing', 'wrong', 'unknown'] as const

export const RECORD_STATES = [
  'absent',
  'lost',
  'owned',
  'applying',
  'removing',
  'unmarked',
  'adopted',
  'releasing',
  'orphan',
  'foreign',
  'other_installation',
  'blocked',
  'conflict',
  'unaddressed',
] as const

const homeless = z
  .array(z.string())
  .describe('Deployed names that lie in no zone of any account: no record is made for them')

export const ZoneView = z.object({
  zone: z.string(),
  account: z.string(),
  provider: z.string(),
  writable: z.boolean(),
  detail: z.string().nullable().describe('Why it is not writable'),
  names: z.int().describe('Deployed names that lie in it'),
  owned: z.int().describe('Record sets in it that are ours'),
  fresh: z.boolean().describe('False where the account does not answer and this is what it showed before'),
})
export type ZoneView = Answered<typeof ZoneView>

export const AccountView = z.object({
  account: z.string(),
  provider: z.string(),
  ok: z.boolean().nullable().describe('Null until it was asked'),
  detail: z.string().nullable(),
  listed_at: instant().nullable().describe('When it last showed its zones'),
  served: z.boolean().describe('False for zone files that no name server is known to load'),
})
export type AccountView = Answered<typeof AccountView>

export const ZonesAnswer = z
  .object({
    zones: z.array(ZoneView),
    accounts: z.array(AccountView),
    homeless,
  })
  .meta({ id: 'DnsZones' })
export type ZonesAnswer = Answered<typeof ZonesAnswer>

export const DnsRecordView = z
  .object({
    zone: z.string(),
    account: z.string(),
    name: z.string(),
    type: z.string(),
    managed_type: z.enum(MANAGED_TYPES).describe('The set of ours that it is, or stands in the place of'),
    state: z
      .enum(RECORD_STATES)
      .describe('foreign: made by somebody else; orphan: marked as ours and not in the database'),
    domain_id: z.int().nullable(),
    domain: z.string().nullable(),
    desired: z.array(z.string()).nullable().describe('Null where nothing is wanted'),
    observed: z.array(z.string()).nullable().describe('Null where nothing is there'),
    ttl: z.int().nullable().describe('Seconds, of what stands there; null for automatic'),
    desired_ttl: z
      .int()
      .nullable()
      .describe('Seconds that are wanted; null for automatic, and where nothing is wanted'),
    proxied: z.boolean().nullable(),
    comment: z.string().nullable(),
    detail: z.string().nullable().describe('What is in the way, or about to be done'),
  })
  .meta({ id: 'DnsRecord' })
export type DnsRecordView = Answered<typeof DnsRecordView>

const ListedRecord = DnsRecordView.extend({
  cause: driftCause.nullable().describe('Why it is not as it should be; null where it is'),
  acts,
}).meta({ id: 'ListedDnsRecord' })

export const OtherRecord = z
  .object({
    zone: z.string(),
    account: z.string(),
    name: z.string(),
    type: z.string(),
    values: z.array(z.string()),
    ttl: z.int().nullable().describe('Seconds; null for automatic'),
    proxied: z.boolean().nullable(),
    comment: z.string().nullable(),
    domain: z
      .string()
      .nullable()
      .describe('The saved domain at whose name it stands; null where no domain has to do with it'),
  })
  .meta({ id: 'OtherDnsRecord' })
export type OtherRecord = Answered<typeof OtherRecord>

export const Records = z
  .object({
    drift: driftState(),
    records: z.array(ListedRecord),
    differences: z
      .array(differenceWithActs)
      .describe('As GET /api/drift tells them, with what is not deployed yet'),
    unknown: z
      .array(z.object({ zone: z.string(), detail: z.string() }))
      .describe(
        'Zones that could not be read: nothing is known of their records; and accounts (dns_account:NAME) that did not show their zones',
      ),
    others: z
      .array(OtherRecord)
      .nullable()
      .describe(
        'With others=true: what else stands in the zones that were read, and is never touched. Else null: not asked for',
      ),
    others_left: z
      .int()
      .nullable()
      .describe('How many of the others come after this page, to which Link leads; null where not asked for'),
    homeless,
  })
  .meta({ id: 'DnsRecords' })
export type Records = Answered<typeof Records>

export const RecordAnswer = z
  .object({
    success: z.literal(true),
    message: z.string(),
    warnings: z.array(z.string()),
    records: z.array(DnsRecordView),
  })
  .meta({ id: 'DnsRecordSettled' })
export type RecordAnswer = Answered<typeof RecordAnswer>

export const HostAnswer = z.object({
  resolver: z.string(),
  type: z.enum(MANAGED_TYPES),
  kind: z
    .enum(['addresses', 'alias', 'nodata', 'nxdomain', 'refused', 'dropped', 'forwarded'])
    .describe('forwarded: not overridden, so the upstream is asked'),
  values: z.array(z.string()),
  via: z.array(z.string()).describe('The aliases on the way'),
})
export type HostAnswer = Answered<typeof HostAnswer>

export const ComparedHost = z.object({
  host: z.string(),
  status: z
    .enum(HOST_STATES)
    .describe('missing: a resolver does not answer it. wrong: one answers another address'),
  expected: z.array(z.string()),
  found: z.array(HostAnswer),
})
export type ComparedHost = Answered<typeof ComparedHost>

export const DnsStatus = z
  .object({
    configured: z.boolean().describe('False while no resolver is set'),
    ok: z.boolean().nullable().describe('True: no host is missing or wrong. Null: that cannot be told'),
    reason: z.string().nullable().describe('Why it cannot be told'),
    checked_at: instant(),
    expected: z.array(z.string()).describe('Addresses of the proxy; empty: only presence is compared'),
    counts: countsOf(HOST_STATES),
    hosts: z.array(ComparedHost).describe('The hosts of the routes file on disk'),
    extra: z
      .array(
        z.object({
          name: z.string(),
          scope: z.enum(['exact', 'subtree', 'below']),
          type: z.string(),
          value: z.string().nullable(),
          source: z.string(),
        }),
      )
      .describe('Overrides that lead to the proxy for names without a route. They do not change ok'),
    sources: z.array(
      z.object({
        source: z.string(),
        ok: z.boolean(),
        reason: z.enum(['unreachable', 'unreadable', 'refused']).nullable(),
        detail: z.string().nullable(),
        overrides: z.int().nullable(),
        gaps: z.array(z.string()).describe('Parts that were not read and may hold answers'),
        notes: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: 'DnsStatus' })

export const DnsIntegrity = z
  .object({
    ok: z
      .boolean()
      .nullable()
      .describe(
        'True: every name is in place. False: one is not, after ten minutes, or something is left over. Null: no telling yet',
      ),
    reason: z.string().nullable(),
    leftovers: z
      .array(
        z.object({
          zone: z.string(),
          name: z.string(),
          type: z.enum(MANAGED_TYPES),
          values: z.array(z.string()).describe('As they were last seen'),
          domain_id: z.int().nullable(),
          because: z.enum(LEFT_BECAUSE),
        }),
      )
      .describe(
        'Sets of ours that nothing deployed asks for: their removal is due, or did not get through yet, or waits for a person (`no_address`)',
      ),
    checked_at: instant().nullable().describe('End of the last check of everything; null before the first'),
    age_seconds: z.int().nullable(),
    took_ms: z.int().nullable(),
    counts: countsOf(PROPAGATION_STATES),
    names: z.array(
      z.object({
        domain_id: z.int(),
        zone: z.string(),
        name: z.string(),
        type: z.enum(MANAGED_TYPES),
        proxied: z.boolean().nullable().describe('True: only that the name answers is compared'),
        provider: z.array(z.string()).describe('The values that stand at the provider'),
        state: z.enum(PROPAGATION_STATES),
        since: instant().nullable().describe('When the servers were first seen to disagree'),
        detail: z.string().nullable(),
        checked_at: instant().nullable(),
        authoritative: z.array(
          z.object({
            host: z.string(),
            address: z.string(),
            values: z.array(z.string()).nullable().describe('Null where the server did not answer'),
            via: z.array(z.string()),
            agrees: z.boolean().nullable(),
            detail: z.string().nullable(),
          }),
        ),
        resolvers: z
          .array(
            z.object({
              address: z.string(),
              values: z.array(z.string()).nullable(),
              agrees: z.boolean().nullable(),
              note: z.enum(['split_horizon', 'kept']).nullable(),
              detail: z.string().nullable(),
            }),
          )
          .describe('Asked when the authoritative servers agree; they never change the state'),
      }),
    ),
  })
  .meta({ id: 'DnsIntegrity' })

export type RecordState = (typeof RECORD_STATES)[number]
