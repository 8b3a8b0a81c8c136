/** What is rendered for a small house, with whatever a test says otherwise. */
import { alerting } from '../../../src/features/alerting/settings.ts'
import { type AlertingSettings, render, type Rendering } from '../../../src/features/alerting/rendering.ts'
import type { ValuesOf } from '../../../src/config/setting.ts'

const PRIMARY = 'ops@example.org'
export const SECONDARY = 'night@example.org'
export const PAGER = 'pager@example.org'

type Section = ValuesOf<typeof alerting>
export type Wish = Partial<Section> &
  Partial<AlertingSettings['mail']> & { readonly primary?: readonly string[] }

const AS_UNSET = Object.fromEntries(
  Object.entries(alerting).map(([key, { default: text, schema }]) => [
    key,
    text === null ? null : schema.parse(text),
  ]),
) as unknown as Section

function sampleSettings({ primary = [PRIMARY], ...over }: Wish = {}): AlertingSettings {
  const own = Object.keys(alerting)
  const given = Object.entries(over)
  const pick = (is_own: boolean) => Object.fromEntries(given.filter(([key]) => own.includes(key) === is_own))
  return {
    alerting: {
      ...AS_UNSET,
      rules_file: '/etc/prometheus/rules/plumbline.yml',
      router_file: '/etc/alertmanager/alertmanager.yml',
      ...pick(true),
    },
    mail: {
      provider: 'none',
      from: ['alerts@example.org'],
      smtp_server: { host: 'mail.example.org', port: 587 },
      smtp_tls: 'starttls',
      smtp_user: null,
      smtp_ca_file: null,
      ...pick(false),
    },
    external: { alert_email: primary, prometheus_url: null },
  }
}

export const sample = (over: Wish = {}): Rendering => render(sampleSettings(over))
