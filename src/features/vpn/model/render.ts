/**
 * The file of a device, as `wg-quick` and the apps read it. Nothing that runs a command is ever in it (`PostUp` and the like),
 * and each value has passed the grammar of its field before.
 */

/** In the place of the private key. `wg` refuses it by name, so that nobody runs half a file. */
export const PRIVATE_KEY_PLACE = 'REPLACE_WITH_PRIVATE_KEY'
export const PRESHARED_KEY_PLACE = 'REPLACE_WITH_PRESHARED_KEY'

/** Behind a router that translates addresses, a device is reached as long as it speaks now and then (wg(8)). */
const KEEPALIVE_S = 25

export interface DeviceFile {
  readonly private_key: string
  /** Addresses of the device in the tunnel, with their length; never empty. */
  readonly addresses: readonly string[]
  readonly dns: readonly string[]
  readonly mtu: number
  readonly server_public_key: string
  /** Null where there is none: an empty line of it makes a file that is refused. */
  readonly preshared_key: string | null
  readonly allowed_ips: readonly string[]
  /** `host:port` */
  readonly endpoint: string
}

export function renderDevice(file: DeviceFile): string {
  const { private_key, addresses, dns, mtu, server_public_key, preshared_key, allowed_ips, endpoint } = file
  const lines = [
    '[Interface]',
    `PrivateKey = ${private_key}`,
    `Address = ${addresses.join(', ')}`,
    ...(dns.length === 0 ? [] : [`DNS = ${dns.join(', ')}`]),
    `MTU = ${mtu}`,
    '',
    '[Peer]',
    `PublicKey = ${server_public_key}`,
    ...(preshared_key === null ? [] : [`PresharedKey = ${preshared_key}`]),
    `AllowedIPs = ${allowed_ips.join(', ')}`,
    `Endpoint = ${endpoint}`,
    `PersistentKeepalive = ${KEEPALIVE_S}`,
  ]
  return `${lines.join('\n')}\n`
}
