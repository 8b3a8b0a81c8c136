/** From settings to notifications: the channels that are named. */
import { createHttpClient } from '../../io/http-client/create-client.ts'
import { webhook } from './webhook/webhook.ts'
import type { Settings } from '../../config/sections.ts'
import { Failure, type FieldError, fieldError } from '../../kernel/failure.ts'
import { Secret } from '../../kernel/secret.ts'
import { mailDomain, parseMailAddress } from '../../model/network/mailbox.ts'
import { UNHEARD_PARTS } from '../alerting/checks.ts'
import type { MailService } from '../mail/service.ts'
import { createNotifications } from './create.ts'
import type { Notifications } from './notifications.ts'
import type { NotificationParts } from './parts.ts'
import { mailNotifier } from './channels/mail-notifier.ts'
import type { Notifier } from './channels/notifier.ts'

export interface NotificationsModuleParts extends Omit<NotificationParts, 'notifiers' | 'policy' | 'random'> {
  readonly mail: MailService
}

/** Throws `bad_configuration` where mail is to be sent and cannot be. */
export function notificationsModule(
  settings: Pick<Settings, 'notify' | 'external' | 'alerting'>,
  { mail, ...parts }: NotificationsModuleParts,
): Notifications {
  const { notify } = settings
  const urls = notify.webhook?.reveal().split(',') ?? []
  const http = urls.length === 0 ? null : createHttpClient({ clock: parts.clock })
  const webhooks = urls.map((url) =>
    webhook({ url: new Secret(url), key: notify.webhook_secret, http: http!, clock: parts.clock }),
  )
  const notifications = createNotifications({
    ...parts,
    notifiers: [...mailNotifiers(mail, settings), ...webhooks],
    policy: notify,
    random: Math.random,
  })
  return {
    ...notifications,
    async stop() {
      await notifications.stop()
      await http?.close()
    },
  }
}

const ofAlertStack = ({ component }: { readonly component: string }): boolean =>
  UNHEARD_PARTS.includes(component)

/** Whoever waits for alerts is told at once what the alert stack cannot tell of itself, and by nobody twice. */
function mailNotifiers(
  service: MailService,
  { notify, external, alerting }: Pick<Settings, 'notify' | 'external' | 'alerting'>,
): readonly Notifier[] {
  const is_watched = external.prometheus_url !== null || alerting.alertmanager_url !== null
  const of_alerts = is_watched && service.mailer !== null ? external.alert_email : []
  const is_covered = notify.mail.every((address) => of_alerts.includes(address))
  return [
    ...mailsTo(service, 'PLUMBLINE_NOTIFY_MAIL', notify.mail, {
      ...(is_covered && { tells: (alert) => !ofAlertStack(alert) }),
    }),
    ...mailsTo(service, 'ALERT_EMAIL', of_alerts, { name: 'alert-mail', tells: ofAlertStack, gathers_ms: 0 }),
  ]
}

function mailsTo(
  service: MailService,
  setting: string,
  addresses: readonly string[],
  over: Parameters<typeof mailNotifier>[2],
): readonly Notifier[] {
  if (addresses.length === 0) return []
  const errors: FieldError[] = []
  const wrong = (msg: string) => errors.push(fieldError([setting], msg, 'config'))
  if (service.mailer === null) wrong('needs mail: set PLUMBLINE_MAIL_PROVIDER')
  const recipients = addresses.map((text) => {
    const parsed = parseMailAddress(text)
    if (!parsed.ok) wrong(`"${text}" ${parsed.msg}`)
    else if (service.recipient_domains?.includes(mailDomain(parsed.value)) === false)
      wrong(`"${text}" is in no domain of PLUMBLINE_MAIL_RECIPIENT_DOMAINS, so nothing could be sent to it`)
    return parsed.ok ? parsed.value : text
  })
  if (errors.length === 0) return [mailNotifier(service, recipients, over)]
  const message = errors.map(({ loc, msg }) => `${loc.join('.')} ${msg}.`).join('\n')
  throw new Failure('bad_configuration', message, { errors })
}
