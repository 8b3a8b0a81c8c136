/** The shapes that domain and deploy endpoints take and answer. Grammars stand in the model; here stand types and words. */
import type { ComponentResult, PendingDomain, SuccessAnswer } from '../core/answers.ts'
import {
  type DomainFields,
  ENVIRONMENTS,
  PROTOCOLS,
  SERVICE_TYPES,
  STATUSES,
} from '../model/domain/record.ts'
import { z } from 'zod'
import { FAILURE_CODES } from '../kernel/failure.ts'
import { BACKEND_SCHEMES } from '../model/domain/backend-tls.ts'
import { MODES } from '../model/mode.ts'
import { GUARD_RULES, type Plan as DecidedPlan } from '../model/plan.ts'
import { OUTCOMES } from '../model/report.ts'
import { shownBackendTls } from './body/backend-tls-form.ts'
import { difference, differenceWithActs, driftState } from './difference-views.ts'
import type { Answered } from './contract.ts'
import { instant } from './body/scalars.ts'

/** What an owner writes, as answers show it. */
export const writable = {
  domain: z
    .string()
    .describe('Fully qualified name, one leading "*." allowed; stored in lower-case A-label form'),
  service_type: z.enum(SERVICE_TYPES),
  environment: z.enum(ENVIRONMENTS),
  backend_host: z
    .string()
    .nullable()
    .describe('IP address or host name; required unless service_type is manual'),
  backend_port: z.number().int().min(1).max(65535).nullable(),
  backend_scheme: z
    .enum(BACKEND_SCHEMES)
    .nullable()
    .describe('How the proxy speaks to the backend; null: https on port 443, else http'),
  backend_tls: shownBackendTls,
  protocol: z.enum(PROTOCOLS).describe('Default tcp for tcp-proxy, else http'),
  tcp_entrypoint: z.string().nullable().describe('Required when protocol is tcp'),
  cors_enabled: z.boolean().describe('Default false'),
  cors_origin: z.string().nullable().describe('One exact origin'),
  default_path: z.string().nullable().describe('Where the bare root redirects to'),
  auth_required: z.boolean().describe('Single sign-on; default true'),
  ddns_enabled: z.boolean().describe('Default false'),
  ssl_enabled: z.boolean().describe('Default true'),
  health_check_path: z.string().nullable(),
  middleware_config: z.object({ extra_middlewares: z.array(z.string()) }),
  static_ip: z.string().nullable(),
  dns_ttl: z
    .number()
    .int()
    .min(30)
    .max(86_400)
    .nullable()
    .describe('Seconds; null for the setting PLUMBLINE_DNS_TTL'),
  dns_proxied: z
    .boolean()
    .nullable()
    .describe('Through the proxy of the DNS provider, where it has one; null leaves it as it is'),
  tags: z.array(z.string()).max(64),
  note: z.string().nullable(),
} satisfies Record<keyof DomainFields, z.ZodType>

const status = z.enum(STATUSES)

export const DomainRecord = z
  .object({
    ...writable,
    id: z.int(),
    domain_unicode: z.string().describe('The name as people read it'),
    status,
    status_reason: z.string().nullable().describe('Why the record is in error'),
    auth_applies: z
      .boolean()
      .describe(
        'False: TCP, or managed elsewhere, so that nobody is asked to sign in whatever auth_required says',
      ),
    backend_warning: z
      .string()
      .nullable()
      .describe(
        'Said as long as nobody looks at the certificate of the backend (backend_tls insecure); else null',
      ),
    external_ip: z.string().nullable().describe('What DNS serves; null where nothing is published'),
    external_port: z.int().nullable(),
    revision: z.int().describe('+1 on each write of the intent'),
    created_at: instant(),
    updated_at: instant(),
    activated_at: instant().nullable().describe('First activation'),
  })
  .meta({ id: 'Domain' })

export const DomainIdentity = z
  .object({
    id: z.int(),
    domain: z.string(),
    protocol: z.enum(PROTOCOLS),
    service_type: z.enum(SERVICE_TYPES),
    status,
    external_ip: z.string().nullable(),
    external_port: z.int().nullable(),
  })
  .meta({ id: 'DomainIdentity' })

const counts = () => z.record(z.string(), z.int())

export const DomainStats = z
  .object({
    total: z.int(),
    by_status: counts(),
    by_service_type: counts(),
    by_environment: counts(),
    by_protocol: counts(),
    auth_required: z.int().describe('Live records behind single sign-on'),
    pending_deploy: z.int().describe('Live records whose saved state is not deployed'),
    damaged: z.int().describe('Records whose saved state cannot be believed; they count as error'),
  })
  .meta({ id: 'DomainStats' })
export type DomainStats = Answered<typeof DomainStats>

export const Success = z
  .object({
    success: z.literal(true),
    domain_id: z.int(),
    message: z.string(),
    revision: z.int().nullable(),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'Success' }) satisfies z.ZodType<SuccessAnswer>

export const action = z.object({
  component: z.string(),
  verb: z.enum(['create', 'update', 'delete']),
  item: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  reason: z.enum(['release', 'repair']),
  of_neighbour: z
    .boolean()
    .describe('Done along with the call, though it is none of the records that the call is about'),
  needs: z.array(z.string()).describe('Components whose actions come first'),
})

const guard = z.object({
  rule: z.enum(GUARD_RULES),
  message: z.string(),
  confirmable: z.boolean().describe("True when typing back the plan's hash lifts it"),
})

export const refusedRow = z
  .object({ domain_id: z.int(), domain: z.string(), code: z.enum(FAILURE_CODES), message: z.string() })
  .describe('A record that cannot be carried out whole')

const leftByMode = z.object({
  component: z.string(),
  key: z.string().describe('What of the component: dns:example.com'),
  mode: z.enum(MODES),
  reason: z.string(),
  until: z.int().nullable().describe('Epoch milliseconds; null for never'),
  differences: z.int(),
})

const PlanScope = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('all') }),
    z.object({ kind: z.literal('domain'), domain_id: z.int() }),
    z.object({ kind: z.literal('component'), component: z.string() }),
    z.object({
      kind: z.literal('records'),
      domain_ids: z.array(z.int()),
      edits: z.array(z.object({ id: z.int(), revision: z.int(), set: z.record(z.string(), z.unknown()) })),
      create: z.array(z.record(z.string(), z.unknown())),
    }),
    z.object({ kind: z.literal('call') }),
  ])
  .describe('What the plan is about')

/** By name of the field. */
export const fieldChanges = z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() }))

export const plannedRow = z.object({
  domain_id: z.int(),
  domain: z.string(),
  change: z.enum(['add', 'update', 'remove']),
  revision: z.int().nullable(),
  renamed_from: z
    .string()
    .optional()
    .describe('The name under which it is served until then; left out where that is its name'),
  fields: fieldChanges.optional().describe('Of an update: what is other than it was released'),
})

export const Plan = z
  .object({
    installation_id: z.string(),
    scope: PlanScope,
    base_release: z.int().describe('The release that the plan starts from'),
    rows: z.array(plannedRow),
    actions: z.array(action),
    details: z.array(difference.extend({ component: z.string() })),
    unified_diff: z.string().nullable(),
    warnings: z.array(z.string()),
    inputs: z.array(
      z.object({
        component: z.string(),
        key: z.string().describe('What was looked at, such as dns:example.com'),
        digest: z.string().nullable().describe('Null when the look failed'),
        detail: z.string().nullable(),
        observed_at: z.int().describe('Epoch milliseconds'),
      }),
    ),
    guards: z.array(guard).describe('Rules that stand in the way'),
    refused: z.array(refusedRow).describe('Records that stay as they are while the rest is carried out'),
    left: z
      .array(leftByMode)
      .describe('What is other than the plan asks for, and is no action: a mode leaves it'),
    complete: z.boolean().describe('False when a look failed'),
    applyable: z.boolean().describe('False when a guard stands in the way that no confirmation lifts'),
    hash: z
      .string()
      .describe(
        'SHA-256 over what the plan would do and what it rests on. `confirm` of the call that does the same takes it, and refuses when it would be another by then',
      ),
  })
  .meta({ id: 'Plan' }) satisfies z.ZodType<DecidedPlan>

export const KeptPlan = z
  .object({
    id: z.string(),
    created_at: instant(),
    expires_at: instant(),
    actor: z.string(),
    applied_release: z.int().nullable(),
    plan: Plan,
  })
  .meta({ id: 'KeptPlan' })
export type KeptPlan = Answered<typeof KeptPlan>

export const Planned = z.object({ dry_run: z.literal(true), plan: Plan }).meta({ id: 'PlannedAnswer' })

export const pending = z.object({
  domain_id: z.int(),
  domain: z.string(),
  revision: z.int().nullable(),
}) satisfies z.ZodType<PendingDomain>

/** What a pass did to one key, for every answer that lists passes. */
export const componentResult = z.object({
  component: z.string(),
  key: z.string().describe('What of the component: dns:example.com'),
  outcome: z.enum(OUTCOMES),
  differences: z.int(),
  repaired: z.int(),
  message: z.string().nullable(),
  took_ms: z.number(),
}) satisfies z.ZodType<ComponentResult>

export const RenderedConfig = z
  .object({
    yaml: z.string(),
    checksum: z.string().describe('SHA-256 of the bytes'),
    router_counts: z.object({ http: z.int(), tcp: z.int() }),
    domains: z.int().describe('Domains with a route'),
    apply_order: z.array(z.string()),
  })
  .meta({ id: 'RenderedConfig' })
export type RenderedConfig = Answered<typeof RenderedConfig>

export const Drift = z
  .object({
    drift: driftState(),
    reason: z.string().nullable().describe('Why it is unknown'),
    path: z.string(),
    rendered_checksum: z.string(),
    disk_checksum: z.string().nullable(),
    released_checksum: z.string().nullable(),
    differences: z.array(differenceWithActs),
    pending: z.array(pending),
    unified_diff: z
      .string()
      .nullable()
      .describe(
        'From what is on disk to what the database asks for; two, where a hand edit and a change that waits for its deploy meet',
      ),
    note: z.string().nullable(),
    observed_at: instant(),
  })
  .meta({ id: 'DriftCheck' })
export type Drift = Answered<typeof Drift>
