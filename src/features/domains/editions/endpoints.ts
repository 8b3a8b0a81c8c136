/** The editions of one record: read side by side, and going back from the saved one to the released one. */
import { z } from 'zod'
import { callerOf, Changing, IF_MATCH } from '../../../http/access/caller-of.ts'
import { having, when } from '../../../http/body/json-conditions.ts'
import { Planned, Success } from '../../../http/common-views.ts'
import { DomainId } from '../../../http/body/scalars.ts'
import { endpoint, type Endpoint } from '../../../http/contract.ts'
import { ok } from '../../../http/ok.ts'
import { fieldError, invalid } from '../../../kernel/failure.ts'
import { MAX_TAGS } from '../../../model/domain/grammar.ts'
import { FIELD_NAMES } from '../../../model/domain/record.ts'
import { DEPLOY_PROBLEMS, deployment } from '../../../http/deployment-views.ts'
import { asked } from '../api/forms.ts'
import { RehearsedSave } from '../api/save-schemas.ts'
import type { Deps } from '../deps.ts'
import { actOnMany, MOVING_ACTS } from './act-on-many.ts'
import { changeMany } from './change-many.ts'
import { discardEdit, discardMany } from './discard.ts'
import { duplicatesAmong, type RecordEdit, type SeenRecord } from './edit-many.ts'
import { readEditions } from './read.ts'
import { Editions, ActedRecord } from './views.ts'

const tags = ['Domains']

const MAX_RECORDS = 1000

const isDistinct = (words: readonly string[]): boolean => new Set(words).size === words.length

/** As the tags of one record. */
const tagList = (words: string) =>
  asked.tags
    .max(MAX_TAGS)
    .refine(isDistinct, { error: 'must not name the same entry twice', params: { type: 'duplicate' } })
    .optional()
    .describe(words)

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
      .max(MAX_RECORDS)
      .describe('Each id once: 422 (type duplicate) for one that stands here twice'),
    set: z
      .strictObject(z.object(asked).omit({ domain: true, backend_tls: true }).partial().shape)
      .optional()
      .describe('The same values for all of them; a name and trust in a backend are of one record'),
    tags_add: tagList('Added to those that each has'),
    tags_remove: tagList('Taken away from those that each has'),
    action: z
      .enum([...MOVING_ACTS, 'discard'])
      .optional()
      .describe(
        'What is done with all of them, in place of `set` and tags: discard gives up what is saved and not deployed; ' +
          'every other act is carried out at once, as the call for one domain does',
      ),
  })
  .meta({
    id: 'DomainChanges',
    examples: [{ records: [{ id: 7, revision: 3 }, { id: 8 }], tags_add: ['media'] }],
    allOf: [when(having('action'), { properties: { set: false, tags_add: false, tags_remove: false } })],
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

const actedRecords = {
  records: z.array(ActedRecord),
}

const ManyActed = z.object({ ...deployment, ...actedRecords }).meta({ id: 'DomainsActed' })
const ManyActPlan = Planned.extend(actedRecords).meta({ id: 'DomainsActPlan' })
const ManyChangePlan = Planned.extend(changedRecords).meta({ id: 'DomainsChangePlan' })

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
    summary: 'Change many records, or do one thing with them',
    description:
      'All of them or none, with every fault and every record that has moved on told at once. `set` and tags are saved and not deployed: ' +
      'POST /api/plans with their ids plans that. `action` does one thing with all of them: an activation, a deploy or an end is one ' +
      'release, and a dry run of it is one plan. What takes away more than a few asks for the plan to be confirmed.',
    level: 'keyed',
    tags,
    query: Changing,
    body: ManyChange,
    respond_async: 'asked',
    replies: { 200: z.union([ManySaved, ManyActed, ManyChangePlan, ManyActPlan]) },
    problems: [
      'not_found',
      'revision_mismatch',
      'entrypoint_taken',
      'name_taken',
      'record_disabled',
      ...DEPLOY_PROBLEMS,
    ],
    handler: async (call) => {
      const { records, action, ...change } = call.body
      if (action === undefined) return ok(await changeMany(deps, editsOf(records, change), callerOf(call)))
      assertAction(records, change)
      if (action === 'discard') return ok(await discardMany(deps, records, callerOf(call)))
      return ok(await actOnMany(deps, { action, records }, callerOf(call)))
    },
  }),
]

type Change = Omit<z.output<typeof ManyChange>, 'records' | 'action'>

const editsOf = (
  records: z.output<typeof ManyChange>['records'],
  { set = {}, tags_add, tags_remove }: Change,
): readonly RecordEdit[] => records.map((record) => ({ ...record, set, tags_add, tags_remove }))

function assertAction(records: readonly SeenRecord[], change: Change): void {
  const beside = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  const errors = [
    ...duplicatesAmong(records, 'records'),
    ...beside.map((name) => fieldError(['body', name], 'cannot stand beside an action', 'conflict')),
  ]
  if (errors.length > 0) throw invalid(errors)
}
