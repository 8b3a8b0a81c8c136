/** Settings of dynamic DNS: under which address routers reach us, and what they may report. */
import { httpUrl, parseHost, parseNetwork } from '../../config/kinds/network.ts'
import { listOf, textual, wrong } from '../../config/kinds/refine.ts'
import { isIP } from 'node:net'
import { optional, setting } from '../../config/setting.ts'

export const ddns = {
  public_url: optional({
    name: 'PLUMBLINE_PUBLIC_URL',
    example: 'https://plumbline.example.com',
    schema: httpUrl,
    help: 'Address under which routers reach this API, such as https://plumbline.example.com; its host is served.',
  }),
  hub_host: optional({
    name: 'PLUMBLINE_HUB_HOST',
    example: 'home.example.com',
    schema: textual((text) => {
      const host = parseHost(text)
      return typeof host === 'string' && (isIP(host) !== 0 || !host.includes('.'))
        ? wrong('must be a fully qualified name such as hub.example.com')
        : host
    }),
    help: 'The name whose reported address serves all domains that have no address of their own.',
  }),
  private_networks: setting({
    name: 'PLUMBLINE_DDNS_PRIVATE',
    example: '100.64.0.0/10',
    schema: listOf(parseNetwork),
    default: '',
    help: 'Networks (CIDR) whose addresses gateways may report although they are not public, comma-separated.',
  }),
}
