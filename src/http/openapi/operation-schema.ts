/** The shape of an operation, which every call answers that goes on after its caller was answered. */
import { z } from 'zod'
import { OPERATION_STATES, type OperationView } from '../../core/background/operation.ts'
import { PROGRESS_STATES } from '../../model/operation/progress.ts'
import { instant } from '../body/scalars.ts'

const Progress = z
  .object({
    done: z.int().describe('Differences that were applied'),
    total: z.int().describe('Differences that were found so far: those of a component once it was looked at'),
    components: z
      .array(z.object({ name: z.string(), done: z.int(), total: z.int(), state: z.enum(PROGRESS_STATES) }))
      .describe('In the order of work'),
  })
  .meta({ id: 'OperationProgress' })

const Step = z.object({
  component: z.string().describe('proof: something that is proven after the work'),
  key: z.string().describe('Of a proof: proxy_runs, sign_in_proven'),
  state: z.enum(PROGRESS_STATES),
  started_at: instant().nullable().describe('Null before it begins'),
  took_ms: z.int().nullable().describe('Null until it has ended'),
  message: z.string().nullable(),
})

export const Operation = z
  .object({
    id: z.string(),
    state: z.enum(OPERATION_STATES),
    method: z.string(),
    path: z.string(),
    actor: z.string(),
    request_id: z.string(),
    created_at: instant(),
    ended_at: instant().nullable(),
    progress: Progress.nullable().describe(
      'How far it has come with the world; null before it begins with that, and once it has ended',
    ),
    steps: z
      .array(Step)
      .describe(
        'What it does with the world, in the order of work. Kept in memory: of the last 256 that have ended, and none from before a restart',
      ),
    answer: z
      .object({ status: z.int(), body: z.unknown() })
      .nullable()
      .describe('The answer that the call would have given'),
    committed: z
      .object({
        release: z.int().nullable().describe('The release that it made; the reconciler goes on with it'),
        changes: z.int().describe('Its entries of the audit trail'),
      })
      .nullable()
      .describe('Of one that was interrupted: what of it is durable all the same'),
    hint: z.string().nullable().describe('What became of one that was interrupted, and what to do'),
  })
  .meta({ id: 'Operation' }) satisfies z.ZodType<OperationView>
