/** What differs, with its sides and what can be done about it, as every answer tells it. */
import type { Hunk } from '../kernel/text/diff.ts'
import { z } from 'zod'
import { type Act as OfferedAct, ACT_CONFIRMS, ACT_IDS } from '../model/acts/act.ts'
import { DRIFT_CAUSES, type ExplainedDifference } from '../model/drift.ts'

/** The one word for why it differs, the same in every answer. */
export const driftCause = z.enum(DRIFT_CAUSES)
export const driftState = () => z.boolean().nullable().describe('False clean, true dirty, null unknown')

export const difference = z.object({
  item: z.string(),
  cause: driftCause,
  domains: z.array(z.string()),
  detail: z.string(),
}) satisfies z.ZodType<ExplainedDifference>

const Act = z
  .object({
    id: z.enum(ACT_IDS),
    label: z.string().describe('A verb and what it is done to'),
    method: z.enum(['GET', 'POST', 'PUT']),
    path: z.string().describe('With its query'),
    body: z.record(z.string(), z.unknown()).nullable(),
    confirm: z
      .enum(ACT_CONFIRMS)
      .describe(
        'How it is shown before it is done. plan: the call answers a kept plan, and POST /api/plans/{plan_id}/apply does it; ' +
          'dry_run: the call takes ?dry_run=true first; asks: the same, and what is null in the body is asked of a person ' +
          'before; none: it only reads',
      ),
    why_not: z.string().nullable().describe('Why it is not possible now; null where it is'),
  })
  .meta({ id: 'Act' }) satisfies z.ZodType<OfferedAct>

export const acts = z
  .array(Act)
  .describe('What can be done about it, the likeliest first. What is not built is not among them')

const hunk = z.object({
  old_start: z.int(),
  old_lines: z.int(),
  new_start: z.int(),
  new_lines: z.int(),
  lines: z.array(
    z.object({
      sign: z.enum([' ', '-', '+']),
      text: z.string(),
      noise: z.boolean().describe('It says nothing but that something else differs'),
    }),
  ),
}) satisfies z.ZodType<Hunk>

const side = (of: string) =>
  z
    .string()
    .nullable()
    .describe(`${of}; null for nothing, and where hunks is null too: it has no text of its own`)

export const differenceWithActs = difference
  .extend({
    saved: side('What the saved edition asks for'),
    released: side('What the deployed edition asks for'),
    there: side('What is there, without what looks like a secret'),
    line: z.int().nullable().describe('Where it stands in the file'),
    noise: z.boolean().describe('It says nothing but that something else differs: a generation marker'),
    hunks: z
      .array(hunk)
      .nullable()
      .describe(
        'From what is there to what is released, or saved where it only waits for a deploy; null where there is no text to compare',
      ),
    acts,
    ignored: z
      .object({
        reason: z.string(),
        actor: z.string(),
        until: z.string().describe('RFC 3339, UTC'),
      })
      .optional()
      .describe('A person has said that it may stay; left out where nobody has'),
  })
  .meta({ id: 'Difference' })

/** As the engine tells what differs: what can be done about it, and its sides, are added where the answer goes out. */
export type WithoutActs<T> = Omit<T, 'differences'> & {
  readonly differences: readonly ExplainedDifference[]
}
