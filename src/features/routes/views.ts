/** The shapes of what is told of the proxy and of backends. */
import { z } from 'zod'
import { DECISIONS } from './proxy/decision-record.ts'
import { PROXY_FAILURES } from './loaded/watch.ts'
import { Rival } from './rival-schema.ts'
import { rejectedRoute } from '../../http/deployment-views.ts'
import { DomainRecord } from '../../http/common-views.ts'
import { driftCause, driftState } from '../../http/difference-views.ts'
import { backendTransport } from '../domains/backend/views.ts'
import type { Answered } from '../../http/contract.ts'
import { instant } from '../../http/body/scalars.ts'

/**
 * loaded: in the proxy, in use, without a fault. error: the proxy finds fault with it, or with a router because of it.
 * unused_not_verified: there, but the proxy builds a middleware only when a router uses it. not_loaded: not there, as what
 * no deployed domain names. unknown: the proxy cannot be seen.
 */
export const LOAD_STATUSES = ['loaded', 'error', 'unused_not_verified', 'not_loaded', 'unknown'] as const

export const SYNC_STATUSES = [
  'in_sync',
  'pending_deploy',
  'not_loaded',
  'rejected',
  'shadowed',
  'rendered_otherwise',
  'not_routed',
  'unknown',
] as const

const status = z.enum(['enabled', 'warning', 'disabled'])

export const RouterFaults = z.object({
  total: z.int(),
  in_error: z.array(z.string()),
  faults: z
    .array(z.object({ router: z.string(), errors: z.array(z.string()) }))
    .describe('What the proxy says of each router in error'),
})
export type RouterFaults = Answered<typeof RouterFaults>

export const ProxyStatusAnswer = z
  .object({
    configured: z.boolean().describe('False while PLUMBLINE_TRAEFIK_API is not set'),
    api: z.string().nullable(),
    reachable: z.boolean().nullable(),
    reason: z
      .enum(PROXY_FAILURES)
      .nullable()
      .describe(
        'Why it cannot be seen. refused: it does not let us in; unreadable: what answers is no Traefik',
      ),
    version: z.string().nullable(),
    written_for: z.string().describe('The version that the routes file is written for'),
    version_fits: z.boolean().nullable().describe('False where the proxy is older than that'),
    started_at: instant().nullable(),
    loaded: z.boolean().nullable().describe('Whether it runs the newest release'),
    written: z
      .boolean()
      .nullable()
      .describe('Whether the newest routes file was written; false: it could not be, and detail says why'),
    detail: z.string().nullable(),
    runs_release: z.int().nullable().describe('The release whose routes file it runs; null where not known'),
    routers: RouterFaults.nullable(),
    rejected: z
      .array(rejectedRoute)
      .nullable()
      .describe(
        'Released domains that it has loaded and does not serve, at most 200; null where it was not seen',
      ),
    missing_entrypoints: z
      .array(z.string())
      .nullable()
      .describe('Of PLUMBLINE_ENTRYPOINTS; null where it was not seen'),
    entrypoints_detail: z.string().nullable().describe('What is wrong with them; null for nothing'),
    shadowed: z.array(Rival).describe('What keeps requests from routes that it has loaded'),
    not_compared: z
      .string()
      .nullable()
      .describe('Why not all routers of others were held against ours; null where all were'),
    observed_at: instant().nullable(),
  })
  .meta({ id: 'ProxyStatus' })
export type ProxyStatusAnswer = Answered<typeof ProxyStatusAnswer>

export const DeployStatusAnswer = z
  .object({
    timestamp: instant().nullable(),
    success: z.boolean().nullable(),
    domain_count: z.int(),
    routes_file_hash: z.string().nullable(),
    warnings: z.array(z.string()),
    release: z.int().nullable(),
    loaded_then: z.boolean().nullable().describe('Whether the proxy ran it when the deploy ended'),
    deploy_proxy: z
      .object({
        timestamp: instant(),
        success: z.boolean(),
        release: z.int().nullable(),
        warnings: z.array(z.string()),
        loaded_then: z.boolean().nullable(),
      })
      .nullable()
      .describe('The last deploy-proxy, which is no deploy-all'),
    loaded: z
      .boolean()
      .nullable()
      .describe(
        'Whether the proxy runs the newest release now; false: it runs another file, and proxy.written says whether the newest was written. Null: unknown',
      ),
    drift: driftState(),
    cause: driftCause.nullable(),
    newest: z
      .object({
        release: z.int(),
        at: instant(),
        actor: z.string(),
        reason: z.string(),
        proxy: z
          .enum(DECISIONS)
          .nullable()
          .describe('What became of it at the proxy; null while that is open, or no API of the proxy is set'),
      })
      .nullable()
      .describe('The newest release, by whatever call; null where the database cannot be read'),
    source: z.enum(['memory', 'db', 'file']),
    fallback: z.boolean().describe('True exactly when the source is file'),
    proxy: ProxyStatusAnswer,
  })
  .meta({ id: 'DeployStatus' })
export type DeployStatusAnswer = Answered<typeof DeployStatusAnswer>

export const GeneratedRoute = z.object({
  kind: z.enum(['http', 'tcp']),
  router: z.string(),
  rule: z.string(),
  entrypoints: z.array(z.string()),
  middlewares: z.array(z.string()),
  tls: z.boolean(),
  cert_resolver: z.string().nullable(),
  priority: z.number().nullable(),
  service: z.string(),
  addresses: z.array(z.string()),
})
export type GeneratedRoute = Answered<typeof GeneratedRoute>

export const RouteHeaders = z
  .object({
    router: z.string(),
    headers: z.array(
      z.object({ name: z.string(), value: z.string().nullable().describe('Null: it is taken away') }),
    ),
  })
  .describe('What the proxy makes of the headers of answers, whatever the backend says; CORS is beside it')
export type RouteHeaders = Answered<typeof RouteHeaders>

export const GeneratedEntry = z.object({
  yaml: z.string(),
  routes: z.array(GeneratedRoute),
  response_headers: z.array(RouteHeaders),
})
export type GeneratedEntry = Answered<typeof GeneratedEntry>

const runtimeObject = {
  kind: z.enum(['http', 'tcp']),
  name: z.string(),
  provider: z.string(),
  status,
  errors: z.array(z.string()),
}

const runtimeRoute = z.object({
  router: z.object({
    ...runtimeObject,
    rule: z.string(),
    entrypoints: z.array(z.string()),
    middlewares: z.array(z.string()),
    service: z.string(),
    tls: z.boolean(),
    cert_resolver: z.string().nullable(),
    priority: z.number().nullable(),
  }),
  service: z
    .object({
      ...runtimeObject,
      addresses: z.array(z.string()),
      health: z.record(z.string(), z.string()).nullable().describe('By the proxy’s own check'),
    })
    .nullable(),
})

export const RouteDifference = z.object({
  item: z.string(),
  expected: z.string().nullable(),
  found: z.string().nullable(),
})
export type RouteDifference = Answered<typeof RouteDifference>

export const EffectiveConfig = z
  .object({
    domain_id: z.int(),
    domain: z.string(),
    intent: DomainRecord.describe('What was saved'),
    released_revision: z.int().nullable(),
    generated: GeneratedEntry.nullable().describe(
      'What a deploy would write for it; null for a record that is not rendered',
    ),
    runtime: z
      .object({
        routes: z.array(runtimeRoute),
        file_loaded: z.boolean().nullable().describe('Whether the proxy runs the newest routes file'),
        observed_at: instant(),
      })
      .nullable()
      .describe('What the proxy runs for it; null where the proxy cannot be seen'),
    sync_status: z
      .enum(SYNC_STATUSES)
      .describe(
        'in_sync: the proxy runs what was saved. pending_deploy: what was deployed. not_loaded: something else. ' +
          'rejected: it is in error there. shadowed: it is there, and somebody else is asked first or has its name, which no ' +
          'deploy changes. rendered_otherwise: the deployed file, which would be written differently now. ' +
          'not_routed: nothing is wanted and nothing there. unknown: the proxy cannot be seen',
      ),
    sync_reason: z.string().nullable(),
    differences: z.array(RouteDifference),
    rivals: z
      .array(Rival)
      .describe('What stands beside its routers in the proxy, at most 200; empty where that cannot be seen'),
    backend_tcp_reachable: z
      .boolean()
      .nullable()
      .optional()
      .describe('Only with check_backend; null where the address is not one to be probed'),
    backend_trouble: z.string().nullable().optional().describe('Only with check_backend: one word'),
    backend_transport: backendTransport().optional(),
  })
  .meta({ id: 'EffectiveConfig' })
export type EffectiveConfig = Answered<typeof EffectiveConfig>

export const CatalogueMiddleware = z
  .object({
    name: z.string().describe('A value for middleware_config.extra_middlewares'),
    own: z.boolean().describe('True for an entry of PLUMBLINE_MIDDLEWARES_FILE'),
    description: z.string(),
    position: z.string().describe('before_sso or after_sso'),
    type: z.string().describe('The proxy’s name of the type'),
    since: z.string().describe('The first version of the proxy that knows it'),
    unfit_for: z.record(z.string(), z.string()).describe('By service type: why it cannot be used there'),
    status: z
      .enum(LOAD_STATUSES)
      .describe('unused_not_verified: there, but the proxy builds it only when a router uses it'),
    errors: z.array(z.string()),
    detail: z.string().nullable().describe('What the status means here, and what would help'),
    used_by: z.array(z.string()).describe('Deployed domains that name it'),
  })
  .meta({ id: 'CatalogueMiddleware' })

export const MetricsTargets = z
  .array(z.object({ targets: z.array(z.string()), labels: z.record(z.string(), z.string()) }))
  .meta({ id: 'MetricsTargets', description: 'Prometheus HTTP service discovery' })

export const DomainTraffic = z
  .object({
    domain_id: z.int(),
    domain: z.string(),
    configured: z.boolean().describe('Whether PLUMBLINE_TRAEFIK_METRICS is set'),
    requests: z.number().min(0).nullable().describe('Since the proxy started; null where that is not known'),
    server_errors: z.number().min(0).nullable().describe('Those of them that ended in 5xx'),
    since: z
      .string()
      .nullable()
      .describe('RFC 3339, UTC: since when the proxy counts; null where it does not say'),
    observed_at: z.string().nullable().describe('RFC 3339, UTC'),
    detail: z.string().nullable().describe('Why it is not known; null where it is'),
  })
  .meta({ id: 'DomainTraffic' })
export type DomainTraffic = Answered<typeof DomainTraffic>
