/** The components that an installation can be set up with, in the order in which a deploy works on them. */
export const COMPONENTS = [
  'dns',
  'certificates',
  'certificates-file',
  'people',
  'sso',
  'routes',
  'sso-proof',
  'ssh-gateway',
  'alerting',
  'ssh-proxy',
] as const

type Component = (typeof COMPONENTS)[number]

/** Written as one file: who lets one edit of it stay lets all of them stay, and who undoes one undoes all. */
export const WRITTEN_WHOLE: ReadonlySet<string> = new Set<Component>(['routes', 'sso'])

export const isComponent = (name: string): name is Component => COMPONENTS.some((one) => one === name)

/** The setting without which there is none of it; null for what is always kept. A missing one does not compile. */
export const SET_UP_BY: Readonly<Record<Component, string | null>> = {
  dns: 'PLUMBLINE_DNS_PROVIDER',
  certificates: 'PLUMBLINE_CERTIFICATES',
  'certificates-file': 'PLUMBLINE_CERTIFICATES_FILE',
  people: 'PLUMBLINE_SSO_USERS_FILE',
  sso: 'PLUMBLINE_SSO_RULES_FILE',
  routes: null,
  'sso-proof': 'PLUMBLINE_SSO_PROBE',
  'ssh-gateway': 'PLUMBLINE_AUTHORIZED_KEYS',
  alerting: 'PLUMBLINE_ALERT_RULES_FILE',
  'ssh-proxy': 'PLUMBLINE_SSH_PROXY_CONFIG',
}

/** Keeps the keys that the SSH gateway takes. No release concerns it: what is saved is in force at once. */
export const GATEWAY = 'ssh-gateway'

/** Keeps what ssh on the gateway reads of targets. No release of records concerns it. */
export const SSH_PROXY = 'ssh-proxy'

/** Keeps the files of the metrics server and of the alert router. No release concerns it: they follow the settings. */
export const ALERTING = 'alerting'
