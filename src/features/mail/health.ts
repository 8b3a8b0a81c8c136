/** Whether mail could be sent: asked now, with what is known of the token and of the budget. */
import { isoTime } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { TokenState } from './port.ts'
import type { MailService } from './service.ts'
import { askedInTime } from './in-time.ts'
import { mailRecords } from './records.ts'

export interface MailHealth {
  readonly configured: boolean
  /** Null where nothing is configured. */
  readonly ok: boolean | null
  readonly provider: 'smtp' | 'gmail' | null
  readonly detail: string | null
  readonly token: TokenView | null
  readonly budget: {
    readonly minute: { readonly used: number; readonly limit: number }
    readonly day: { readonly used: number; readonly limit: number }
  }
  readonly last_sent_at: string | null
  /** Of the last mail of which nobody knows whether it left. */
  readonly last_unknown_at: string | null
}

export interface TokenView {
  readonly state: TokenState['state']
  readonly expires_at: string | null
  readonly reason: string | null
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 3_600_000

export async function mailHealth(service: MailService, signal: AbortSignal): Promise<MailHealth> {
  const { mailer, store, clock, per_minute, per_day } = service
  const failure = mailer === null ? null : await failureOf(service, signal)
  const now = clock.now()
  return {
    configured: mailer !== null,
    ok: mailer === null ? null : failure === null,
    provider: mailer?.provider ?? null,
    detail: failure,
    token: tokenView(mailer?.token() ?? null),
    budget: {
      minute: { used: (await store.of(mailRecords).mailsSince(now - MINUTE_MS)).count, limit: per_minute },
      day: { used: (await store.of(mailRecords).mailsSince(now - DAY_MS)).count, limit: per_day },
    },
    last_sent_at: timeOf((await store.of(mailRecords).lastMail('sent'))?.begun_at ?? null),
    last_unknown_at: timeOf((await store.of(mailRecords).lastMail('unknown'))?.begun_at ?? null),
  }
}

const timeOf = (at: number | null): string | null => (at === null ? null : isoTime(at))

export const tokenView = (token: TokenState | null): TokenView | null =>
  token === null ? null : { ...token, expires_at: timeOf(token.expires_at) }

async function failureOf(service: MailService, signal: AbortSignal): Promise<string | null> {
  try {
    await askedInTime(service, (ends) => service.mailer!.check(ends), signal)
    return null
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}
