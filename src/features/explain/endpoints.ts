/** What is known to be right, and why a domain is as it is. */
import { z } from 'zod'
import { listConditions } from '../health/conditions/read.ts'
import type { Deps } from './deps.ts'
import { explainDomain } from './explain-domain.ts'
import { driftWithActs, explainedWithActs } from './with-acts.ts'
import { withUnpublished } from './not-published.ts'
import { readDrift } from './read-drift.ts'
import { DomainId } from '../../http/body/scalars.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { ok } from '../../http/ok.ts'
import { ExplainedDomain, EverythingDrift } from './views.ts'
import { ListedCondition } from '../health/views.ts'

const tags = [{ name: 'Conditions', description: 'What is known to be right, and why a domain is as it is' }]

export const explainEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/conditions',
    id: 'listConditions',
    summary: 'What is known to be right',
    description:
      'Every component, each followed by the domains whose condition is another. All others share that of their component, ' +
      'or, where it has one, what stands in its `others`. ' +
      'A condition that nobody looked at for three resync periods, at least a minute, is unknown.',
    level: 'keyed',
    tags,
    replies: { 200: z.array(ListedCondition) },
    handler: async () => ok(await withUnpublished(deps, await listConditions(deps))),
  }),
  endpoint({
    method: 'GET',
    path: '/api/drift',
    id: 'drift',
    summary: 'Is everything what the database says?',
    description:
      'One verdict over all components, from fresh looks compared with the saved state; what is saved and not deployed ' +
      'is drift too, and named so. Changes nothing.',
    level: 'keyed',
    tags,
    replies: { 200: EverythingDrift },
    handler: async ({ signal }) => ok(await driftWithActs(deps, await readDrift(deps, signal))),
  }),
  endpoint({
    method: 'GET',
    path: '/api/domains/{domain_id}/explain',
    id: 'explainDomain',
    summary: 'Why a domain is as it is',
    description:
      'A fresh look at every component: saved, released and observed, the cause, and what happens next.',
    level: 'keyed',
    tags,
    params: DomainId,
    replies: { 200: ExplainedDomain },
    problems: ['not_found'],
    handler: async ({ params, signal }) =>
      ok(await explainedWithActs(deps, await explainDomain(deps, params.domain_id, signal))),
  }),
]
