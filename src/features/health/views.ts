/** The shape of the health page, declared once. */
import { z } from 'zod'
import type { Answered } from '../../http/contract.ts'
import { HEALTH_KINDS, HEALTH_REASONS, type HealthDifference } from '../../model/health.ts'
import { acts } from '../../http/difference-views.ts'
import { CONDITION_REASONS, CONDITION_STATUSES } from '../../model/condition.ts'

const instantOrNull = () => z.string().nullable().describe('RFC 3339, UTC')

const drift = () => z.boolean().nullable().describe('false clean, true dirty, null unknown')

const HealthComponent = z
  .object({
    name: z.string().describe('Unique: a key such as dns:example.org, or the name of a check'),
    component: z.string().describe('Its family; the label of metrics'),
    kind: z
      .enum(HEALTH_KINDS)
      .describe('kept: made true by the reconciler. dependency: needed and asked. watch: watched'),
    configured: z.boolean().describe('False: not set up, so it counts for nothing'),
    ok: z
      .boolean()
      .describe(
        'Known to be as it should be. Also true where all that differs is what a person said may stay: drift is true then',
      ),
    drift: drift(),
    cause: z
      .string()
      .nullable()
      .describe('The most urgent of what is wrong, in the words of its own endpoint and of /api/drift'),
    causes: z.record(z.string(), z.int()).describe('How many differences of each cause'),
    reason: z.enum(HEALTH_REASONS),
    message: z.string(),
    of_some: z
      .boolean()
      .optional()
      .describe('True where the message stands for some domains, each of which has its own reason'),
    differences: z
      .array(
        z.object({
          item: z.string(),
          cause: z.string(),
          domains: z.array(z.string()),
          detail: z.string(),
        }) satisfies z.ZodType<HealthDifference>,
      )
      .describe('The first 20'),
    details: z
      .record(z.string(), z.unknown())
      .describe(
        'Figures and names of its own; of what is not ok, `remedy` says what would help, and of what is not set up, `settings` what would set it up',
      ),
    acts,
    observed_at: instantOrNull().describe('End of the last look, whatever came of it; null before the first'),
    stale_after: instantOrNull().describe('From when on what is known says nothing any more'),
    stale: z.boolean(),
    since: instantOrNull().describe('Since when ok and drift are what they are'),
    next_attempt_at: instantOrNull().describe('When it is looked at next at the latest, or tried again'),
    mode: z.enum(['repair', 'observe', 'suspend']).nullable().describe('Of what is kept; null for others'),
    suspended_until: instantOrNull(),
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
    things: z
      .object({ right: z.int(), all: z.int() })
      .describe('Of how many things it speaks, and how many of them are as they should be'),
    wrong: z
      .array(z.object({ name: z.string(), cause: z.string() }))
      .describe('All that is not: its name, with its cause, or else why; what others need goes first'),
    components: z.array(HealthComponent).describe('Kept things in the order of work, then what is watched'),
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
export type ControlPlaneHealth = Answered<typeof ControlPlaneHealth>

const time = () => z.string().describe('RFC 3339, UTC')

export const condition = {
  status: z.enum(CONDITION_STATUSES).describe('Is the released state there?'),
  reason: z.enum(CONDITION_REASONS),
  message: z.string().describe('For people, with the figures of the last look'),
  observed_revision: z.int().nullable().describe('Released revision that the look was compared with'),
  last_transition_at: time().describe('When the status last changed'),
  observed_at: time().nullable().describe('The last look of this process, also one that showed nothing new'),
}

export const ListedCondition = z
  .object({
    component: z.string(),
    key: z.string().describe('The thing that is written atomically'),
    domain_id: z.int().nullable().describe('Null for the component as a whole'),
    domain: z.string().nullable(),
    ...condition,
    others: z
      .object({ status: condition.status, reason: condition.reason, message: condition.message })
      .nullable()
      .describe('Of a component, where some domains have conditions of their own: what holds of all others'),
  })
  .meta({ id: 'Condition' })
export type ListedCondition = Answered<typeof ListedCondition>
