/** One site: what its gateway says of itself, and what devices need to know of it. */
import { parseTimeOr } from '../../model/ages.ts'
import { hostKeyWords, siteLamp, siteText, type VpnSite } from '../../model/looked-at/vpn.ts'
import { visible } from '../../model/visible.ts'
import { Time } from '../../parts/age.tsx'
import { Copy } from '../../parts/copy.tsx'
import { FactsDialog } from '../../parts/listing/facts.tsx'

interface Props {
  readonly of: VpnSite
  readonly onClose: () => void
}

export function SiteFacts({ of: site, onClose }: Props) {
  const { dns_endpoint, wg_port, gateway_host, subnets, dns, mtu, server_public_key } = site
  const read = parseTimeOr(site.last_sync_ts)
  const replaced = parseTimeOr(site.replaced_server_key?.at)
  return (
    <FactsDialog
      title={site.name}
      lamp={siteLamp(site)}
      why={siteText(site)}
      onClose={onClose}
      facts={[
        ['Devices call', wg_port === null ? dns_endpoint : `${dns_endpoint}:${wg_port}`],
        ['Gateway', gateway_host],
        ['Its host key', hostKeyWords(site.host_key)],
        ['Tunnel', subnets.join(', ')],
        ['Resolvers told', dns.join(', ')],
        ['Interface', [site.interface, mtu !== null && `MTU ${mtu}`].filter(Boolean).join(', ')],
        [
          'Public key',
          server_public_key === null ? null : <Key key="k" text={server_public_key} what="the public key" />,
        ],
        [
          'Key before',
          site.replaced_server_key === null ? null : (
            <Key key="b" text={site.replaced_server_key.public_key} what="the key before" />
          ),
        ],
        ['Another key since', replaced === null ? null : <Time key="r" at={replaced} />],
        ['Peers', site.peer_count === null ? 'not known' : String(site.peer_count)],
        ['Could not be read', site.dropped_peers > 0 ? `${site.dropped_peers} of its peers` : null],
        ['Read', read === null ? 'never' : <Time key="t" at={read} ago />],
      ]}
    />
  )
}

const Key = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <span class="mono">
    {visible(text)} <Copy text={text} what={what} />
  </span>
)
