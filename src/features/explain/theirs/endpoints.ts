/** What a hand made, as an edit of the record. */
import { z } from 'zod'
import { callerOf, Changing, IF_MATCH } from '../../../http/access/caller-of.ts'
import { endpoint, type Endpoint } from '../../../http/contract.ts'
import { ok } from '../../../http/ok.ts'
import { RehearsedSave, Saved } from '../../domains/api/save-schemas.ts'
import type { Deps } from '../deps.ts'
import { saveTheirs } from './save-theirs.ts'

export const theirsEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/api/drift/save-theirs',
    id: 'saveTheirs',
    summary: 'Save what a hand made of a route as an edit of its record',
    description:
      'Of the routes of one record (causes edited and edited_and_pending): what stands in the routes file is read back into the ' +
      'record: its backend, its health check, the entries of the catalogue; of a TCP route its backend. It is saved only where ' +
      'a rendering of the record would then be exactly what stands there; otherwise 409 names what a record cannot say, and ' +
      'nothing is saved. The same for a file that lets in more than what was released, and for a field that is saved ' +
      'otherwise meanwhile. Nothing is deployed: the edit is pending, and until its deploy a repair puts back what is released.',
    level: 'keyed',
    tags: ['Conditions'],
    query: Changing,
    headers: IF_MATCH,
    body: z.strictObject({ item: z.string().min(1).max(600).describe('As GET /api/drift names it') }).meta({
      id: 'SaveTheirsRequest',
      examples: [{ item: 'http.services.plumbline-site_app.example.com' }],
    }),
    replies: { 200: Saved.or(RehearsedSave) },
    problems: ['not_found', 'conflict', 'revision_mismatch'],
    handler: async (call) => ok(await saveTheirs(deps, call.body.item, callerOf(call))),
  }),
]
