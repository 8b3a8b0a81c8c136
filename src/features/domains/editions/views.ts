/** The shape of the answers about the editions of records, declared once. */
import { z } from 'zod'
import { writable } from '../../../http/common-views.ts'
import { FIELD_NAMES, STATUSES } from '../../../model/domain/record.ts'
import type { Answered } from '../../../http/contract.ts'
import { instant } from '../../../http/body/scalars.ts'

export const Editions = z
  .object({
    saved: z.object({ ...writable, status: z.enum(STATUSES), revision: z.int(), at: instant() }),
    released: z
      .object({
        ...writable,
        revision: z.int(),
        live: z.boolean().describe('False: released as taken out of what is served'),
        release: z.int().nullable().describe('The newest release that moved it'),
        at: instant().nullable(),
      })
      .nullable()
      .describe('Null where nothing of it was ever released'),
    moved: z
      .array(z.enum(FIELD_NAMES))
      .describe(
        'Fields that differ and wait for a deploy, which `note` and `tags` never do; none where nothing is released',
      ),
  })
  .meta({ id: 'DomainEditions' })
export type Editions = Answered<typeof Editions>

export const ActedRecord = z.object({
  domain_id: z.int(),
  domain: z.string(),
  revision: z.int().nullable().describe('Null: deleted'),
  status: z.enum(STATUSES).nullable(),
})
export type ActedRecord = Answered<typeof ActedRecord>
