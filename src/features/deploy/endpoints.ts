/** The deployment endpoints of the specification that concern the whole installation. */
import type { PlannedAnswer } from '../../core/answers.ts'
import type { Deps } from './deps.ts'
import { deployAll, deployProxy } from './deploy-installation.ts'
import { readDeployStatus } from './deploy-status.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { ok } from '../../http/ok.ts'
import { callerOf, Changing } from '../../http/access/caller-of.ts'
import { DeployStatusAnswer } from '../routes/views.ts'
import { DEPLOY_PROBLEMS, Deployment } from '../../http/deployment-views.ts'
import { Planned } from '../../http/common-views.ts'

const tags = [
  {
    name: 'Deployment',
    description: 'Bringing out what is saved, for the whole installation or an estate in one call',
  },
]

export const deployEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/api/deploy-all',
    id: 'deployAll',
    summary: 'Deploy all active domains',
    description:
      'Everything that is saved and not deployed goes out in one release. An active domain without changes is looked at and mended.',
    level: 'keyed',
    tags,
    query: Changing,
    respond_async: 'asked',
    replies: { 200: Deployment.or(Planned) },
    problems: DEPLOY_PROBLEMS,
    handler: async (call) => ok(await deployAll(deps, callerOf(call))),
  }),
  endpoint({
    method: 'POST',
    path: '/api/deploy-proxy',
    id: 'deployProxy',
    summary: 'Generate and deploy the proxy configuration',
    description:
      'Routes, and what must stand before them. No DNS record moves: edits that would move one stay saved, and are listed in `pending`.',
    level: 'open',
    tags,
    query: Changing,
    respond_async: 'asked',
    replies: { 200: Deployment.or(Planned) },
    problems: DEPLOY_PROBLEMS,
    handler: async (call) => {
      // Keyless on this host and in trusted networks: that is enough to deploy, not to lift guards or to read backends.
      const known = call.may !== null
      const caller = known ? callerOf(call) : { ...callerOf(call), confirm: null }
      const answer = await deployProxy(deps, caller)
      return ok(known || !('plan' in answer) ? answer : withoutTexts(answer))
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/deploy/status',
    id: 'deployStatus',
    summary: 'What the most recent deploy-all did, and what the proxy says now',
    description: 'The last deploy-all, and beside it what the proxy runs at this moment.',
    level: 'keyed',
    tags,
    replies: { 200: DeployStatusAnswer },
    handler: async ({ signal }) => ok(await readDeployStatus(deps, signal)),
  }),
]

/** A plan without what it would write. */
const withoutTexts = ({ plan, ...answer }: PlannedAnswer): PlannedAnswer => ({
  ...answer,
  plan: { ...plan, unified_diff: null, details: [] },
})
