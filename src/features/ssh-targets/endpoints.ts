/** SSH targets at the inventory: what is reached by which name, taking names in, and deploying the gateway's configuration. */
import { z } from 'zod'
import { isoTimeOrNull } from '../../kernel/clock.ts'
import { callerOf, Changing } from '../../http/access/caller-of.ts'
import { flag } from '../../http/body/scalars.ts'
import { Planned } from '../../http/common-views.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { ok } from '../../http/ok.ts'
import { DEPLOY_PROBLEMS, Deployment } from '../../http/deployment-views.ts'
import { deploySshProxy } from './deploy.ts'
import { readTargets } from './read.ts'
import type { SshTargetService } from './service.ts'
import { syncNames } from './sync-names.ts'
import { LOST, PlannedNames, SshTargets, SyncedNames } from './views.ts'

const tags = [{ name: 'SSH targets', description: 'What is reached through the SSH gateway by a name' }]

export const sshTargetEndpoints = (targets: SshTargetService): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/ssh-targets',
    id: 'sshTargets',
    summary: 'What is reached through the SSH gateway',
    description:
      'Running guests that have an address and no tag "no-ssh", and what PLUMBLINE_SSH_TARGETS names.',
    level: 'open',
    tags,
    replies: { 200: SshTargets },
    handler: async () =>
      ok(
        (await readTargets(targets)).map(({ is_released: released, shown_at, contacted_at, ...target }) => ({
          ...target,
          shown_at: isoTimeOrNull(shown_at),
          contacted_at: isoTimeOrNull(contacted_at),
          released,
        })),
      ),
  }),
  endpoint({
    method: 'POST',
    path: '/api/ssh-targets/sync-names',
    id: 'syncSshTargets',
    summary: 'Take in names and addresses of guests',
    description:
      'Nothing of the gateway changes before it is deployed. What a cluster that is not known in whole does not show stays as it is.',
    level: 'keyed',
    tags,
    query: Changing.extend({
      forget: flag().optional().describe('Also take out the rows of guests that are there no more'),
    }),
    replies: { 200: PlannedNames.or(SyncedNames) },
    problems: ['conflict', 'storage_full', 'storage_unwritable'],
    handler: async (call) => {
      const { lost, ...synced } = await syncNames(targets, call.query.forget === true, callerOf(call))
      return ok({ success: true as const, ...synced, [LOST]: lost })
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api/deploy-ssh-proxy',
    id: 'deploySshProxy',
    summary: 'Deploy the keys and the configuration of the SSH gateway',
    description:
      'Releases the targets as they were taken in, asks each for its host key, and brings both files of the gateway and its authorized_keys there.',
    level: 'keyed',
    tags,
    query: Changing,
    respond_async: 'asked',
    replies: { 200: z.union([Deployment, Planned]) },
    problems: DEPLOY_PROBLEMS,
    handler: async (call) => ok(await deploySshProxy(targets, callerOf(call))),
  }),
]
