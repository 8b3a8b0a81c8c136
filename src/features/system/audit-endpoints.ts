/** The audit trail over the API. */
import type { CoreParts } from '../../core/parts.ts'
import { z } from 'zod'
import { readAudit } from '../../core/audit/read.ts'
import { actorsMeant } from './audit-words.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { DOMAIN_NAME } from '../../model/text/form.ts'
import { wholeNumber } from '../../http/body/scalars.ts'
import { ok } from '../../http/ok.ts'
import { AuditEntry, given, LINK, olderLink, TrailQuery, USUAL_PAGE } from '../../http/trail-page.ts'

const AuditQuery = TrailQuery.extend({
  domain_id: wholeNumber({ min: 1 }).optional(),
  domain: z
    .string()
    .min(1)
    .max(1024)
    .meta({ ...DOMAIN_NAME })
    .optional()
    .describe(
      'The name that the record had then; a rename is found under both. The name that it has now finds its earlier ones, too',
    ),
  actor: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe(
      'As an entry calls who acted, or by name alone: ci is key:ci, main the main key, alice also sso:alice',
    ),
  action: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('As an entry calls it; rename finds each that gave a record another name'),
  since: z.iso
    .datetime({ offset: true, error: 'must be a time in RFC 3339, such as 2030-01-31T12:00:00Z' })
    .optional()
    .describe('Only entries at or after this time (RFC 3339)'),
})

export const auditEndpoints = (deps: CoreParts): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/audit',
    id: 'readAudit',
    summary: 'The audit trail, newest first',
    description:
      'Entries of deleted domains stay, and are found by id and by name; a rename stands under both names, and the name of now finds what happened under the earlier one.',
    level: 'keyed',
    tags: [{ name: 'Audit', description: 'Who changed what' }],
    query: AuditQuery,
    replies: { 200: z.array(AuditEntry) },
    reply_headers: LINK,
    handler: async ({ query }) => {
      const { since, actor, ...rest } = query
      const by = actor === undefined ? {} : { actors: actorsMeant(actor) }
      const from = since === undefined ? {} : { since: Date.parse(since) }
      const page = await readAudit(deps, { limit: USUAL_PAGE, ...given(rest), ...by, ...from })
      return ok(page.entries, olderLink('/api/audit', query, page.next))
    },
  }),
]
