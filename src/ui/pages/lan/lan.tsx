/** Network: uplinks and sites, every client and device, strangers among them, and what the controllers have beside. */
import { useSignal } from '@preact/signals'
import { queryOf, setQuery } from '../../address.ts'
import { refresh, useResource } from '../../api/cache.ts'
import { mayChange, whyNot } from '../../api/session.ts'
import type { NetworkSummary } from '../../api/types.ts'
import { uplinkLamp, type NetworkSite } from '../../model/looked-at/lan.ts'
import { visible } from '../../model/visible.ts'
import { count, number } from '../../model/words.ts'
import { usePageAct } from '../../parts/find/page-act.ts'
import { LampIcon } from '../../parts/lamp.tsx'
import { laterDialog } from '../../parts/later.tsx'
import { Gaps } from '../../parts/listing/gaps.tsx'
import { NotSetUp } from '../../parts/listing/not-set-up.tsx'
import { Resource } from '../../parts/panel.tsx'
import { CLIENTS, DEVICES } from './devices.tsx'
import { Hosts } from './hosts.tsx'
import { KeptList } from './kept-list.tsx'
import { FORWARDS, GROUPS, NETWORKS, RULES, WLANS } from './rules.tsx'
import { Strangers } from './strangers.tsx'
import type { SyncNamesProps } from './sync-names.tsx'

const SyncNames = laterDialog<SyncNamesProps>(async () => (await import('./sync-names.tsx')).SyncNames)

const SUMMARY = '/api/network/summary'

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
