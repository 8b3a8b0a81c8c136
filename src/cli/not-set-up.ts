/** Worlds that the database has kept and that this shell's settings do not name: a look without a daemon does not see them. */
import { expectGood, type Api } from './api.ts'

/** What names each world; those that are always looked at have none. */
const SETTING: Readonly<Record<string, string>> = {
  dns: 'PLUMBLINE_DNS_PROVIDER',
  certificates: 'PLUMBLINE_CERTIFICATES',
  'certificates-file': 'PLUMBLINE_CERTIFICATES_FILE',
  people: 'PLUMBLINE_SSO_USERS_FILE',
  sso: 'PLUMBLINE_SSO_RULES_FILE',
  'sso-proof': 'PLUMBLINE_SSO_PROBE',
  'ssh-gateway': 'PLUMBLINE_AUTHORIZED_KEYS',
  alerting: 'PLUMBLINE_ALERT_RULES_FILE',
  'ssh-proxy': 'PLUMBLINE_SSH_PROXY_CONFIG',
}

/** What was not looked at, as sentences; null where a daemon answers, whose settings are its own, and where all was looked at. */
export async function notSetUpHere(api: Api): Promise<string | null> {
  if (api.where !== 'this process') return null
  const { not_set_up } = await expectGood<{ readonly not_set_up: readonly string[] }>(api, {
    method: 'GET',
    path: '/api/modes',
  })
  if (not_set_up.length === 0) return null
  const each = not_set_up.map((component) => {
    const setting = SETTING[component]
    return `${component} was not looked at${setting === undefined ? '' : `: ${setting} is not set here`}.`
  })
  return `No daemon runs, so the settings of this shell count. ${each.join(' ')}`
}
