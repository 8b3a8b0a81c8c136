/** The calls about mail that only ask the provider: its verified senders, and a new access token. */
import { type Milliseconds, isoTimeOrNull } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Mailer, Sender, TokenState } from './port.ts'
import type { MailService } from './service.ts'
import { mailerOf } from './send.ts'
import { withTimeout } from '../../kernel/async/with-timeout.ts'
import type { Refreshed, TokenView } from './views.ts'

/** None where mail is not configured. Throws where they cannot be found out. */
export const readAliases = async (service: MailService, signal: AbortSignal): Promise<readonly Sender[]> =>
  service.mailer === null ? [] : askedInTime(service, (ends) => service.mailer!.senders(ends), signal)

/** Throws `component_unavailable` or `provider_credentials` with what a person has to do. */
export async function refreshToken(service: MailService, signal: AbortSignal): Promise<Refreshed> {
  const mailer = mailerOf(service)
  const token = await mailer.refresh(signal)
  if (token !== null && token.state !== 'valid')
    throw new Failure('component_unavailable', token.reason ?? 'The token is not valid.')
  const message = token === null ? noToken(mailer) : 'There is a new access token.'
  return { success: true, refreshed: token !== null, message, token: tokenView(token) }
}

export const noToken = ({ provider }: Mailer): string => `${provider} has no token.`

export const tokenView = (token: TokenState | null): TokenView | null =>
  token === null ? null : { ...token, expires_at: isoTimeOrNull(token.expires_at) }

/** Nobody waits longer to learn how something is. */
const ANSWER_WITHIN_MS: Milliseconds = 5_000

/** Throws `component_unavailable` where the answer does not come in time, and the reason of `signal` at its end. */
export async function askedInTime<T>(
  { clock, mailer }: Pick<MailService, 'clock' | 'mailer'>,
  ask: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  return withTimeout({ clock, ms: ANSWER_WITHIN_MS, signal }, ask, () => {
    throw new Failure(
      'component_unavailable',
      `${mailer?.provider ?? 'mail'} did not answer within ${ANSWER_WITHIN_MS} ms.`,
    )
  })
}
