/** Entries of a controller with a secret in every field that may not come out, and in fields that nobody knows. */

/** It stands in every secret. */
export const CANARY = 'canary-7f3a'

const SECRET_FIELDS = [
  'x_passphrase',
  'x_iapp_key',
  'x_wireguard_private_key',
  'x_ipsec_pre_shared_key',
  'x_openvpn_shared_secret_key',
  'x_authkey',
  'x_inform_authkey',
  'x_vwirekey',
  'x_ssh_password',
  'x_password',
  'x_fingerprint',
  'syslog_key',
  'radius_secret',
  'wan_username',
  'wan_password',
  'note',
  'inform_url',
  'password',
  'token',
  '__proto_secret',
] as const

export function poisoned(row: unknown): unknown {
  const secrets = Object.fromEntries(SECRET_FIELDS.map((field) => [field, `${CANARY}-${field}`]))
  const nested = {
    private_preshared_keys: [{ networkconf_id: '1', password: `${CANARY}-psk` }],
    ssh_session_table: [{ key: `${CANARY}-session` }],
  }
  const members = Object.entries(row as Record<string, unknown>).map(([name, value]) => [
    name,
    isObject(value)
      ? poisoned(value)
      : Array.isArray(value)
        ? value.map((one) => (isObject(one) ? poisoned(one) : one))
        : value,
  ])
  return { ...secrets, ...nested, ...Object.fromEntries(members) }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
