/** The shape of an operation, which every call answers that goes on after its caller was answered. */
import { z } from 'zod'
import { OPERATION_STATES } from '../operations/background/operation.ts'

const instant = () => z.string().describe('RFC 3339, UTC')

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
    answer: z
      .object({ status: z.int(), body: z.unknown() })
      .nullable()
      .describe('The answer that the call would have given'),
    hint: z.string().nullable().describe('What to look at where the end is not known'),
  })
  .meta({ id: 'Operation' })
