/** The answer to a save, and to its dry run: the record before and after, and what a deploy would then do. */
import { z } from 'zod'
import { FAILURE_CODES } from '../../../kernel/failure.ts'
import { FIELD_NAMES, STATUSES } from '../../../model/domain/record.ts'
import type { SavedAnswer } from '../../../core/answers.ts'
import { Plan, Planned, Success, writable } from '../../../http/common-views.ts'
import type { Answered } from '../../../http/contract.ts'

export const Saved = Success.extend({
  pending_deploy: z.boolean().describe('What is saved of the record waits for a deploy'),
}).meta({ id: 'Saved' }) satisfies z.ZodType<SavedAnswer>

const SavedRecord = z
  .object({
    ...writable,
    id: z.int().describe('Of a new record: as it would be given now'),
    status: z.enum(STATUSES),
    revision: z.int(),
  })
  .meta({ id: 'SavedRecord' })

export const RehearsedSave = Planned.extend({
  before: SavedRecord.nullable().describe('As it is saved; null for a new record'),
  after: SavedRecord.describe('As it would be saved'),
  changed: z.array(z.enum(FIELD_NAMES)).describe('Fields that would change; of a new record all'),
  deploy: z
    .object({
      by: z.enum(['activate', 'deploy']).describe('The call that would bring it out'),
      plan: Plan.nullable().describe('What that call would do; null where it would be refused'),
      refused: z.object({ code: z.enum(FAILURE_CODES), message: z.string() }).nullable(),
    })
    .nullable()
    .describe('Saving deploys nothing: what would follow; null for a disabled record'),
}).meta({ id: 'RehearsedSave' })
export type RehearsedSave = Answered<typeof RehearsedSave>
