/** Whether DNS says what it should: in the network's resolvers, and at the servers of the world. */
import { z } from 'zod'
import type { Deps } from './deps.ts'
import { besideResult } from './integrity/beside-result.ts'
import { integrityReport } from './integrity/integrity-result.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { isOf, PAGE_HEADERS, PAGE_QUERY, pageHeaders, pageOf } from '../../http/pages.ts'
import { ok } from '../../http/ok.ts'
import { noted } from '../../core/noted.ts'
import { evaluateResolvers } from './checks.ts'
import { readDnsStatus } from './zones/read-status.ts'
import { DnsStatus, DnsIntegrity } from './views.ts'

const tags = ['DNS']

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
      const { dns_watch, clock } = deps
      const beside = await besideResult(deps)
      const all = integrityReport(dns_watch.integrity.last, { ...beside, now: clock.now() })
      const listing = { path: '/api/dns/integrity', query }
      const page = pageOf(
        all.names.filter(({ name }) => isOf(query.domain, [name])),
        ({ name, type, zone }) => `${name} ${type} ${zone}`,
        listing,
      )
      const body = {
        ...all,
        leftovers: all.leftovers.filter(({ name }) => isOf(query.domain, [name])),
        names: page.items,
      }
      const tagged = { ...body, age_seconds: null }
      return ok(body, pageHeaders(listing, { page, tagged }))
    },
  }),
]

const tellDnsStatus = (deps: NeededDeps, signal: AbortSignal): ReturnType<typeof readDnsStatus> =>
  noted(deps, () => readDnsStatus(deps.dns_watch.status, signal), { resolvers: evaluateResolvers })
