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

/** Keeps the keys that the SSH gateway takes. No release concerns it: what is saved is in force at once. */
export const GATEWAY = 'ssh-gateway'

/** Keeps what ssh on the gateway reads of targets. No release of records concerns it. */
export const SSH_PROXY = 'ssh-proxy'

/** Keeps the files of the metrics server and of the alert router. No release concerns it: they follow the settings. */
export const ALERTING = 'alerting'
