/** The estate in one call: many records created, changed and deployed in one transaction. */
import type { Deps } from './deps.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { callerOf, Changing } from '../../http/access/caller-of.ts'
import { ok } from '../../http/ok.ts'
import { DEPLOY_PROBLEMS } from '../../http/deployment-views.ts'
import { applyEstate } from './apply.ts'
import { EstateApplied, EstatePlanned, EstateRequest } from './views.ts'

const tags = ['Deployment']
const ESTATE_BYTES = 8 * 1024 * 1024

export const importEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/api/estate',
    id: 'applyEstate',
    summary: 'Create, change, delete and deploy many domains in one transaction',
    description:
      'Records that the estate does not name are left alone. Those in `deletes` go in the same release, with all that is ours of them.',
    level: 'keyed',
    tags,
    query: Changing,
    body: EstateRequest,
    body_limit: ESTATE_BYTES,
    // As many entries as the routers that an estate may replace.
    body_members: { keys: 10_000, entries: 20_000 },
    respond_async: 'asked',
    replies: { 200: EstateApplied.or(EstatePlanned) },
    problems: ['name_taken', 'entrypoint_taken', 'record_disabled', ...DEPLOY_PROBLEMS],
    handler: async (call) => {
      const { domains, deletes, replaces } = call.body
      const entries = domains.map(({ status, ...fields }) => ({
        fields,
        ...(status === undefined ? {} : { status }),
      }))
      return ok(await applyEstate(deps, { entries, deletes, replaces }, callerOf(call)))
    },
  }),
]
