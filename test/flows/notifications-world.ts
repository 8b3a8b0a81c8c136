/** A webhook's receiver, a mail server and a clock that can be set ahead, for whole houses that tell what is wrong. */
import { expect } from 'vitest'
import { type SmtpSink, smtpSink } from '../fakes/mail/smtp-sink.ts'
import { webhookReceiver, type WebhookReceiver } from '../fakes/notify/webhook-receiver.ts'
import { type MovedClock, movedClock } from '../kit/moved-clock.ts'
import type { TestHouse } from './test-house.ts'

export const MINUTE_MS = 60_000
const SECRET = 'a-secret-of-more-than-24-characters'

export interface NotificationsWorld {
  readonly env: Readonly<Record<string, string>>
  readonly clock: MovedClock
  readonly sink: SmtpSink
  readonly receiver: WebhookReceiver
  /** Titles in the order in which the receiver took them. */
  titles(): readonly string[]
  subjects(): readonly (string | undefined)[]
  [Symbol.asyncDispose](): Promise<void>
}

export async function notificationsWorld(): Promise<NotificationsWorld> {
  const sink = await smtpSink()
  const receiver = await webhookReceiver(SECRET)
  return {
    sink,
    receiver,
    clock: movedClock(),
    env: {
      PLUMBLINE_MODE: 'observe',
      PLUMBLINE_MAIL_PROVIDER: 'smtp',
      PLUMBLINE_MAIL_FROM: 'plumbline@example.com',
      PLUMBLINE_SMTP_SERVER: `127.0.0.1:${sink.port}`,
      PLUMBLINE_SMTP_TLS: 'none',
      PLUMBLINE_NOTIFY_MAIL: 'ops@example.net',
      PLUMBLINE_NOTIFY_WEBHOOK: receiver.url,
      PLUMBLINE_NOTIFY_WEBHOOK_SECRET: SECRET,
    },
    titles: () => receiver.taken.map(({ message }) => message.title),
    subjects: () => sink.mails.map(({ email }) => email.subject),
    async [Symbol.asyncDispose]() {
      await sink.close()
      await receiver.close()
    },
  }
}

interface Trouble {
  readonly id: string
  readonly kind: string
  readonly domains: readonly string[]
  readonly noticed_at: string | null
  readonly told: readonly string[]
  readonly seen: boolean
}

export async function openAlerts({ call }: TestHouse): Promise<readonly Trouble[]> {
  const { status, body } = await call('GET', '/api/notifications')
  expect(status, JSON.stringify(body)).toBe(200)
  return body['open'] as unknown as Trouble[]
}

/** Waits until exactly these kinds are open and taken up, and what is known of them is fresh. */
export async function expectOpen(at: TestHouse, kinds: readonly string[]): Promise<void> {
  const now = async () =>
    (await openAlerts(at)).map(({ kind, seen, noticed_at }) => [kind, seen, noticed_at !== null])
  await expect.poll(now, PATIENCE).toEqual(kinds.map((kind) => [kind, true, true]))
}

/** Waits until there are open troubles and every one was told to both channels. */
export async function expectTold(at: TestHouse): Promise<void> {
  const told = async () => {
    const open = await openAlerts(at)
    return open.length > 0 && open.every((trouble) => trouble.told.length === 2)
  }
  await expect.poll(told, PATIENCE).toBe(true)
}

export const PATIENCE = { interval: 200 } as const
