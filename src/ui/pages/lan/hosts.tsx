/** Every client and device that the controllers know; what could not be read again stays, with its age. */
import { refresh, useResource } from '../../api/cache.ts'
import type { LanHosts } from '../../api/types.ts'
import { parseTimeOr } from '../../model/ages.ts'
import { hostLamp, type LanHost } from '../../model/looked-at/lan.ts'
import { visible } from '../../model/visible.ts'
import { Age, Time } from '../../parts/age.tsx'
import type { Column } from '../../parts/listing/column.ts'
import { FactsDialog } from '../../parts/listing/facts.tsx'
import { Listing } from '../../parts/listing/listing.tsx'
import { NotSeen, useLastSeen } from '../../parts/listing/not-seen.tsx'
import { NotThere, useOpened } from '../../parts/listing/side-panel.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'

const HOSTS = '/api/network/lan-hosts'

const NONE: readonly LanHost[] = []

const hostId = ({ controller, site, mac }: LanHost): string => `${controller} ${site} ${mac}`

export function Hosts() {
  const hosts = useResource<LanHosts>(HOSTS)
  const isWhole = hosts.value === undefined || (hosts.value.hosts !== null && hosts.value.complete === true)
  const { rows, before } = useLastSeen({
    list: 'lan',
    rows: hosts.value?.hosts ?? NONE,
    idOf: hostId,
    mayMiss: () => !isWhole || hosts.value === undefined,
    at: hosts.fetched_at,
  })
  const open = useOpened()
  const shown = rows.find((one) => hostId(one) === open.value)
  return (
    <Resource of={hosts} what="Clients and devices" retry={() => void refresh(HOSTS)}>
      {() => (
        <>
          <NotSeen before={before} one="client" />
          {rows.length === 0 && !isWhole ? (
            <Empty title="Not found out: not every controller could be read." />
          ) : rows.length === 0 ? (
            <Empty title="The controllers know nobody." />
          ) : (
            <Listing
              rows={rows}
              isWhole={isWhole}
              idOf={hostId}
              one="client"
              columns={COLUMNS}
              lampOf={(host) => (before.has(hostId(host)) ? 'unknown' : hostLamp(host))}
              fields={FIELDS}
              hint="name, address, MAC, is:online network:LAN"
              views={VIEWS}
              onOpen={(host) => {
                open.value = hostId(host)
              }}
            />
          )}
          <NotThere one="client" of={shown} />
          {shown !== undefined && (
            <LanHostFacts
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

const VIEWS = [
  { name: 'All', query: '' },
  { name: 'Online', query: 'is:online' },
  { name: 'Devices', query: 'is:device' },
  { name: 'Guests', query: 'is:guest' },
]

const FIELDS = {
  words: ({ name, hostname, address, mac, vendor }: LanHost) =>
    `${name} ${hostname ?? ''} ${address ?? ''} ${mac} ${vendor ?? ''}`,
  keys: {
    network: ({ network }: LanHost) => [network],
    site: ({ site }: LanHost) => [site],
    vendor: ({ vendor }: LanHost) => [vendor],
    vlan: ({ vlan }: LanHost) => [vlan === null ? null : String(vlan)],
  },
  is: {
    online: ({ online }: LanHost) => online,
    device: ({ kind }: LanHost) => kind === 'device',
    guest: ({ guest }: LanHost) => guest,
    wired: ({ wired }: LanHost) => wired === true,
  },
}

const COLUMNS: readonly Column<LanHost>[] = [
  { key: 'name', title: 'Name', by: ({ name }) => name, cell: ({ name }) => visible(name) },
  {
    key: 'address',
    title: 'Address',
    mono: true,
    by: ({ address }) => address,
    cell: ({ address }) => visible(address ?? '–'),
  },
  { key: 'mac', title: 'MAC', mono: true, by: ({ mac }) => mac, cell: ({ mac }) => visible(mac) },
  {
    key: 'network',
    title: 'Network',
    by: ({ network }) => network,
    cell: ({ network }) => visible(network ?? '–'),
  },
  {
    key: 'vendor',
    title: 'Vendor',
    by: ({ vendor }) => vendor,
    cell: ({ vendor }) => <span class="s">{visible(vendor ?? '–')}</span>,
  },
  {
    key: 'seen',
    title: 'Seen',
    end: true,
    by: ({ last_seen }) => -(parseTimeOr(last_seen) ?? 0),
    cell: ({ last_seen }) => <Age at={parseTimeOr(last_seen)} />,
  },
]

function LanHostFacts({ of: host, onClose }: { readonly of: LanHost; readonly onClose: () => void }) {
  const { name, hostname, address, mac, network, vlan, vendor, kind, wired, guest, last_seen, site } = host
  const seen = parseTimeOr(last_seen)
  return (
    <FactsDialog
      title={name}
      lamp={hostLamp(host)}
      why={host.online ? null : 'It is not connected.'}
      onClose={onClose}
      facts={[
        ['Address', address],
        ['Hostname', hostname],
        ['MAC', mac],
        ['Kind', guest ? `${kind}, a guest` : kind],
        ['Network', vlan === null ? network : `${network ?? ''} VLAN ${vlan}`],
        ['By', wired === null ? null : wired ? 'cable' : 'Wi-Fi'],
        ['Vendor', vendor],
        ['Site', `${site} at ${host.controller}`],
        ['Seen', seen === null ? null : <Time at={seen} ago />],
      ]}
    />
  )
}
