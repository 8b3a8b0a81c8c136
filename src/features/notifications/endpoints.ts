/** Notifications: what is wrong, who was told, and a test that they would be. */
import { z } from 'zod'
import { actsOnAlert } from '../../model/acts/acts.ts'
import { componentGround } from '../../engine/act-ground.ts'
import { SEVERITIES, ALERT_KINDS } from '../../model/alert.ts'
import type { Deps } from './deps.ts'
import { readNotifications } from './read.ts'
import { testChannels } from './channels/test-channels.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { acts } from '../../http/difference-views.ts'
import { ok } from '../../http/ok.ts'

const tags = [
  { name: 'Notifications', description: 'What is wrong, who was told of it, and whether messages arrive' },
]

const instant = () => z.string().describe('RFC 3339, UTC')

const channel = {
  name: z.string().describe('Stable; says nothing of the address'),
  kind: z.enum(['mail', 'webhook']),
  target: z.string().describe('Recipients, or the host of the webhook'),
}

const Channel = z
  .object({
    ...channel,
    last_sent_at: instant().nullable(),
    last_sent_detail: z.string().nullable().describe('A remark, such as recipients that were refused'),
    last_error: z.string().nullable().describe('Why the newest message did not arrive; null where it did'),
    owed: z.int().describe('Messages on their way'),
  })
  .meta({ id: 'NotificationChannel' })

export const OpenAlert = z
  .object({
    id: z.string().describe('The same for as long as it lasts'),
    kind: z.enum(ALERT_KINDS),
    severity: z.enum(SEVERITIES),
    component: z.string(),
    key: z.string(),
    domains: z.array(z.string()).describe('Empty where it is everybody’s'),
    since: instant(),
    message: z.string(),
    remedy: z.string(),
    acts,
    noticed_at: instant()
      .nullable()
      .describe('Since when it is to be told; null until then, and where nobody is'),
    told: z.array(z.string()).describe('Names of the channels that were told'),
    seen: z.boolean().describe('False: it cannot be looked at now, so what is told of it is old'),
  })
  .meta({ id: 'OpenTrouble' })

const Owed = z
  .object({
    id: z.string(),
    channel: z.string(),
    title: z.string(),
    attempts: z.int(),
    created_at: instant(),
    next_try_at: instant(),
    last_error: z.string().nullable(),
  })
  .meta({ id: 'OwedNotification' })

const Notifications = z
  .object({
    configured: z.boolean(),
    after_seconds: z.number(),
    repeat_seconds: z.number().nullable().describe('Null: what lasts is told once'),
    channels: z.array(Channel),
    open: z.array(OpenAlert),
    owed: z.array(Owed),
  })
  .meta({ id: 'Notifications' })

const Tested = z
  .object({
    success: z.boolean().describe('All channels took it; false where there is none'),
    results: z.array(z.object({ ...channel, ok: z.boolean(), detail: z.string().nullable() })),
  })
  .meta({ id: 'NotificationTest' })

export const notificationEndpoints = ({ notifications, store, engine }: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/notifications',
    id: 'notifications',
    summary: 'What is wrong now, who was told of it, and what is on its way',
    description:
      'Open trouble with when it began and who was told, each channel with its last message, and what is still owed.',
    level: 'keyed',
    tags,
    replies: { 200: Notifications },
    handler: async (call) => {
      const answer = await readNotifications(notifications, call.signal)
      const ground = await componentGround({ store, engine })
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
    replies: { 200: Tested },
    handler: async (call) => ok(await testChannels(notifications, call.signal)),
  }),
]
