/** DNS for people: zones, records with their owners, and taking over what somebody else made. */
import { z } from 'zod'
import { MANAGED_TYPES } from '../../model/network/dns.ts'
import type { Deps } from './deps.ts'
import { adoptRecord, removeRecord } from './records/adopt-record.ts'
import { readRecords } from './records/read-records.ts'
import { releaseRecord } from './records/release-record.ts'
import { OTHERS_PER_ANSWER, recordsPage } from './records/records-page.ts'
import { recordsWithActs } from './records/with-acts.ts'
import { readZones } from './zones/read-zones.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { callerOf, Changing } from '../../http/access/caller-of.ts'
import { isOf, PAGE_HEADERS, PAGE_QUERY, pageHeaders } from '../../http/pages.ts'
import { flag } from '../../http/body/scalars.ts'
import { ok } from '../../http/ok.ts'
import { Planned } from '../../http/common-views.ts'
import { RECORD_STATES, ZonesAnswer, Records, RecordAnswer } from './views.ts'

const tags = [{ name: 'DNS', description: 'Zones, records and their owners' }]
const name = () =>
  z
    .string()
    .min(1)
    .max(255)
    .overwrite((text) => text.toLowerCase().replace(/\.$/, ''))

const RecordName = z
  .strictObject({
    name: name().describe('app.example.com'),
    type: z
      .enum([...MANAGED_TYPES, 'CNAME'])
      .describe('As GET /api/dns/records lists it; CNAME for an alias that stands in the place of ours'),
  })
  .meta({ id: 'DnsRecordName', examples: [{ name: 'app.example.com', type: 'A' }] })

const ReleasedName = RecordName.extend({
  account: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      'Of this account, as drift names it where another one has the zone now; left out: of the one that is kept',
    ),
}).meta({ id: 'ReleasedDnsRecordName', examples: [{ name: 'app.example.com', type: 'A' }] })

export const dnsEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/dns/zones',
    id: 'dnsZones',
    summary: 'The zones of all DNS accounts',
    description:
      'As the accounts show them, with the deployed names that lie in each, and names that lie in none.',
    level: 'keyed',
    tags,
    replies: { 200: ZonesAnswer },
    handler: async () => ok(await readZones(deps)),
  }),
  endpoint({
    method: 'GET',
    path: '/api/dns/records',
    id: 'dnsRecords',
    summary: 'Every record set that is ours, bears our mark or stands where ours should, and whose it is',
    description:
      'Looks at the providers now and compares with what is deployed. Changes nothing. For one domain or a page of records, ' +
      'drift and what could not be read are those of all. What is `others` comes after all that is ours; without a `limit` ' +
      `at most ${OTHERS_PER_ANSWER} of it are in one answer, and Link leads on.`,
    level: 'keyed',
    tags,
    query: z.object({
      zone: name().optional().describe('Only this zone; also one that no domain lies in'),
      state: z.enum(RECORD_STATES).optional(),
      others: flag().optional().describe('Also what somebody else made at names that no deployed domain has'),
      ...PAGE_QUERY,
    }),
    problems: ['not_found'],
    replies: { 200: Records },
    reply_headers: PAGE_HEADERS,
    weak_tag: true,
    handler: async ({ query, signal }) => {
      const { zone = null, state = null, others = false, domain } = query
      const all = await recordsWithActs(deps, await readRecords(deps, { zone, state, others }, signal))
      const records = all.records.filter((record) => isOf(domain, [record.domain, record.name]))
      const beside = all.others?.filter(({ name: at, domain: of }) => isOf(domain, [of, at])) ?? null
      const listing = { path: '/api/dns/records', query: { ...query, others: others || undefined } }
      const { page, ...listed } = recordsPage(records, beside, listing)
      const differences = all.differences.filter(({ domains }) => isOf(domain, domains))
      const body = { ...all, ...listed, differences }
      return ok(body, pageHeaders(listing, { page, tagged: body }))
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api/dns/records/adopt',
    id: 'adoptDnsRecord',
    summary: 'Take over a record that somebody else made, at a name that a deployed domain wants',
    description:
      'From then on it is ours: it gets our mark and what the domain asks for. Nothing else ever does that.',
    level: 'keyed',
    tags,
    query: Changing,
    body: RecordName,
    replies: { 200: RecordAnswer.or(Planned) },
    problems: ['not_found', 'conflict', 'component_unavailable', 'foreign_owner'],
    handler: async (call) => ok(await adoptRecord(deps, call.body, callerOf(call))),
  }),
  endpoint({
    method: 'POST',
    path: '/api/dns/records/release',
    id: 'releaseDnsRecord',
    summary: 'Give up a record that is ours: it stays as it is, without our mark',
    description:
      'Nothing changes for who asks the name. From then on nobody here repairs or deletes it. ' +
      'Of an account that is not kept any more only our own note of it goes.',
    level: 'keyed',
    tags,
    query: Changing,
    body: ReleasedName,
    replies: { 200: RecordAnswer.or(Planned) },
    problems: ['not_found', 'conflict', 'component_unavailable'],
    handler: async (call) => ok(await releaseRecord(deps, call.body, callerOf(call))),
  }),
  endpoint({
    method: 'POST',
    path: '/api/dns/records/remove',
    id: 'removeDnsRecord',
    summary:
      'Take away an orphan: a record that bears our mark, and that no database has or no address stands for any more',
    description:
      'Nothing else ever takes one away. What else is in the database goes with its domain. One that is another record by the time it is to go stays (409, with what is there); the hash of a dry run lets go exactly what that showed.',
    level: 'keyed',
    tags,
    query: Changing,
    body: RecordName,
    replies: { 200: RecordAnswer.or(Planned) },
    problems: ['not_found', 'conflict', 'component_unavailable'],
    handler: async (call) => ok(await removeRecord(deps, call.body, callerOf(call))),
  }),
]
