/**
 * The configuration of the alert router. The second recipient waits five minutes beside the first: a silence that begins
 * meanwhile, or an end, and they are never told. Pure.
 */
import { sha256 } from '../../../kernel/digest.ts'
import { HEADER } from './header.ts'
import { ROUTER_MARK } from './marks.ts'
import { SUBJECT, TEXT } from './template.ts'
import { type WatchdogCall, watchdogReceiver, watchdogRoute } from './watchdog.ts'
import { type Plain, yamlText } from './yaml.ts'

export interface Recipients {
  readonly primary: readonly string[]
  /** None: nobody else is told. */
  readonly secondary: readonly string[]
  readonly critical_only: readonly string[]
}

/** Of which alerts the second recipient is told. */
export type SecondarySeverity = 'all' | 'critical'

export interface RouterSmtp {
  /** `host:port`. Port 465 is TLS from the beginning, every other one STARTTLS. */
  readonly smarthost: string
  readonly from: string
  readonly login: { readonly user: string; readonly password_file: string } | null
  /** Of a private authority. */
  readonly ca_file: string | null
}

export interface RouterWish {
  readonly recipients: Recipients
  readonly secondary_severity: SecondarySeverity
  readonly smtp: RouterSmtp
  /** As the router finds the template from where its configuration is. */
  readonly template_path: string
  /** What stands in it: a new template is a new configuration. */
  readonly template: string
  readonly watchdog: WatchdogCall | null
}

export interface RouterFile {
  readonly text: string
  /** The receiver that is there where this configuration runs. */
  readonly mark: string
}

export function routerFile(wish: RouterWish): RouterFile {
  const digest = sha256([yamlText(configuration(wish, [])), wish.template]).slice(0, 12)
  const mark = `${ROUTER_MARK}${digest}`
  return { text: `${HEADER}${yamlText(configuration(wish, [{ name: mark }]))}`, mark }
}

const CRITICAL = 'severity="critical"'

function configuration(
  { recipients, secondary_severity, smtp, template_path, watchdog }: RouterWish,
  marks: readonly Plain[],
): { readonly [key: string]: Plain } {
  const { primary, secondary, critical_only } = recipients
  const { smarthost, from, login } = smtp
  const receivers = [
    ['primary', primary],
    ['secondary', secondary],
    ['critical-only', critical_only],
  ] as const
  return {
    global: {
      smtp_smarthost: smarthost,
      smtp_from: from,
      ...(login !== null && {
        smtp_auth_username: login.user,
        smtp_auth_password_file: login.password_file,
      }),
      smtp_require_tls: true,
      resolve_timeout: '5m',
    },
    templates: [template_path],
    route: {
      receiver: 'primary',
      group_by: ['alertname', 'instance', 'severity'],
      group_wait: '30s',
      group_interval: '5m',
      repeat_interval: '4h',
      routes: [...(watchdog === null ? [] : [watchdogRoute]), ...routesFor(recipients, secondary_severity)],
    },
    // One thing that gets worse is one mail a step.
    inhibit_rules: [
      inhibits(CRITICAL, 'severity=~"high|warning"'),
      inhibits('severity="high"', 'severity="warning"'),
    ],
    receivers: [
      ...receivers.flatMap(([name, to]) => (to.length === 0 ? [] : [receiver(name, to, smtp)])),
      ...(watchdog === null ? [] : [watchdogReceiver(watchdog)]),
      ...marks,
    ],
  }
}

/** Whoever stands with `continue` is told beside the others; the last one takes what no other did. */
function routesFor(
  { secondary, critical_only }: Recipients,
  secondary_severity: SecondarySeverity,
): readonly Plain[] {
  const second = { receiver: 'secondary', group_wait: '5m', continue: true }
  return [
    ...(critical_only.length === 0
      ? []
      : [
          {
            receiver: 'critical-only',
            matchers: [CRITICAL],
            group_wait: '10s',
            repeat_interval: '1h',
            continue: true,
          },
        ]),
    ...(secondary.length === 0
      ? []
      : [
          { ...second, matchers: [CRITICAL], repeat_interval: '1h' },
          ...(secondary_severity === 'critical'
            ? []
            : [{ ...second, matchers: ['severity!="critical"'], repeat_interval: '4h' }]),
        ]),
    { receiver: 'primary', matchers: [CRITICAL], group_wait: '10s', repeat_interval: '1h' },
    { receiver: 'primary', matchers: ['severity="warning"'], repeat_interval: '4h' },
    { receiver: 'primary' },
  ]
}

const inhibits = (source: string, target: string): Plain => ({
  source_matchers: [source],
  target_matchers: [target],
  equal: ['alertname', 'instance'],
})

const receiver = (name: string, to: readonly string[], { ca_file }: RouterSmtp): Plain => ({
  name,
  email_configs: [
    {
      to: to.join(', '),
      send_resolved: true,
      ...(ca_file !== null && { tls_config: { ca_file } }),
      headers: { Subject: SUBJECT },
      text: TEXT,
      html: '',
    },
  ],
})
