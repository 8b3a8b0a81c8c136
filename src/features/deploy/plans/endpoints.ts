/** Plans as things of their own: made, read, applied exactly as they are. */
import { z } from 'zod'
import { fieldError, invalid } from '../../../kernel/failure.ts'
import type { Caller } from '../../../core/caller.ts'
import type { PlanScope } from '../../../model/plan.ts'
import type { Deps } from '../deps.ts'
import { asked } from '../../domains/api/forms.ts'
import { namedDomain } from '../../domains/read.ts'
import { applyPlan } from './apply.ts'
import { createPlan } from './create.ts'
import { readPlan } from './kept.ts'
import type { Call } from '../../../http/contract.ts'
import { DOMAIN_NAME } from '../../../model/text/form.ts'
import { endpoint, type Endpoint } from '../../../http/contract.ts'
import { callerOf } from '../../../http/access/caller-of.ts'
import { created, ok } from '../../../http/ok.ts'
import { DEPLOY_PROBLEMS, Deployment } from '../../../http/deployment-views.ts'
import { KeptPlan } from '../../../http/common-views.ts'

const tags = [
  { name: 'Plans', description: 'Plans as things of their own: made, read, applied exactly as they are' },
]

const MAX_RECORDS = 1000
/** A kept plan holds what it is made of. */
const PLAN_BYTES = 512 * 1024

const PlannedEdit = z
  .strictObject({
    id: z.int().min(1),
    revision: z.int().min(1).describe('That you have seen; 412 where the record has moved on'),
    set: z.strictObject(z.object(asked).partial().shape).describe('Fields that are to change'),
  })
  .meta({ id: 'PlannedEdit' })

const PlannedRecord = z
  .strictObject({ ...z.object(asked).partial().shape, domain: asked.domain })
  .describe('A new record, which is activated. service_type defaults to http, environment to production')

const ScopeRequest = z
  .strictObject({
    domain: z
      .union([
        z.int().min(1),
        z
          .string()
          .min(1)
          .max(253)
          .meta({ ...DOMAIN_NAME }),
      ])
      .optional()
      .describe('Id or name of one record'),
    component: z.string().min(1).max(64).optional().describe('Repair of one component'),
    domains: z
      .array(z.int().min(1))
      .max(MAX_RECORDS)
      .optional()
      .describe('Ids of records, as they are saved'),
    edits: z
      .array(PlannedEdit)
      .max(MAX_RECORDS)
      .optional()
      .describe('Changes that are not saved: applying the plan saves and deploys them in one transaction'),
    create: z
      .array(PlannedRecord)
      .max(MAX_RECORDS)
      .optional()
      .describe('New records, in the same transaction'),
  })
  .meta({
    id: 'PlanRequest',
    examples: [{ component: 'routes' }],
    description:
      'Nothing: everything that is saved and not deployed. domain, component, and domains with edits and create exclude each other',
  })
  .optional()

const PlanId = z.object({ plan_id: z.uuid('must be the id of a plan') })

const Confirmation = z
  .strictObject({
    confirm: z
      .string()
      .max(64)
      .meta({ pattern: '^[0-9a-f]{64}$' })
      .optional()
      .describe("The plan's hash, to lift the guards it tells of"),
  })
  .meta({
    id: 'PlanConfirmation',
    examples: [{ confirm: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' }],
  })
  .optional()

/** Of any revision: a plan names those of its records itself, so `If-Match` is not read. */
const plannerOf = (call: Call): Caller => callerOf({ ...call, query: {}, header: () => null })

export const planEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/api/plans',
    reads: true,
    id: 'createPlan',
    summary: 'Plan a deploy and keep the plan for a quarter of an hour',
    description:
      'What a deploy would do, component by component, with a hash. Changes nothing; applied by POST /api/plans/{plan_id}/apply. ' +
      'A plan of `domains`, `edits` and `create` is carried out whole or not at all: what stands in the way is a guard that names it.',
    level: 'keyed',
    tags,
    body: ScopeRequest,
    body_limit: PLAN_BYTES,
    body_members: { keys: 64, entries: 20_000 },
    replies: { 201: KeptPlan },
    problems: ['not_found', 'conflict', 'revision_mismatch', 'name_taken', 'entrypoint_taken'],
    handler: async (call) => {
      const kept = await createPlan(deps, await scopeOf(deps, call.body), plannerOf(call))
      return created(kept, { Location: `/api/plans/${kept.id}` })
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/plans/{plan_id}',
    id: 'getPlan',
    summary: 'One plan',
    description: 'As it was made. A plan is kept for a quarter of an hour.',
    level: 'keyed',
    tags,
    params: PlanId,
    replies: { 200: KeptPlan },
    problems: ['not_found'],
    handler: async ({ params }) => ok(await readPlan(deps, params.plan_id)),
  }),
  endpoint({
    method: 'POST',
    path: '/api/plans/{plan_id}/apply',
    id: 'applyPlan',
    summary: 'Apply a plan exactly as it is, once',
    description:
      'It is computed again first. When it would do anything else now, the answer is 409 with the difference.',
    level: 'keyed',
    tags,
    params: PlanId,
    body: Confirmation,
    respond_async: 'asked',
    replies: { 200: Deployment },
    problems: ['not_found', 'revision_mismatch', 'name_taken', 'entrypoint_taken', ...DEPLOY_PROBLEMS],
    handler: async (call) =>
      ok(
        await applyPlan(deps, call.params.plan_id, {
          ...plannerOf(call),
          confirm: call.body?.confirm ?? null,
        }),
      ),
  }),
]

async function scopeOf(deps: Deps, request: z.output<typeof ScopeRequest>): Promise<PlanScope> {
  const { domain, component, domains = [], edits = [], create = [] } = request ?? {}
  const names_records = domains.length + edits.length + create.length > 0
  if ([domain !== undefined, component !== undefined, names_records].filter(Boolean).length > 1)
    throw invalid([
      fieldError(
        ['body', component === undefined ? 'domain' : 'component'],
        'cannot be planned together with other records',
        'value_error',
      ),
    ])
  if (component !== undefined) return { kind: 'component', component }
  if (names_records) return { kind: 'records', domain_ids: domains, edits, create }
  // A choice of none is not everything.
  if (request?.domains !== undefined || request?.edits !== undefined || request?.create !== undefined)
    throw invalid([
      fieldError(['body', 'domains'], 'names no record: give one, or leave it out for all', 'too_short'),
    ])
  if (domain === undefined) return { kind: 'all' }
  return {
    kind: 'domain',
    domain_id: typeof domain === 'number' ? domain : (await namedDomain(deps, domain)).id,
  }
}
