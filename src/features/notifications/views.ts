/** The shape of the answers about notifications, declared once. */
import { z } from 'zod'
import { SEVERITIES, ALERT_KINDS } from '../../model/alert.ts'
import { acts } from '../../http/difference-views.ts'
import type { Answered } from '../../http/contract.ts'
import { instant } from '../../http/body/scalars.ts'

const channel = {
  name: z.string().describe('Stable; says nothing of the address'),
  kind: z.enum(['mail', 'webhook']),
  target: z.string().describe('Recipients, or the host of the webhook'),
}

export const ChannelView = z
  .object({
    ...channel,
    last_sent_at: instant().nullable(),
    last_sent_detail: z.string().nullable().describe('A remark, such as recipients that were refused'),
    last_error: z.string().nullable().describe('Why the newest message did not arrive; null where it did'),
    owed: z.int().describe('Messages on their way'),
  })
  .meta({ id: 'NotificationChannel' })
export type ChannelView = Answered<typeof ChannelView>

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

export const OwedDelivery = z
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
export type OwedDelivery = Answered<typeof OwedDelivery>

export const NotificationsAnswer = z
  .object({
    configured: z.boolean(),
    after_seconds: z.number(),
    repeat_seconds: z.number().nullable().describe('Null: what lasts is told once'),
    channels: z.array(ChannelView),
    open: z.array(OpenAlert),
    owed: z.array(OwedDelivery),
  })
  .meta({ id: 'Notifications' })
export type NotificationsAnswer = Answered<typeof NotificationsAnswer>

export const TestAnswer = z
  .object({
    success: z.boolean().describe('All channels took it; false where there is none'),
    results: z.array(z.object({ ...channel, ok: z.boolean(), detail: z.string().nullable() })),
  })
  .meta({ id: 'NotificationTest' })
export type TestAnswer = Answered<typeof TestAnswer>
