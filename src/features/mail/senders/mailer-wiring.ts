/** From settings to whoever sends mail: a server or an API, without a store. */
import { readFileSync } from 'node:fs'
import { greeting } from '../../../io/greeting/greeting.ts'
import { createHttpClient } from '../../../io/http-client/create-client.ts'
import { knownDead } from '../../../io/http-client/known-dead.ts'
import { gmailMailer } from './gmail/mailer.ts'
import { smtpMailer } from './smtp/mailer.ts'
import type { HostPort } from '../../../config/kinds/network.ts'
import type { Settings } from '../../../config/sections.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { Failure, type FieldError, fieldError } from '../../../kernel/failure.ts'
import { PeerGate } from '../../../kernel/async/peer-gate.ts'
import { parseMailAddress } from '../../../model/network/mailbox.ts'
import type { HttpClient } from '../../../ports/http-client.ts'
import type { Mailer } from '../port.ts'

export interface MailerModule {
  /** Null where nobody sends mail. */
  readonly mailer: Mailer | null
  /** Senders, the default one first. */
  readonly from: readonly string[]
  close(): Promise<void>
}

/** Throws `bad_configuration` for settings that cannot be followed. */
export function mailerModule({ mail }: Pick<Settings, 'mail'>, clock: Clock): MailerModule {
  const http = mail.provider === 'gmail' ? knownDead(createHttpClient({ clock }), { clock }) : null
  const gate = mail.smtp_server === null ? null : smtpGate(mail.smtp_server, mail.smtp_tls, clock)
  const from = mail.from.map(senderOf)
  return {
    mailer: http === null ? smtpOf(mail, from, gate) : gmailOf(mail, http, clock),
    from,
    async close() {
      gate?.close()
      await http?.close()
    },
  }
}

/** A refusal is an answer, and a login may take its time: a relay counts as dead where it does not even greet. */
function smtpGate(server: HostPort, tls: Settings['mail']['smtp_tls'], clock: Clock): PeerGate {
  return new PeerGate({
    clock,
    place: `smtp: ${server.host}:${server.port}`,
    probe: (signal, max_ms) => greeting({ ...server, tls: tls === 'implicit', max_ms }, clock, signal),
    signOf: () => 'silent',
  })
}

function smtpOf(mail: Settings['mail'], senders: readonly string[], gate: PeerGate | null): Mailer | null {
  if (mail.provider !== 'smtp') return null
  const { smtp_server, smtp_user, smtp_password, smtp_tls, smtp_ca_file } = mail
  const missing = [
    ...(smtp_server === null ? ['PLUMBLINE_SMTP_SERVER'] : []),
    ...(senders.length === 0 ? ['PLUMBLINE_MAIL_FROM'] : []),
    ...(smtp_user !== null && smtp_password === null ? ['PLUMBLINE_SMTP_PASSWORD'] : []),
  ]
  if (missing.length > 0 || smtp_server === null || gate === null) throw unset(missing, 'smtp')
  return smtpMailer({
    ...smtp_server,
    tls: smtp_tls,
    login: smtp_user === null ? null : { user: smtp_user, password: smtp_password! },
    ca: smtp_ca_file === null ? null : readAuthority(smtp_ca_file),
    senders,
    gate,
  })
}

function gmailOf(mail: Settings['mail'], http: HttpClient, clock: Clock): Mailer {
  const { gmail_client_id, gmail_client_secret, gmail_refresh_token, gmail_url, gmail_token_url } = mail
  if (gmail_client_id === null || gmail_client_secret === null || gmail_refresh_token === null)
    throw unset(
      [
        ...(gmail_client_id === null ? ['PLUMBLINE_GMAIL_CLIENT_ID'] : []),
        ...(gmail_client_secret === null ? ['PLUMBLINE_GMAIL_CLIENT_SECRET'] : []),
        ...(gmail_refresh_token === null ? ['PLUMBLINE_GMAIL_REFRESH_TOKEN'] : []),
      ],
      'gmail',
    )
  return gmailMailer({
    http,
    clock,
    base: gmail_url,
    token_url: gmail_token_url,
    client_id: gmail_client_id,
    client_secret: gmail_client_secret,
    refresh_token: gmail_refresh_token,
  })
}

function senderOf(text: string): string {
  const parsed = parseMailAddress(text)
  if (parsed.ok) return parsed.value
  throw wrong([fieldError(['PLUMBLINE_MAIL_FROM'], `"${text}" ${parsed.msg}`, 'config')])
}

const unset = (names: readonly string[], provider: string): Failure =>
  wrong(names.map((name) => fieldError([name], `is not set, and ${provider} needs it`, 'config')))

const wrong = (errors: readonly FieldError[]): Failure =>
  new Failure('bad_configuration', errors.map(({ loc, msg }) => `${loc.join('.')} ${msg}.`).join('\n'), {
    errors,
  })

function readAuthority(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const msg = `${path} cannot be read (${(cause as Error).message})`
    throw wrong([fieldError(['PLUMBLINE_SMTP_CA_FILE'], msg, 'config')])
  }
}
