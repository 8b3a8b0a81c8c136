/** The answers of the decision between an older database and a newer world, and what lies between two editions. */
import { z } from 'zod'
import { Deployment } from '../../../http/deployment-views.ts'
import { action, fieldChanges } from '../../../http/common-views.ts'
import type { Answered } from '../../../http/contract.ts'

export const named = { domain_id: z.int(), domain: z.string() }

export const editionDiff = {
  added: z.array(z.object(named)),
  removed: z.array(z.object(named)),
  changed: z.array(
    z.object({
      ...named,
      fields: fieldChanges,
    }),
  ),
}

const WorldStanding = z
  .object({
    waiting: z.boolean(),
    database_number: z.int().describe('Of the newest change in the database'),
    worlds: z.array(z.object({ world: z.string(), place: z.string(), number: z.int(), ahead: z.boolean() })),
  })
  .meta({ id: 'WorldStanding' })

const names = z.array(z.string())

export const RefusedPart = z.object({
  part: z.enum(['record', 'ssh_client', 'person']),
  name: z.string(),
  field: z.string(),
  reason: z.string(),
})
export type RefusedPart = Answered<typeof RefusedPart>

const resumed = {
  take: z.enum(['database', 'world']),
  message: z.string(),
  changes: z
    .object({
      restored: names,
      created: names,
      deactivated: names,
      disabled: names,
      deleted: names,
      parked: names.describe(
        'Records that hold a name or an entrypoint that the world has given to another: with what they have instead',
      ),
      keys_saved: names,
      keys_dropped: names,
      live_again: names.describe('Hosts; this and the next ones where the database is taken'),
      taken_down: names,
      changed_back: names,
      keys_let_in: names,
      keys_shut_out: names,
      keys_changed: names,
      people_let_in: names.describe('Whom the newer world has revoked'),
      people_revoked: names.describe('Whichever side is taken'),
      unknown_drafts: z.int().describe('Saved in the newer database and never deployed: known to nobody'),
    })
    .describe(
      'What becomes of the database where the world is taken, and of the world where the database is',
    ),
  refused: z.array(RefusedPart).describe('Parts of the world’s file that are not valid here and not taken'),
}

export const ResumePlanned = z
  .object({
    planned: z.literal(true),
    ...resumed,
    hash: z.string().describe('To be typed back as `confirm`'),
    standing: WorldStanding,
    diff: z
      .object(editionDiff)
      .nullable()
      .describe('From what is deployed by the side that is not taken; null where no file says what that is'),
    outside: z
      .object({
        actions: z.array(action),
        unified_diff: z.string().nullable(),
        complete: z.boolean().describe('False when a look failed'),
      })
      .describe('What would be written outside'),
    warnings: z.array(z.string()).describe('Also of each route that loses a check or is opened'),
  })
  .meta({ id: 'ResumePlan' })

export const Resumed = Deployment.extend({
  planned: z.literal(false),
  ...resumed,
  number: z.int().describe('Of the decision: above every number in the world'),
}).meta({ id: 'ResumeResult' })
