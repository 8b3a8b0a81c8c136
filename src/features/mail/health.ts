/** Whether mail could be sent: by what the provider said a moment ago at most, with what is known of the token and of the budget. */
import { isoTimeOrNull } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { MailService } from './service.ts'
import { askedInTime, tokenView } from './ask.ts'
import { mailRecords } from './records.ts'
import type { MailHealth } from './views.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 3_600_000

/** @param afresh the provider is asked now, whatever it said a moment ago */
export async function mailHealth(
  service: MailService,
  signal: AbortSignal,
  { afresh = false } = {},
): Promise<MailHealth> {
  const { mailer, store, clock, per_minute, per_day } = service
  const failure = mailer === null ? null : await failureOf(service, signal, afresh)
  const now = clock.now()
  return {
    configured: mailer !== null,
    ok: mailer === null ? null : failure === null,
    provider: mailer?.provider ?? null,
    detail: failure,
    token: tokenView(mailer?.token() ?? null),
    budget: {
      minute: {
        used: (await store.of(mailRecords).mailsSince(now - MINUTE_MS, now)).count,
        limit: per_minute,
      },
      day: { used: (await store.of(mailRecords).mailsSince(now - DAY_MS, now)).count, limit: per_day },
    },
    last_sent_at: isoTimeOrNull((await store.of(mailRecords).lastMail('sent'))?.begun_at ?? null),
    last_unknown_at: isoTimeOrNull((await store.of(mailRecords).lastMail('unknown'))?.begun_at ?? null),
  }
}

async function failureOf(service: MailService, signal: AbortSignal, afresh: boolean): Promise<string | null> {
  try {
    await askedInTime(service, (ends) => service.mailer!.check(ends, { afresh }), signal)
    return null
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}
