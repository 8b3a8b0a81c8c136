/** What the proxy really runs, what a backend really speaks, and the catalogue views. */
import { z } from 'zod'
import { textFault } from '../../model/text/text.ts'
import { autodetect } from '../domains/backend/autodetect.ts'
import type { Deps } from './deps.ts'
import { domainTraffic } from './proxy/domain-traffic.ts'
import { effectiveConfig } from './proxy/effective-config.ts'
import { metricsSummary } from './proxy/metrics-summary.ts'
import { metricsTargets } from './proxy/metrics-targets.ts'
import { readMiddlewares } from './proxy/read-middlewares.ts'
import { counted, readServices } from './proxy/read-services.ts'
import { readerAmong } from '../../core/shares.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { DomainId, flag } from '../../http/body/scalars.ts'
import { isOf, PAGE_HEADERS, PAGE_QUERY, pageHeaders, pageOf } from '../../http/pages.ts'
import { ok } from '../../http/ok.ts'
import { CatalogueMiddleware, DomainTraffic, EffectiveConfig, MetricsTargets } from './views.ts'
import { Autodetected } from '../domains/backend/views.ts'

const tags = [
  {
    name: 'Proxy',
    description: 'What the proxy really runs, what a backend speaks, and the catalogue of middlewares',
  },
]

const AutodetectRequest = z
  .strictObject({
    path: z
      .string()
      .max(256)
      .regex(/^\/[!-~]*$/, 'must begin with / and hold printable ASCII without blanks')
      .refine((path) => textFault(path, 256) === null, 'must be plain text')
      .optional()
      .describe('Where pages are asked for; / when left out'),
  })
  .meta({ id: 'AutodetectRequest', examples: [{ path: '/' }] })

export const proxyEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/domains/{domain_id}/effective-config',
    id: 'effectiveConfig',
    summary: 'One domain from the database to the running proxy',
    description:
      'What was saved, what a deploy would write, and what the proxy runs, side by side with the differences.',
    level: 'keyed',
    tags,
    params: DomainId,
    query: z.object({
      check_backend: flag()
        .optional()
        .describe(
          'Opens connections to the backend, as few as tell whether the proxy gets on with it: one, and for HTTP a GET, TLS handshakes and, where nothing else answers, HTTP/2; default false',
        ),
    }),
    replies: { 200: EffectiveConfig },
    problems: ['not_found', 'rate_limited'],
    handler: async (call) => {
      const { domain_id } = call.params
      const check_backend = call.query.check_backend === true
      const by = { signal: call.signal, reader: readerAmong(call) }
      return ok(await effectiveConfig(deps, { domain_id, check_backend }, by))
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/domains/{domain_id}/traffic',
    id: 'domainTraffic',
    summary: 'What the proxy has counted of a domain',
    description:
      'Requests, and those of them that ended in a server error (5xx), since the proxy started, out of its metrics for ' +
      'Prometheus (PLUMBLINE_TRAEFIK_METRICS). Asked at most each ten seconds. What is not known is null, never 0.',
    level: 'keyed',
    tags,
    params: DomainId,
    replies: { 200: DomainTraffic },
    problems: ['not_found'],
    handler: async ({ params, signal }) => ok(await domainTraffic(deps, params.domain_id, signal)),
  }),
  endpoint({
    method: 'POST',
    path: '/api/domains/{domain_id}/autodetect',
    reads: true,
    id: 'autodetect',
    summary: 'Find out what a backend speaks, and suggest a service type',
    description: 'Changes nothing. A closed set of questions to the vetted address; nothing is followed.',
    level: 'keyed',
    tags,
    params: DomainId,
    body: AutodetectRequest,
    body_required: true,
    replies: { 200: Autodetected },
    problems: ['not_found', 'conflict', 'rate_limited'],
    handler: async (call) => {
      const { params, body, signal } = call
      const by = { signal, reader: readerAmong(call) }
      return ok(await autodetect(deps, params.domain_id, { path: body.path ?? '/' }, by))
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/middlewares',
    id: 'middlewares',
    summary: 'The catalogue of HTTP middlewares with their live status',
    description:
      'Names that `middleware_config.extra_middlewares` may hold, with what the proxy says of each.',
    level: 'keyed',
    tags,
    replies: { 200: z.array(CatalogueMiddleware) },
    handler: async ({ signal }) => ok(await readMiddlewares(deps, signal)),
  }),
  endpoint({
    method: 'GET',
    path: '/api/services',
    id: 'services',
    summary: 'Backends, and the domains that lead to each',
    level: 'open',
    tags,
    query: z.object(PAGE_QUERY),
    replies: { 200: z.record(z.string(), z.array(z.string())).describe('Domains by backend host:port') },
    reply_headers: PAGE_HEADERS,
    weak_tag: true,
    handler: async ({ query }) => {
      const all = Object.entries(await readServices(deps)).filter(([, domains]) =>
        isOf(query.domain, domains),
      )
      const listing = { path: '/api/services', query }
      const page = pageOf(all, ([backend]) => counted(backend), listing)
      const body = Object.fromEntries(page.items)
      return ok(body, pageHeaders(listing, { page, tagged: body }))
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/metrics-targets',
    id: 'metricsTargets',
    summary: 'Deployed HTTP domains for Prometheus HTTP service discovery',
    level: 'open',
    tags,
    query: z.object(PAGE_QUERY),
    replies: { 200: MetricsTargets },
    reply_headers: PAGE_HEADERS,
    weak_tag: true,
    handler: async ({ query }) => {
      const all = (await metricsTargets(deps)).filter(({ labels }) => isOf(query.domain, [labels['domain']]))
      const listing = { path: '/api/metrics-targets', query }
      const page = pageOf(all, ({ labels }) => `${labels['domain']}`, listing)
      return ok(page.items, pageHeaders(listing, { page, tagged: page.items }))
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/metrics/summary',
    id: 'metricsSummary',
    summary: 'The figures of the house as text for a person',
    description: 'For a look in a terminal. Programs read GET /metrics.',
    level: 'keyed',
    tags,
    replies: { 200: { content_type: 'text/plain', description: 'A few lines' } },
    handler: async ({ signal }) => ({
      status: 200,
      body: await metricsSummary(deps, signal),
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    }),
  }),
]
