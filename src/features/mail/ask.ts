/** The calls about mail that only ask the provider: its verified senders, and a new access token. */
import { Failure } from '../../kernel/failure.ts'
import type { Mailer, Sender } from './port.ts'
import type { MailService } from './service.ts'
import { type TokenView, tokenView } from './health.ts'
import { askedInTime } from './in-time.ts'
import { mailerOf } from './send.ts'

/** None where mail is not configured. Throws where they cannot be found out. */
export const readAliases = async (service: MailService, signal: AbortSignal): Promise<readonly Sender[]> =>
  service.mailer === null ? [] : askedInTime(service, (ends) => service.mailer!.senders(ends), signal)

export interface Refreshed {
  readonly success: true
  /** False where the provider has no token. */
  readonly refreshed: boolean
  readonly message: string
  readonly token: TokenView | null
}

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
