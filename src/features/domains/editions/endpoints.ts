/** The editions of one record: read side by side, and going back from the saved one to the released one. */
import { z } from 'zod'
import { callerOf, Changing, IF_MATCH } from '../../../http/access/caller-of.ts'
import { Planned, Success, writable } from '../../../http/common-views.ts'
import { endpoint, type Endpoint } from '../../../http/contract.ts'
import { ok } from '../../../http/ok.ts'
import { FIELD_NAMES, STATUSES } from '../../../model/domain/record.ts'
import { DomainId } from '../api/endpoints.ts'
import { asked } from '../api/forms.ts'
import { RehearsedSave } from '../api/save-schemas.ts'
import type { Deps } from '../deps.ts'
import { changeMany } from './change-many.ts'
import { discardEdit } from './discard.ts'
import { readEditions } from './read.ts'

const tags = ['Domains']
const instant = () => z.string().describe('RFC 3339, UTC')

const Editions = z
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
    moved: z.array(z.enum(FIELD_NAMES)).describe('Fields that differ; none where nothing is released'),
  })
  .meta({ id: 'DomainEditions' })

const MAX_RECORDS = 1000

const tagList = (words: string) => asked.tags.optional().describe(words)

const ManyChange = z
  .strictObject({
    records: z
      .array(
        z.strictObject({
          id: z.int().min(1),
          revision: z
            .int()
            .min(1)
            .optional()
            .describe('That you have seen; 412 where the record has moved on'),
        }),
      )
      .min(1)
      .max(MAX_RECORDS),
    set: z
      .strictObject(z.object(asked).omit({ domain: true, backend_tls: true }).partial().shape)
      .optional()
      .describe('The same values for all of them; a name and trust in a backend are of one record'),
    tags_add: tagList('Added to those that each has'),
    tags_remove: tagList('Taken away from those that each has'),
  })
  .meta({
    id: 'DomainChanges',
    examples: [{ records: [{ id: 7, revision: 3 }, { id: 8 }], tags_add: ['media'] }],
  })

const changedRecords = {
  records: z.array(
    z.object({
      domain_id: z.int(),
      domain: z.string(),
      revision: z.int(),
      changed: z.array(z.enum(FIELD_NAMES)).describe('Empty: it is so already'),
    }),
  ),
}

const ManySaved = z
  .object({ success: z.literal(true), message: z.string(), ...changedRecords, warnings: z.array(z.string()) })
  .meta({ id: 'DomainsChanged' })

export const editionEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/domains/{domain_id}/editions',
    id: 'domainEditions',
    summary: 'What is saved of a domain and what is released of it',
    description:
      'Every field of both editions, and the names of those that differ. Nothing outside is asked.',
    level: 'keyed',
    tags,
    params: DomainId,
    replies: { 200: Editions },
    problems: ['not_found'],
    handler: async ({ params }) => ok(await readEditions(deps.store, params.domain_id)),
  }),
  endpoint({
    method: 'POST',
    path: '/api/domains/{domain_id}/discard',
    id: 'discardDomain',
    summary: 'Give up what is saved and not deployed',
    description:
      'Saves the record as it is released, as a new revision. Nothing outside moves, and the audit trail keeps what was given up.',
    level: 'keyed',
    tags,
    params: DomainId,
    query: Changing,
    headers: IF_MATCH,
    replies: { 200: Success.or(RehearsedSave) },
    problems: ['not_found', 'revision_mismatch', 'conflict', 'name_taken', 'entrypoint_taken'],
    handler: async (call) => ok(await discardEdit(deps, call.params.domain_id, callerOf(call))),
  }),
  endpoint({
    method: 'POST',
    path: '/api/domains/changes',
    id: 'changeDomains',
    summary: 'Save one change of many records',
    description:
      'All of them or none, with every fault and every record that has moved on told at once. Nothing is deployed: POST /api/plans with ' +
      'their ids plans that.',
    level: 'keyed',
    tags,
    query: Changing,
    body: ManyChange,
    replies: { 200: ManySaved.or(Planned.extend(changedRecords).meta({ id: 'DomainsChangePlan' })) },
    problems: ['not_found', 'revision_mismatch', 'conflict', 'entrypoint_taken'],
    handler: async (call) => {
      const { records, set = {}, tags_add, tags_remove } = call.body
      const edits = records.map((record) => ({ ...record, set, tags_add, tags_remove }))
      return ok(await changeMany(deps, edits, callerOf(call)))
    },
  }),
]
