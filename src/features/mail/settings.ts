/** Settings of mail: who sends it, as whom, and how much of it. */
import { Secret } from '../../kernel/secret.ts'
import { headerSecret, oneOf, path } from '../../config/kinds/basic.ts'
import { parseNameServer } from '../../config/kinds/name-servers.ts'
import { httpUrl, parseHost, showHostPort } from '../../config/kinds/network.ts'
import { listOf, textual, wrong } from '../../config/kinds/refine.ts'
import { optional, secret, setting } from '../../config/setting.ts'

const wholeFrom = (least: number, most: number) =>
  textual((text) => {
    const number = Number(text)
    const fits = /^\d{1,7}$/.test(text) && number >= least && number <= most
    return fits ? number : wrong(`must be a whole number from ${least} to ${most}`)
  })

const ADDRESS = /^[^\s@<>",;:\\()[\]]{1,64}@[^\s@<>",;:\\()[\]]{3,190}$/

/** Roughly; the one grammar of mail addresses looks again when mail is put together. */
export const parseAddress = (text: string) =>
  ADDRESS.test(text) ? text : wrong('is not a mail address such as plumbline@example.com')

const MAX_RECIPIENTS = 8

/** Who is told, as a schema and as it is shown. */
export const recipients = {
  schema: listOf(parseAddress).refine((list) => list.length <= MAX_RECIPIENTS, {
    error: `must have at most ${MAX_RECIPIENTS} entries`,
  }),
  default: '',
  show: (list: readonly string[]): string => list.join(','),
} as const

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
const password = textual((text) =>
  text.length > 1024 || CONTROL.test(text)
    ? wrong('must be at most 1024 characters without controls')
    : new Secret(text),
)

export const mail = {
  provider: setting({
    name: 'PLUMBLINE_MAIL_PROVIDER',
    example: 'smtp',
    schema: oneOf(['none', 'smtp', 'gmail']),
    default: 'none',
    help: 'Who sends mail: smtp, gmail (the Gmail API), or none.',
  }),
  from: setting({
    name: 'PLUMBLINE_MAIL_FROM',
    example: 'plumbline@example.com',
    schema: listOf(parseAddress),
    default: '',
    show: (addresses) => addresses.join(','),
    help: 'Senders, comma-separated, the default one first. With smtp these are all; Gmail is asked for those it has verified.',
  }),
  recipient_domains: setting({
    name: 'PLUMBLINE_MAIL_RECIPIENT_DOMAINS',
    example: 'example.com,example.net',
    schema: listOf(parseHost),
    default: '',
    show: (domains) => domains.join(','),
    help: 'The only domains that mail may go to, comma-separated. Unset: any.',
  }),
  per_minute: setting({
    name: 'PLUMBLINE_MAIL_PER_MINUTE',
    example: '30',
    schema: wholeFrom(1, 10_000),
    default: '10',
    help: 'Most mails within a minute.',
  }),
  per_day: setting({
    name: 'PLUMBLINE_MAIL_PER_DAY',
    example: '1000',
    schema: wholeFrom(1, 1_000_000),
    default: '200',
    help: 'Most mails within a day.',
  }),
  smtp_server: optional({
    name: 'PLUMBLINE_SMTP_SERVER',
    example: 'smtp.example.com:587',
    schema: textual((text) =>
      /:\d+$/.test(text) ? parseNameServer(text) : wrong('must be host:port, such as smtp.example.com:587'),
    ),
    show: showHostPort,
    help: 'The mail server (host:port), such as smtp.example.com:587.',
  }),
  smtp_tls: setting({
    name: 'PLUMBLINE_SMTP_TLS',
    example: 'implicit',
    schema: oneOf(['starttls', 'implicit', 'none']),
    default: 'starttls',
    help: 'How the way to it is secured: starttls (required, not only tried), implicit (port 465), none.',
  }),
  smtp_ca_file: optional({
    name: 'PLUMBLINE_SMTP_CA_FILE',
    example: '/etc/plumbline/mail-ca.pem',
    schema: path,
    help: 'PEM file of the authority that the server’s certificate comes from, where it is a private one.',
  }),
  smtp_user: optional({
    name: 'PLUMBLINE_SMTP_USER',
    example: 'plumbline',
    schema: textual((text) =>
      text.length > 254 || CONTROL.test(text)
        ? wrong('must be at most 254 characters without controls')
        : text,
    ),
    help: 'User name at the mail server. Unset: no login.',
  }),
  smtp_password: secret({
    name: 'PLUMBLINE_SMTP_PASSWORD',
    schema: password,
    help: 'Password of that user.',
  }),
  gmail_client_id: optional({
    name: 'PLUMBLINE_GMAIL_CLIENT_ID',
    example: '1234.apps.googleusercontent.com',
    schema: textual((text) =>
      /^[\x21-\x7e]{1,256}$/.test(text)
        ? text
        : wrong('must be an OAuth client id such as 123-abc.apps.googleusercontent.com'),
    ),
    help: 'OAuth client of the Gmail API.',
  }),
  gmail_client_secret: secret({
    name: 'PLUMBLINE_GMAIL_CLIENT_SECRET',
    schema: headerSecret,
    help: 'Secret of that client.',
  }),
  gmail_refresh_token: secret({
    name: 'PLUMBLINE_GMAIL_REFRESH_TOKEN',
    schema: headerSecret,
    help: 'Refresh token of the mailbox, with the scopes gmail.send and gmail.settings.basic.',
  }),
  gmail_url: setting({
    name: 'PLUMBLINE_GMAIL_URL',
    example: 'https://gateway.example.com/gmail',
    schema: httpUrl,
    default: 'https://gmail.googleapis.com',
    help: 'Address of the Gmail API, where it is reached through a gateway.',
  }),
  gmail_token_url: setting({
    name: 'PLUMBLINE_GMAIL_TOKEN_URL',
    example: 'https://gateway.example.com/token',
    schema: httpUrl,
    default: 'https://oauth2.googleapis.com/token',
    help: 'Address of Google’s token endpoint, where it is reached through a gateway.',
  }),
}

declare module '../../config/sections.ts' {
  interface Sections {
    readonly mail: typeof mail
  }
}
