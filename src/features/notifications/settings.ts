/** Settings of notifications: who is told, and of what how soon. */
import { Secret } from '../../kernel/secret.ts'
import { headerSecret, warnIfShort } from '../../config/kinds/basic.ts'
import { listOf, textual, type Wrong, wrong } from '../../config/kinds/refine.ts'
import { showSpan, span, spanOrOff } from '../../config/kinds/span.ts'
import { secret, setting } from '../../config/setting.ts'
import { parseAddress } from '../mail/settings.ts'

const MAX_WEBHOOKS = 10
const MAX_RECIPIENTS = 50

/** The messages name no address: whoever has one can write into the chat that it leads to. */
function parseWebhook(text: string): string | Wrong {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    return wrong('must hold URLs such as https://chat.example.com/hooks/KEY, comma-separated')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return wrong('must not hold a user name or password')
  return url.hash === '' ? url.href : wrong('must not hold a fragment')
}

const webhooks = textual((text) => {
  const urls: string[] = []
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue
    const url = parseWebhook(entry)
    if (typeof url !== 'string') return url
    if (!urls.includes(url)) urls.push(url)
  }
  if (urls.length === 0) return wrong('must hold at least one URL')
  return urls.length > MAX_WEBHOOKS
    ? wrong(`must hold at most ${MAX_WEBHOOKS} URLs`)
    : new Secret(urls.join(','))
})

const recipients = listOf(parseAddress).refine((list) => list.length <= MAX_RECIPIENTS, {
  error: `must have at most ${MAX_RECIPIENTS} entries`,
})

const days = listOf((text) => {
  const fits = /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 365
  return fits ? Number(text) : wrong('must be a whole number of days from 1 to 365')
})

export const notify = {
  mail: setting({
    name: 'PLUMBLINE_NOTIFY_MAIL',
    example: 'ops@example.com',
    schema: recipients,
    default: '',
    show: (list) => list.join(','),
    help: 'Mail addresses that are told what is wrong, comma-separated. Needs PLUMBLINE_MAIL_PROVIDER.',
  }),
  webhook: secret({
    name: 'PLUMBLINE_NOTIFY_WEBHOOK',
    schema: webhooks,
    help: 'URLs that are told by a POST of JSON, comma-separated. Each is treated as a secret.',
  }),
  webhook_secret: secret({
    name: 'PLUMBLINE_NOTIFY_WEBHOOK_SECRET',
    schema: headerSecret,
    warn: warnIfShort,
    help: 'Signs what is posted (HMAC-SHA-256), so that the receiver knows whom it is from.',
  }),
  after_ms: setting({
    name: 'PLUMBLINE_NOTIFY_AFTER',
    example: '30m',
    schema: span({ least: '1s', most: '30d' }),
    default: '10m',
    show: showSpan,
    help: 'How long a drift, a failure or an unknown must last before it is told.',
  }),
  repeat_ms: setting({
    name: 'PLUMBLINE_NOTIFY_REPEAT',
    example: 'off',
    schema: spanOrOff({ least: '10m', most: '90d' }),
    default: '24h',
    show: showSpan,
    help: 'After this time what still lasts is told again, or off.',
  }),
  certificate_days: setting({
    name: 'PLUMBLINE_NOTIFY_CERTIFICATE_DAYS',
    example: '21,7,2',
    schema: days,
    default: '14,3',
    show: (list) => list.join(','),
    help: 'Days before its end at which a certificate that was not renewed in its time is told again.',
  }),
}

declare module '../../config/sections.ts' {
  interface Sections {
    readonly notify: typeof notify
  }
}
