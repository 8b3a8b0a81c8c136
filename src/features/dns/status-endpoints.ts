/** Whether DNS says what it should: in the network's resolvers, and at the servers of the world. */
import { z } from 'zod'
import { MANAGED_TYPES } from '../../model/network/dns.ts'
import type { Deps } from './deps.ts'
import { HOST_STATES } from './integrity/compare-hosts.ts'
import { REMOVABLE_BECAUSE } from './records/leftover.ts'
import { integrityReport } from './integrity/integrity-result.ts'
import { PROPAGATION_STATES } from './integrity/propagation.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { countsOf } from '../../http/body/scalars.ts'
import { isOf, PAGE_HEADERS, PAGE_QUERY, pageHeaders, pageOf } from '../../http/pages.ts'
import { ok } from '../../http/ok.ts'
import { noted } from '../../core/noted.ts'
import { evaluateResolvers } from './checks.ts'
import { readDnsStatus } from './zones/read-status.ts'
import { dnsRecords } from './records.ts'

const tags = ['DNS']

const instant = () => z.string().describe('RFC 3339, UTC')
const DnsStatus = z
  .object({
    configured: z.boolean().describe('False while no resolver is set'),
    ok: z.boolean().nullable().describe('True: no host is missing or wrong. Null: that cannot be told'),
    reason: z.string().nullable().describe('Why it cannot be told'),
    checked_at: instant(),
    expected: z.array(z.string()).describe('Addresses of the proxy; empty: only presence is compared'),
    counts: countsOf(HOST_STATES),
    hosts: z
      .array(
        z.object({
          host: z.string(),
          status: z
            .enum(HOST_STATES)
            .describe('missing: a resolver does not answer it. wrong: one answers another address'),
          expected: z.array(z.string()),
          found: z.array(
            z.object({
              resolver: z.string(),
              type: z.enum(MANAGED_TYPES),
              kind: z
                .enum(['addresses', 'alias', 'nodata', 'nxdomain', 'refused', 'dropped', 'forwarded'])
                .describe('forwarded: not overridden, so the upstream is asked'),
              values: z.array(z.string()),
              via: z.array(z.string()).describe('The aliases on the way'),
            }),
          ),
        }),
      )
      .describe('The hosts of the routes file on disk'),
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

const DnsIntegrity = z
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
          because: z.enum(REMOVABLE_BECAUSE),
        }),
      )
      .describe(
        'Sets of ours that nothing deployed asks for: their removal is due, or did not get through yet',
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

type NeededDeps = Pick<Deps, 'dns' | 'dns_watch' | 'store' | 'clock' | 'health'>

export const dnsStatusEndpoints = (deps: NeededDeps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/dns/status',
    id: 'dnsStatus',
    summary: 'Whether the resolvers of the network know the hosts of the routes file',
    description: 'By host: what each resolver answers, what is missing, what stands there beside.',
    level: 'keyed',
    tags,
    replies: { 200: DnsStatus },
    handler: async ({ signal }) => ok(await tellDnsStatus(deps, signal)),
  }),
  endpoint({
    method: 'GET',
    path: '/api/dns/integrity',
    id: 'dnsIntegrity',
    summary: 'The last comparison of provider, authoritative servers and resolvers',
    description:
      'By record: whether provider, name servers and resolvers say the same. The watch looks anew by itself. For one domain or ' +
      'a page of names, the verdict and the counts are those of all.',
    level: 'keyed',
    tags,
    query: z.object(PAGE_QUERY),
    replies: { 200: DnsIntegrity },
    reply_headers: { ...PAGE_HEADERS, ETag: 'Of this answer but for its age' },
    weak_tag: true,
    handler: async ({ query }) => {
      const { store, dns, dns_watch, clock } = deps
      const owned = await store.of(dnsRecords).ownedRrsets()
      const leftovers = dns.leftovers(await store.intent('released'), owned)
      const unserved = [
        ...new Set(owned.flatMap(({ account, zone }) => (dns.unserved.has(account) ? [zone] : []))),
      ]
      const all = integrityReport(dns_watch.integrity.last, { leftovers, unserved, now: clock.now() })
      const page = pageOf(
        all.names.filter(({ name }) => isOf(query.domain, [name])),
        ({ name, type, zone }) => `${name} ${type} ${zone}`,
        query,
      )
      const body = {
        ...all,
        leftovers: all.leftovers.filter(({ name }) => isOf(query.domain, [name])),
        names: page.items,
      }
      const tagged = { ...body, age_seconds: null }
      return ok(body, pageHeaders('/api/dns/integrity', query, { page, tagged }))
    },
  }),
]

const tellDnsStatus = (deps: NeededDeps, signal: AbortSignal): ReturnType<typeof readDnsStatus> =>
  noted(deps, () => readDnsStatus(deps.dns_watch.status, signal), { resolvers: evaluateResolvers })
