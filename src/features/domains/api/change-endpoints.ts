/** The domain endpoints of the specification, changing side. */
import type { Deps } from '../deps.ts'
import { activateDomain, retireDomain } from '../change-status.ts'
import { createDomain, newDomainFaults } from '../create.ts'
import { deployDomain } from '../deploy.ts'
import { exposeDomain, exposeFaults } from '../expose.ts'
import { removeDomain } from '../remove.ts'
import { changeFaults, updateDomain } from '../update.ts'
import type { FailureCode } from '../../../kernel/failure.ts'
import { DomainId } from '../../../http/body/scalars.ts'
import { endpoint, type Endpoint } from '../../../http/contract.ts'
import { created, ok } from '../../../http/ok.ts'
import { callerOf, Changing, IF_MATCH } from '../../../http/access/caller-of.ts'
import { RehearsedSave, Saved } from './save-schemas.ts'
import { DomainCreate, DomainUpdate, ExposeRequest } from './requests.ts'
import { Planned, Success } from '../../../http/common-views.ts'
import { DEPLOY_PROBLEMS, Deployment, Exposed, Retired } from '../../../http/deployment-views.ts'

const tags = ['Domains']

const ON_RECORD: readonly FailureCode[] = ['not_found', 'revision_mismatch']

/** A dry run of a call that answers 201 answers 200: nothing was created. */
export const changingEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/api/domains',
    id: 'createDomain',
    summary: 'Save a new domain record',
    description: 'The record is inactive. Nothing outside moves until it is activated.',
    level: 'keyed',
    tags,
    query: Changing,
    body: DomainCreate,
    replies: { 201: Success, 200: RehearsedSave },
    problems: ['name_taken', 'entrypoint_taken'],
    faults: ({ body }) => newDomainFaults(deps, body),
    handler: async (call) => {
      const answer = await createDomain(deps, call.body, callerOf(call))
      if ('dry_run' in answer) return ok(answer)
      return created(answer, { Location: `/api/domains/${answer.domain_id}` })
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api/domains/expose',
    id: 'exposeDomain',
    summary: 'Create and deploy a domain in one call',
    description:
      'Saves the record, activates it and deploys it: DNS, certificate, sign-in rule and route, in this order. ' +
      'Without backend_scheme and backend_tls the backend is asked how it is spoken to: what trusts nobody new is taken, else it is 422 with what to choose.',
    level: 'keyed',
    tags,
    query: Changing,
    body: ExposeRequest,
    respond_async: 'asked',
    replies: { 200: Exposed.or(Planned) },
    problems: ['name_taken', 'entrypoint_taken', ...DEPLOY_PROBLEMS],
    faults: ({ body }) => exposeFaults(deps, body),
    handler: async (call) => ok(await exposeDomain(deps, call.body, callerOf(call))),
  }),
  endpoint({
    method: 'PUT',
    path: '/api/domains/{domain_id}',
    id: 'updateDomain',
    summary: 'Save changes of a domain record',
    description: 'Never deploys. A change of a live record is pending until a deploy names it.',
    level: 'keyed',
    tags,
    params: DomainId,
    query: Changing,
    headers: IF_MATCH,
    body: DomainUpdate,
    replies: { 200: Saved.or(RehearsedSave) },
    problems: [...ON_RECORD, 'name_taken', 'entrypoint_taken'],
    faults: ({ params, body }) => changeFaults(deps, params.domain_id, body),
    handler: async (call) => ok(await updateDomain(deps, call.params.domain_id, call.body, callerOf(call))),
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/domains/{domain_id}',
    id: 'deleteDomain',
    summary: 'Delete a domain record and its route',
    description:
      'Its route goes first, then its DNS records and its sign-in rules, then the record. The audit trail keeps it.',
    level: 'keyed',
    tags,
    params: DomainId,
    query: Changing,
    headers: IF_MATCH,
    respond_async: 'asked',
    replies: { 200: Retired.or(Planned) },
    problems: [...ON_RECORD, ...DEPLOY_PROBLEMS],
    handler: async (call) => ok(await removeDomain(deps, call.params.domain_id, callerOf(call))),
  }),
  endpoint({
    method: 'POST',
    path: '/api/domains/{domain_id}/activate',
    id: 'activateDomain',
    summary: 'Activate a domain and deploy it',
    description: 'On an active domain: an idempotent redeploy of its saved state.',
    level: 'keyed',
    tags,
    params: DomainId,
    query: Changing,
    headers: IF_MATCH,
    respond_async: 'asked',
    replies: { 200: Deployment.or(Planned) },
    problems: [...ON_RECORD, 'record_disabled', ...DEPLOY_PROBLEMS],
    handler: async (call) => ok(await activateDomain(deps, call.params.domain_id, callerOf(call))),
  }),
  endpoint({
    method: 'POST',
    path: '/api/domains/{domain_id}/deactivate',
    id: 'deactivateDomain',
    summary: 'Take a domain out of the routes file',
    description: 'Its DNS records are kept.',
    level: 'keyed',
    tags,
    params: DomainId,
    query: Changing,
    headers: IF_MATCH,
    respond_async: 'asked',
    replies: { 200: Retired.or(Planned) },
    problems: [...ON_RECORD, 'record_disabled', ...DEPLOY_PROBLEMS],
    handler: async (call) =>
      ok(await retireDomain(deps, call.params.domain_id, 'deactivate', callerOf(call))),
  }),
  endpoint({
    method: 'POST',
    path: '/api/domains/{domain_id}/disable',
    id: 'disableDomain',
    summary: 'Disable a domain for good',
    description:
      'Takes it out of everything that is served, and keeps the record. It cannot be activated again.',
    level: 'keyed',
    tags,
    params: DomainId,
    query: Changing,
    headers: IF_MATCH,
    respond_async: 'asked',
    replies: { 200: Retired.or(Planned) },
    problems: [...ON_RECORD, ...DEPLOY_PROBLEMS],
    handler: async (call) => ok(await retireDomain(deps, call.params.domain_id, 'disable', callerOf(call))),
  }),
  endpoint({
    method: 'POST',
    path: '/api/domains/{domain_id}/deploy',
    id: 'deployDomain',
    summary: "Deploy one domain's saved state",
    description: 'Brings out what is saved of this record alone. Other pending edits stay pending.',
    level: 'keyed',
    tags,
    params: DomainId,
    query: Changing,
    headers: IF_MATCH,
    respond_async: 'asked',
    replies: { 200: Deployment.or(Planned) },
    problems: [...ON_RECORD, ...DEPLOY_PROBLEMS],
    handler: async (call) => ok(await deployDomain(deps, call.params.domain_id, callerOf(call))),
  }),
]
