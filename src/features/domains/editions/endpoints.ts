/** The editions of one record: read side by side, and going back from the saved one to the released one. */
import { z } from 'zod'
import { callerOf, Changing, IF_MATCH } from '../../../http/access/caller-of.ts'
import { Success, writable } from '../../../http/common-views.ts'
import { endpoint, type Endpoint } from '../../../http/contract.ts'
import { ok } from '../../../http/ok.ts'
import { FIELD_NAMES, STATUSES } from '../../../model/domain/record.ts'
import { DomainId } from '../api/endpoints.ts'
import { RehearsedSave } from '../api/save-schemas.ts'
import type { Deps } from '../deps.ts'
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
]
