/** From an HTTP call to the caller that operations know: who asks, whether it is a dry run, which revision it has seen. */
import { z } from 'zod'
import { fieldError, invalid } from '../../kernel/failure.ts'
import type { Caller } from '../../core/caller.ts'
import type { Call } from '../contract.ts'
import { flag } from '../body/scalars.ts'

/** The query of every state-changing call. */
export const Changing = z.object({
  dry_run: flag().optional().describe('Answer with the plan and change nothing'),
  confirm: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be the hash of a plan: 64 hexadecimal digits')
    .optional()
    .describe('The hash of the plan that a guard refused, typed back: lets that very plan through, once'),
})

export const IF_MATCH = {
  'If-Match': 'The revision that the caller has seen; 412 when the record has moved on',
}

export const callerOf = (call: Call<unknown, Partial<z.output<typeof Changing>>>): Caller => ({
  actor: call.actor,
  dry_run: call.query.dry_run === true,
  if_match: revisionOf(call.header('if-match')),
  confirm: call.query.confirm ?? null,
  signal: call.signal,
  progress: call.progress,
  subjects: call.subjects,
})

/** `"7"` (RFC 9110 §13.1.1), or `*` and absence for any revision. */
function revisionOf(header: string | null): number | null {
  if (header === null || header.trim() === '*') return null
  const match = /^"?([1-9][0-9]{0,14})(?:-error)?"?$/.exec(header.trim())
  if (match === null)
    throw invalid([
      fieldError(['header', 'if-match'], 'must be one quoted revision such as "7", or *', 'etag'),
    ])
  return Number(match[1])
}
