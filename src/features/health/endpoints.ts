/** One verdict over everything, and whether the process is ready to be relied on. */
import { z } from 'zod'
import { Failure } from '../../kernel/failure.ts'
import { UNDECIDED } from '../../model/undecided.ts'
import type { Deps } from './deps.ts'
import { healthWithActs } from './with-acts.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { flag } from '../../http/body/scalars.ts'
import { ok } from '../../http/ok.ts'
import { ControlPlaneHealth } from './views.ts'

const tags = ['System']

export const healthEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/ready',
    id: 'ready',
    summary: 'Whether everything was looked at once since the start',
    description:
      '503 until then, while the database or its log is not in place, and while the world is newer than the ' +
      'database and nobody has decided (plumbline releases resume): what else goes wrong later is ' +
      'told by /api/control-plane/health.',
    level: 'public',
    tags,
    bare: true,
    replies: { 200: z.object({ status: z.literal('ready') }).meta({ id: 'Ready' }) },
    problems: ['not_ready'],
    handler: () => {
      const hindrance = deps.health.readiness.hindrance(deps.clock.now())
      // Anybody may ask this: which file of the world is ahead is for the health page.
      if (deps.engine.world.failure() !== null) throw new Failure('not_ready', UNDECIDED)
      if (hindrance !== null) throw new Failure('not_ready', hindrance)
      return ok({ status: 'ready' as const })
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/control-plane/health',
    id: 'controlPlaneHealth',
    summary: 'One verdict over everything, with what it rests on',
    description:
      'Always 200 with the full breakdown, whatever is down. Answered from the last looks; with probe=true from fresh ones, ' +
      'within two seconds. Nothing is written. What is unknown or too old is not ok.',
    level: 'keyed',
    tags,
    query: z.object({ probe: flag().optional().describe('Look afresh at everything now; default false') }),
    replies: { 200: ControlPlaneHealth },
    handler: async ({ query }) => ok(await healthWithActs(deps, { probe: query.probe === true })),
  }),
]
