/** Network: uplinks and sites, every client and device, strangers among them, and what the controllers have beside. */
import { useSignal } from '@preact/signals'
import { queryOf, setQuery } from '../../address.ts'
import { refresh, useResource } from '../../api/cache.ts'
import { mayChange, whyNot } from '../../api/session.ts'
import type { LanHosts, NetworkSummary } from '../../api/types.ts'
import { parseTimeOr } from '../../model/ages.ts'
import { hostLamp, uplinkLamp, type LanHost, type NetworkSite } from '../../model/looked-at/lan.ts'
import { visible } from '../../model/visible.ts'
import { count, number } from '../../model/words.ts'
import { usePageAct } from '../../parts/find/page-act.ts'
import { Age, Time } from '../../parts/age.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import type { Column } from '../../parts/listing/column.ts'
import { FactsDialog } from '../../parts/listing/facts.tsx'
import { Gaps } from '../../parts/listing/gaps.tsx'
import { Listing } from '../../parts/listing/listing.tsx'
import { NotSetUp } from '../../parts/listing/not-set-up.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'
import { CLIENTS, DEVICES } from './devices.tsx'
import { KeptList } from './kept-list.tsx'
import { FORWARDS, GROUPS, NETWORKS, RULES, WLANS } from './rules.tsx'
import { Strangers } from './strangers.tsx'
import { SyncNames } from './sync-names.tsx'

const SUMMARY = '/api/network/summary'
const HOSTS = '/api/network/lan-hosts'

export function Lan() {
  const summary = useResource<NetworkSummary>(SUMMARY)
  const naming = useSignal(false)
  usePageAct('names', () => (naming.value = mayChange.value))
  return (
    <>
      <div class="head">
        <div>
          <h1>Network</h1>
          <p class="q2 sub">
            As its controllers tell it.{' '}
            <a href="/network" data-outside>
              The page without scripts
            </a>
          </p>
        </div>
        {summary.value?.configured === true && (
          <div class="acts">
            <button
              type="button"
              class="btn"
              disabled={!mayChange.value}
              title={whyNot.value ?? undefined}
              onClick={() => {
                naming.value = true
              }}
            >
              Names of guests…
            </button>
          </div>
        )}
      </div>
      {naming.value && (
        <SyncNames
          onClose={() => {
            naming.value = false
          }}
        />
      )}
      <Resource of={summary} what="The network" retry={() => void refresh(SUMMARY)}>
        {(all) => (all.configured ? <Network of={all} /> : <NoController />)}
      </Resource>
    </>
  )
}

const NoController = () => (
  <NotSetUp
    gives="With a network controller, uplinks, clients and devices are shown here."
    setting="PLUMBLINE_UNIFI_URL"
    line="PLUMBLINE_UNIFI_URL=home=https://192.168.1.1"
  />
)

function Network({ of: { sources, sites } }: { readonly of: NetworkSummary }) {
  const asked = queryOf('part')
  const part = PARTS.find(([one]) => one === asked)?.[0] ?? 'hosts'
  return (
    <>
      <Gaps of={sources} />
      {sites === null ? null : (
        <ul class="panes networks" aria-label="Sites">
          {sites.map((site) => (
            <SiteCard key={`${site.controller} ${site.site}`} of={site} />
          ))}
        </ul>
      )}
      <nav class="views flush" aria-label="What">
        {PARTS.map(([one, title]) => (
          <button
            key={one}
            type="button"
            class="chip"
            aria-pressed={part === one}
            onClick={() => setQuery({ part: one === 'hosts' ? null : one, q: null, sort: null })}
          >
            {title}
          </button>
        ))}
      </nav>
      <LanPart key={part} part={part} />
    </>
  )
}

const PARTS = [
  ['hosts', 'Clients and devices'],
  ['strangers', 'Strangers'],
  ['devices', 'Ports of devices'],
  ['seen', 'Seen in 30 days'],
  ['networks', 'Networks'],
  ['wifi', 'Wi-Fi'],
  ['forwards', 'Port forwards'],
  ['rules', 'Firewall'],
  ['groups', 'Firewall groups'],
] as const

function LanPart({ part }: { readonly part: (typeof PARTS)[number][0] }) {
  switch (part) {
    case 'hosts':
      return <Hosts />
    case 'strangers':
      return <Strangers />
    case 'devices':
      return <KeptList of={DEVICES} />
    case 'seen':
      return <KeptList of={CLIENTS} />
    case 'networks':
      return <KeptList of={NETWORKS} />
    case 'wifi':
      return <KeptList of={WLANS} />
    case 'forwards':
      return <KeptList of={FORWARDS} />
    case 'rules':
      return <KeptList of={RULES} />
    case 'groups':
      return <KeptList of={GROUPS} />
  }
}

function SiteCard({ of: { label, wan, vpn, clients, devices } }: { readonly of: NetworkSite }) {
  return (
    <li class="box pad">
      <p>
        <b>{visible(label)}</b>
      </p>
      {wan === null ? (
        <p class="why">
          <LampIcon lamp="unknown" /> <span>The uplinks are not known.</span>
        </p>
      ) : (
        wan.map(({ name, status, address, latency_ms }) => (
          <p class="why" key={name}>
            <LampIcon lamp={uplinkLamp(status)} />
            <span>
              {visible(name)} {visible(status)} <span class="q2 mono">{visible(address ?? '')}</span>
              {latency_ms !== null && ` ${latency_ms} ms`}
            </span>
          </p>
        ))
      )}
      <p class="s q2">
        {clients === null ? 'Clients are not known' : `${count(clients.online, 'client')} online`}
        {devices !== null &&
          `, ${count(devices.total, 'device')}${devices.offline > 0 ? `, ${number(devices.offline)} offline` : ''}`}
        {vpn.active !== null && `, ${number(vpn.active)} by VPN`}
      </p>
    </li>
  )
}

function Hosts() {
  const hosts = useResource<LanHosts>(HOSTS)
  const open = useSignal<LanHost | null>(null)
  return (
    <Resource of={hosts} what="Clients and devices" retry={() => void refresh(HOSTS)}>
      {({ hosts: all }) => (
        <>
          {all === null ? (
            <Empty title="Not found out: no controller is known." />
          ) : all.length === 0 ? (
            <Empty title="The controllers know nobody." />
          ) : (
            <Listing
              rows={all}
              idOf={({ controller, site, mac }) => `${controller} ${site} ${mac}`}
              one="client"
              columns={COLUMNS}
              lampOf={hostLamp}
              fields={FIELDS}
              hint="name, address, MAC, is:online network:LAN"
              views={VIEWS}
              onOpen={(host) => {
                open.value = host
              }}
            />
          )}
          {open.value !== null && (
            <LanHostFacts
              of={open.value}
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
