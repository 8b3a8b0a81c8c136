/** VPN: the sites, their peers, and the file and code of each device. Its dashboard keeps its own address. */
import { refresh, useResource } from '../../api/cache.ts'
import type { VpnClients, VpnSites } from '../../api/companions/vpn.ts'
import { parseTimeOr } from '../../model/ages.ts'
import {
  bytesText,
  peerLamp,
  siteLamp,
  siteText,
  type VpnPeer,
  type VpnSite,
} from '../../model/looked-at/vpn.ts'
import { visible } from '../../model/visible.ts'
import { count } from '../../model/words.ts'
import { Age, Time } from '../../parts/age.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import type { Column } from '../../parts/listing/column.ts'
import { Listing } from '../../parts/listing/listing.tsx'
import { NotSetUp } from '../../parts/listing/not-set-up.tsx'
import { NotThere, useOpened } from '../../parts/listing/side-panel.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'
import { EndpointNames, ReadGateways } from './names.tsx'
import { PeerDialog } from './peer.tsx'
import { SiteFacts } from './site-facts.tsx'

const SITES = '/companions/vpn/api/sites'
const CLIENTS = '/companions/vpn/api/clients'

export function Vpn() {
  const sites = useResource<VpnSites>(SITES)
  const isSet = sites.value?.some(({ configured }) => configured) ?? false
  const open = useOpened('site')
  const shown = sites.value?.find(({ site_id }) => site_id === open.value)
  return (
    <>
      <div class="head">
        <div>
          <h1>VPN</h1>
          <p class="q2 sub">
            Sites and peers as their gateways tell them.{' '}
            <a href="/companions/vpn/" data-outside>
              The dashboard
            </a>
          </p>
        </div>
        {isSet && <ReadGateways />}
      </div>
      <Resource of={sites} what="The sites" retry={() => void refresh(SITES)}>
        {(all) =>
          isSet ? (
            <ul class="panes networks" aria-label="Sites">
              {all.map((site) => (
                <SiteCard
                  key={site.site_id}
                  of={site}
                  onOpen={() => {
                    open.value = site.site_id
                  }}
                />
              ))}
            </ul>
          ) : (
            <NotSetUp
              gives="With a key for the gateways, sites and peers are listed here, with the file of each device."
              setting="UCG_SSH_KEY"
              line="UCG_SSH_KEY=/etc/plumbline/vpn_ed25519"
            />
          )
        }
      </Resource>
      {isSet && <EndpointNames />}
      {isSet && <Peers />}
      {shown !== undefined && (
        <SiteFacts
          of={shown}
          onClose={() => {
            open.value = null
          }}
        />
      )}
    </>
  )
}

interface SiteProps {
  readonly of: VpnSite
  readonly onOpen: () => void
}

function SiteCard({ of: site, onOpen }: SiteProps) {
  const { name, dns_endpoint, peer_count, last_sync_ts, replaced_server_key } = site
  const read = parseTimeOr(last_sync_ts)
  const replaced = parseTimeOr(replaced_server_key?.at)
  return (
    <li class="box pad">
      <p class="named">
        <LampIcon lamp={siteLamp(site)} />
        {site.configured ? (
          <button type="button" class="row-open" onClick={onOpen}>
            {visible(name)}
          </button>
        ) : (
          <b>{visible(name)}</b>
        )}
      </p>
      <p class="q2">{visible(siteText(site))}</p>
      {replaced !== null && (
        <p class="c-drift">
          The server has another key since <Time at={replaced} />: devices need a new file.
        </p>
      )}
      <p class="s q2">
        <span class="mono">{visible(dns_endpoint)}</span>
        {peer_count !== null && `, ${count(peer_count, 'peer')}`}
        {site.dropped_peers > 0 && `, ${site.dropped_peers} could not be read`}
      </p>
      {read !== null && (
        <p class="s q">
          read <Time at={read} ago />
        </p>
      )}
    </li>
  )
}

const peerId = ({ site_id, public_key }: VpnPeer): string => `${site_id} ${public_key}`

function Peers() {
  const peers = useResource<VpnClients>(CLIENTS)
  const open = useOpened()
  const shown = peers.value?.find((one) => peerId(one) === open.value)
  return (
    <Resource of={peers} what="The peers" retry={() => void refresh(CLIENTS)}>
      {(all) => (
        <>
          {all.length === 0 ? (
            <Empty title="The gateways know no peer." />
          ) : (
            <Listing
              rows={all}
              idOf={peerId}
              one="peer"
              columns={COLUMNS}
              lampOf={peerLamp}
              fields={FIELDS}
              hint="name, address, is:online is:silent site:uk"
              onOpen={(peer) => {
                open.value = peerId(peer)
              }}
            />
          )}
          <NotThere one="peer" of={shown} />
          {shown !== undefined && (
            <PeerDialog
              of={shown}
              onClose={() => {
                open.value = null
              }}
            />
          )}
        </>
      )}
    </Resource>
  )
}

const FIELDS = {
  words: ({ name, tunnel_ips, endpoint, public_key }: VpnPeer) =>
    `${name} ${tunnel_ips.join(' ')} ${endpoint ?? ''} ${public_key}`,
  keys: { site: ({ site_id }: VpnPeer) => [site_id] },
  is: {
    online: ({ online }: VpnPeer) => online === true,
    silent: ({ last_handshake }: VpnPeer) => last_handshake === null,
  },
}

const COLUMNS: readonly Column<VpnPeer>[] = [
  { key: 'name', title: 'Name', by: ({ name }) => name, cell: ({ name }) => visible(name) },
  {
    key: 'address',
    title: 'Address',
    mono: true,
    by: ({ tunnel_ip }) => tunnel_ip,
    cell: ({ tunnel_ips }) => visible(tunnel_ips.join(', ') || '–'),
  },
  { key: 'site', title: 'Site', by: ({ site_id }) => site_id, cell: ({ site_id }) => site_id },
  {
    key: 'from',
    title: 'From',
    mono: true,
    by: ({ endpoint }) => endpoint,
    cell: ({ endpoint }) => visible(endpoint ?? '–'),
  },
  {
    key: 'traffic',
    title: 'Received, sent',
    by: ({ rx_bytes, tx_bytes }) => -(rx_bytes + tx_bytes),
    cell: ({ rx_bytes, tx_bytes }) => `${bytesText(rx_bytes)}, ${bytesText(tx_bytes)}`,
  },
  {
    key: 'spoke',
    title: 'Spoke',
    end: true,
    by: ({ last_handshake }) => -(parseTimeOr(last_handshake) ?? 0),
    cell: ({ last_handshake }) => <Age at={parseTimeOr(last_handshake)} />,
  },
]
