/** One verdict over everything, and whether the process is ready to be relied on. */
import { z } from 'zod'
import { Failure } from '../../kernel/failure.ts'
import { HEALTH_KINDS, HEALTH_REASONS } from '../../model/health.ts'
import { UNDECIDED } from '../../model/undecided.ts'
import type { Deps } from './deps.ts'
import { healthWithActs } from './with-acts.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { acts } from '../../http/difference-views.ts'
import { flag } from '../../http/body/scalars.ts'
import { ok } from '../../http/ok.ts'

const tags = ['System']

const instant = () => z.string().nullable().describe('RFC 3339, UTC')
const drift = () => z.boolean().nullable().describe('false clean, true dirty, null unknown')

const Component = z
  .object({
    name: z.string().describe('Unique: a key such as dns:example.org, or the name of a check'),
    component: z.string().describe('Its family; the label of metrics'),
    kind: z
      .enum(HEALTH_KINDS)
      .describe('kept: made true by the reconciler. dependency: needed and asked. watch: watched'),
    configured: z.boolean().describe('False: not set up, so it counts for nothing'),
    ok: z.boolean().describe('Known to be as it should be; drift is false then'),
    drift: drift(),
    cause: z
      .string()
      .nullable()
      .describe('The most urgent of what is wrong, in the words of its own endpoint and of /api/drift'),
    causes: z.record(z.string(), z.int()).describe('How many differences of each cause'),
    reason: z.enum(HEALTH_REASONS),
    message: z.string(),
    differences: z
      .array(
        z.object({
          item: z.string(),
          cause: z.string(),
          domains: z.array(z.string()),
          detail: z.string(),
        }),
      )
      .describe('The first 20'),
    details: z
      .record(z.string(), z.unknown())
      .describe('Figures and names of its own; of what is not ok, `remedy` says what would help'),
    acts,
    observed_at: instant().describe('End of the last look, whatever came of it; null before the first'),
    stale_after: instant().describe('From when on what is known says nothing any more'),
    stale: z.boolean(),
    since: instant().describe('Since when ok and drift are what they are'),
    next_attempt_at: instant().describe('When it is looked at next at the latest, or tried again'),
    mode: z.enum(['repair', 'observe', 'suspend']).nullable().describe('Of what is kept; null for others'),
    suspended_until: instant(),
  })
  .meta({ id: 'HealthComponent' })

export const ControlPlaneHealth = z
  .object({
    ok: z
      .boolean()
      .describe(
        'True exactly when every component is ok, none is drifting or unknown, and every invariant holds',
      ),
    drift: drift(),
    summary: z.string().describe('One sentence'),
    components: z.array(Component).describe('Kept things in the order of work, then what is watched'),
    invariants: z.array(
      z.object({
        name: z.string(),
        promise: z.string(),
        holds: z.boolean().nullable().describe('Null: it could not be looked at'),
        detail: z.string().nullable(),
        checked_at: z.string().describe('RFC 3339, UTC'),
      }),
    ),
    observed_at: z.string().describe('RFC 3339, UTC'),
    probed: z.boolean().describe('Whether it was looked at for this answer'),
  })
  .meta({ id: 'ControlPlaneHealth' })

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
