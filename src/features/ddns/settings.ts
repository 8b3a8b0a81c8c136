/** Settings of dynamic DNS: under which address routers reach us, and what they may report. */
import { companionListen } from '../../config/kinds/companion.ts'
import { httpUrl, parseHost, parseNetwork } from '../../config/kinds/network.ts'
import { listOf, textual, type Wrong, wrong } from '../../config/kinds/refine.ts'
import { parseDomainName } from '../../model/domain/hostname.ts'
import { isIP } from 'node:net'
import { optional, setting } from '../../config/setting.ts'

export interface AddressSource {
  /** As it is called: `unifi:home/default`, or `reports`. */
  readonly name: string
  readonly controller: string
  readonly site: string
  /** The name that it reports for. */
  readonly host: string
}

/** `reports` stands for what gateways tell by themselves, which is always taken. */
function parseSource(text: string): AddressSource | 'reports' | Wrong {
  if (text === 'reports') return text
  const [, controller, site, host = ''] =
    /^unifi:([a-z0-9][a-z0-9-]{0,62})\/([^/=\s]{1,64})=(.+)$/i.exec(text) ?? []
  if (controller === undefined) return wrong('must be reports, or unifi:CONTROLLER/SITE=NAME')
  const parsed = parseDomainName(host)
  return parsed.ok
    ? { name: `unifi:${controller}/${site!}`, controller, site: site!, host: parsed.value }
    : wrong(parsed.msg)
}

const sources = listOf(parseSource).transform((all) => all.filter((one) => one !== 'reports'))

export const ddns = {
  listen: companionListen({ companion: 'ddns', called: 'the dynamic DNS service', port: 8093 }),
  sources: setting({
    name: 'PLUMBLINE_DDNS_SOURCES',
    example: 'reports,unifi:home/default=home.example.com',
    schema: sources,
    default: 'reports',
    show: (all) => ['reports', ...all.map(({ name, host }) => `${name}=${host}`)].join(','),
    help: 'Where addresses come from, comma-separated: reports of gateways, and unifi:CONTROLLER/SITE=NAME for the uplink of a site. Nothing on the internet is asked.',
  }),
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

declare module '../../config/sections.ts' {
  interface Sections {
    readonly ddns: typeof ddns
  }
}
