/** Calls that go on after their caller was answered, and the call for a pass, which is always one of them. */
import { DEPLOY_PROBLEMS, Deployment } from '../../http/deployment-views.ts'
import { z } from 'zod'
import type { Deps } from './deps.ts'
import { COMPONENTS } from '../../model/component.ts'
import { assertComponent } from '../deploy/plans/scope.ts'
import { reconcile } from '../deploy/reconcile.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { OPERATION_STATES } from '../../core/background/operation.ts'
import { wholeNumber } from '../../http/body/scalars.ts'
import { Operation } from '../../http/openapi/operation-schema.ts'
import { callerOf, Changing } from '../../http/access/caller-of.ts'
import { ok } from '../../http/ok.ts'
import { componentResult, Planned } from '../../http/common-views.ts'

const tags = [{ name: 'Operations', description: 'Calls that go on after their caller was answered' }]

const Reconciled = z
  .object({
    success: z
      .boolean()
      .describe(
        'False where the proxy does not serve all that is released, or a protected route is open or not proven closed yet',
      ),
    message: z.string(),
    release: z.int(),
    components: z.array(componentResult),
    open_routes: Deployment.shape.open_routes,
    not_proven: Deployment.shape.not_proven,
  })
  .meta({ id: 'ReconcileResult' })

export const operationEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/operations',
    id: 'listOperations',
    summary: 'Calls that were answered with 202, the newest first',
    description: 'Of the last seven days; what runs is named with how far it is.',
    level: 'keyed',
    tags,
    query: z.object({
      state: z.enum(OPERATION_STATES).optional().describe('Only these'),
      limit: wholeNumber({ min: 1, max: 256 }).optional().describe('Default 50'),
    }),
    replies: { 200: z.array(Operation) },
    handler: async ({ query: { state, limit = 50 } }) =>
      ok(await deps.background.list({ limit, ...(state !== undefined && { state }) })),
  }),
  endpoint({
    method: 'GET',
    path: '/api/operations/{operation_id}',
    id: 'getOperation',
    summary: 'How far a call has come that was answered with 202',
    description: 'Kept for seven days. One that the end of the daemon cut short is interrupted.',
    level: 'keyed',
    tags,
    params: z.object({ operation_id: z.uuid('must be the id of an operation') }),
    replies: { 200: Operation },
    problems: ['not_found'],
    handler: async ({ params }) => ok(await deps.background.read(params.operation_id)),
  }),
  endpoint({
    method: 'POST',
    path: '/api/reconcile',
    id: 'reconcile',
    summary: 'Look at the world now and bring it to the newest release',
    description: 'Releases nothing. Also in observe mode, since a caller asks for it.',
    level: 'keyed',
    tags,
    query: Changing.extend({
      target: z.enum(COMPONENTS).optional().describe('Only this one'),
    }),
    respond_async: 'always',
    refuses: () => deps.engine.world.assertWhole(),
    replies: { 200: Reconciled.or(Planned) },
    problems: ['not_found', ...DEPLOY_PROBLEMS],
    handler: async (call) => {
      const { target = null } = call.query
      if (target !== null) assertComponent(deps, target)
      return ok(await reconcile(deps, target, callerOf(call)))
    },
  }),
]
