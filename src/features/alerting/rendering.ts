/** From settings to the files of alerting, or to what keeps them from being written. Pure. */
import { dirname, join, relative } from 'node:path'
import { showHostPort } from '../../config/kinds/network.ts'
import type { ValuesOf } from '../../config/setting.ts'
import type { mail as mailSection } from '../mail/settings.ts'
import { JOB_ROLES, type Jobs } from './model/rule.ts'
import { routerFile, type RouterSmtp } from './model/router-file.ts'
import { rulesFile } from './model/rules-file.ts'
import { mailTemplate } from './model/template.ts'
import { type WatchdogCall, watchdogRules } from './model/watchdog.ts'
import type { alerting as section } from './settings.ts'

type Mail = Pick<
  ValuesOf<typeof mailSection>,
  'provider' | 'from' | 'smtp_server' | 'smtp_tls' | 'smtp_user' | 'smtp_ca_file'
>

/** A type, since what is given is all settings. */
export type AlertingSettings = {
  readonly alerting: ValuesOf<typeof section>
  readonly mail: Mail
  readonly external: { readonly alert_email: readonly string[]; readonly prometheus_url: string | null }
}

export interface Rendered {
  readonly path: string
  readonly text: string
}
/** What the running program shows where it has taken the file. */
export interface Marked extends Rendered {
  readonly mark: string
}

export interface Rendering {
  readonly rules: Marked | null
  /** Read with the rules. */
  readonly watchdog: Rendered | null
  readonly template: Rendered | null
  readonly router: Marked | null
  /** Why a file that is set up is not written, as sentences that name the setting. */
  readonly missing: readonly string[]
}

export function render(settings: AlertingSettings): Rendering {
  const { rules_file, router_file, watchdog_file, jobs, mounts } = settings.alerting
  const nothing = { rules: null, watchdog: null, template: null, router: null }
  if (rules_file === null && router_file === null && watchdog_file === null)
    return { ...nothing, missing: [] }
  if (settings.external.alert_email.length === 0)
    return { ...nothing, missing: ['ALERT_EMAIL is not set, so nothing is written: nobody would be told.'] }
  const { call, missing } = watchdogCall(settings.alerting)
  const watchdog = call === null ? null : { path: watchdog_file!, text: watchdogRules() }
  const rules =
    rules_file === null ? null : rulesFile({ jobs: jobNames(jobs), mounts }, watchdog?.text ?? null)
  const router =
    router_file === null
      ? { template: null, router: null, missing: [] }
      : renderRouter(settings, router_file, call)
  return {
    rules: rules === null ? null : { path: rules_file!, text: rules.text, mark: rules.mark },
    watchdog,
    ...router,
    missing: [...missing, ...router.missing],
  }
}

/** Nobody misses what is half set up, so that is said. */
function watchdogCall({
  watchdog_file,
  watchdog_url: url,
  watchdog_token_file: token_file,
  rules_file,
  router_file,
}: AlertingSettings['alerting']): {
  readonly call: WatchdogCall | null
  readonly missing: readonly string[]
} {
  const own = [
    ['PLUMBLINE_ALERT_WATCHDOG_FILE', watchdog_file],
    ['PLUMBLINE_ALERT_WATCHDOG_URL', url],
    ['PLUMBLINE_ALERT_WATCHDOG_TOKEN_FILE', token_file],
  ] as const
  if (own.every(([, value]) => value === null)) return { call: null, missing: [] }
  const needed = [
    ...own,
    ['PLUMBLINE_ALERT_RULES_FILE', rules_file],
    ['PLUMBLINE_ALERTMANAGER_FILE', router_file],
  ] as const
  const missing = needed.flatMap(([name, value]) =>
    value === null ? [`${name} is not set, so the alert that always fires is not written.`] : [],
  )
  return {
    call: url === null || token_file === null || missing.length > 0 ? null : { url, token_file },
    missing,
  }
}

const jobNames = (named: AlertingSettings['alerting']['jobs']): Jobs => ({
  ...(Object.fromEntries(JOB_ROLES.map((role) => [role, role])) as Record<keyof Jobs, string>),
  ...Object.fromEntries(named.map(({ role, job }) => [role, job])),
})

function renderRouter(
  { alerting, mail, external }: AlertingSettings,
  path: string,
  watchdog: WatchdogCall | null,
): Pick<Rendering, 'template' | 'router' | 'missing'> {
  const recipients = {
    primary: external.alert_email,
    secondary: alerting.secondary,
    critical_only: alerting.critical_only,
  }
  const missing = hindrances(alerting, mail, Object.values(recipients).flat())
  const secondary_severity = alerting.secondary_severity
  const { smtp_server, from } = mail
  if (missing.length > 0 || smtp_server === null) return { template: null, router: null, missing }
  const at = templatePath(alerting, path)
  const template = mailTemplate(recipients.secondary.length === 0 ? 'none' : secondary_severity)
  const smtp: RouterSmtp = {
    smarthost: showHostPort(smtp_server),
    from: from[0]!,
    login: loginOf(alerting, mail),
    ca_file: alerting.smtp_ca_file ?? mail.smtp_ca_file,
  }
  const template_path = relative(dirname(path), at)
  return {
    template: { path: at, text: template },
    router: {
      path,
      ...routerFile({ recipients, secondary_severity, smtp, template_path, template, watchdog }),
    },
    missing,
  }
}

/** Where the template stands, beside a configuration that stands there. */
export const templatePath = (
  { template_file }: Pick<AlertingSettings['alerting'], 'template_file'>,
  router_file: string,
): string => template_file ?? join(dirname(router_file), 'plumbline.tmpl')

function loginOf(
  { smtp_password_file }: AlertingSettings['alerting'],
  { smtp_user }: Mail,
): RouterSmtp['login'] {
  return smtp_user === null || smtp_password_file === null
    ? null
    : { user: smtp_user, password_file: smtp_password_file }
}

/** Alertmanager speaks TLS from the beginning at this port, and at no other. */
const TLS_PORT = 465

function hindrances(
  { smtp_password_file }: AlertingSettings['alerting'],
  { from, smtp_server, smtp_tls, smtp_user }: Mail,
  recipients: readonly string[],
): readonly string[] {
  const faults: string[] = []
  const router = 'so the configuration of Alertmanager is not written'
  if (smtp_server === null) faults.push(`PLUMBLINE_SMTP_SERVER is not set, ${router}.`)
  if (from.length === 0) faults.push(`PLUMBLINE_MAIL_FROM is not set, ${router}.`)
  if (smtp_user !== null && smtp_password_file === null)
    faults.push(`PLUMBLINE_ALERT_SMTP_PASSWORD_FILE is not set, and PLUMBLINE_SMTP_USER is, ${router}.`)
  if (smtp_tls === 'none') faults.push(`PLUMBLINE_SMTP_TLS is none, and alert mails need TLS, ${router}.`)
  if (
    smtp_server !== null &&
    smtp_tls !== 'none' &&
    (smtp_tls === 'implicit') !== (smtp_server.port === TLS_PORT)
  )
    faults.push(
      `PLUMBLINE_SMTP_TLS is ${smtp_tls}, and Alertmanager speaks ${smtp_tls === 'implicit' ? 'STARTTLS at every port but' : 'implicit TLS at port'} ${TLS_PORT}, ${router}.`,
    )
  // Alertmanager reads both as templates.
  const odd = [...recipients, ...from.slice(0, 1)].find((address) => address.includes('{{'))
  if (odd !== undefined)
    faults.push(`"${odd}" holds "{{", which Alertmanager reads as a template, ${router}.`)
  return faults
}
