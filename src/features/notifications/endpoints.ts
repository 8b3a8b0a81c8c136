/** Notifications: what is wrong, who was told, and a test that they would be. */
import { actsOnAlert } from '../../model/acts/acts.ts'
import { componentGround } from '../../engine/act-ground.ts'
import { commit } from '../../core/commit/commit.ts'
import type { Deps } from './deps.ts'
import { readNotifications } from './read.ts'
import { planTest, testChannels } from './channels/test-channels.ts'
import { callerOf, Changing } from '../../http/access/caller-of.ts'
import { Planned } from '../../http/common-views.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { ok } from '../../http/ok.ts'
import { NotificationsAnswer, TestAnswer } from './views.ts'

const tags = [
  { name: 'Notifications', description: 'What is wrong, who was told of it, and whether messages arrive' },
]

export const notificationEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/notifications',
    id: 'notifications',
    summary: 'What is wrong now, who was told of it, and what is on its way',
    description:
      'Open trouble with when it began and who was told, each channel with its last message, and what is still owed.',
    level: 'keyed',
    tags,
    replies: { 200: NotificationsAnswer },
    handler: async (call) => {
      const answer = await readNotifications(deps.notifications, call.signal)
      const ground = await componentGround(deps)
      const open = answer.open.map((alert) => ({ ...alert, acts: actsOnAlert(ground, alert) }))
      return ok({ ...answer, open })
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api/notifications/test',
    id: 'testNotifications',
    summary: 'Send a test to every channel and say how each went',
    description: 'Within 20 seconds. Mail counts against its budget.',
    level: 'keyed',
    tags,
    query: Changing.pick({ dry_run: true }),
    replies: { 200: TestAnswer.or(Planned) },
    handler: async (call) => {
      const caller = callerOf(call)
      const { notifications } = deps
      return ok(
        caller.dry_run
          ? await planTest(notifications, (by, work) => commit(deps, by, work), caller)
          : await testChannels(notifications, caller.signal),
      )
    },
  }),
]
