/** Inventory: what runs where, how full each network is, what collides, what nobody stands behind, and the next free number. */
import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { queryOf, setQuery } from '../../address.ts'
import { refresh, useResource } from '../../api/cache.ts'
import type { InfrastructureStatus } from '../../api/companions/inventory.ts'
import { parseTimeOr } from '../../model/ages.ts'
import {
  countWords,
  isAnySet,
  isSeenWhole,
  usePercent,
  type Networks,
} from '../../model/looked-at/inventory.ts'
import { visible } from '../../model/visible.ts'
import { count, number } from '../../model/words.ts'
import { usePageAct } from '../../parts/find/page-act.ts'
import { Time } from '../../parts/age.tsx'
import { Choice } from '../../parts/field.tsx'
import { addKeys } from '../../parts/keys.ts'
import { Gaps } from '../../parts/listing/gaps.tsx'
import { NotSetUp } from '../../parts/listing/not-set-up.tsx'
import { Resource } from '../../parts/panel.tsx'
import { AssetList } from './assets.tsx'
import { CheckNumber } from './check.tsx'
import { ConflictList, OrphanList } from './faults.tsx'
import { NextFree } from './next-free.tsx'
import { UsedList } from './used.tsx'

const STATUS = '/companions/inventory/api/infrastructure/status'

const PARTS = ['assets', 'conflicts', 'orphans', 'used'] as const
type Part = (typeof PARTS)[number]

export function Inventory() {
  const status = useResource<InfrastructureStatus>(STATUS)
  const asking = useSignal(false)
  const checking = useSignal(false)
  usePageAct('next-free', () => (asking.value = true))
  usePageAct('check', () => (checking.value = true))
  useLayoutEffect(
    () => addKeys([{ keys: 'e', label: 'Next free number', run: () => (asking.value = true) }]),
    [],
  )
  const checked = parseTimeOr(status.value?.checked_at)
  return (
    <>
      <div class="head">
        <div>
          <h1>Inventory</h1>
          <p class="q2 sub">
            What runs where, by the clusters, the network and the containers.
            {checked !== null && (
              <>
                {' '}
                Looked <Time at={checked} ago />.
              </>
            )}
          </p>
        </div>
        <div class="acts">
          <button
            type="button"
            class="btn"
            onClick={() => {
              checking.value = true
            }}
          >
            Check a number…
          </button>
          <button
            type="button"
            class="btn first"
            onClick={() => {
              asking.value = true
            }}
          >
            Next free… <kbd>e</kbd>
          </button>
        </div>
      </div>
      <Resource of={status} what="The inventory" retry={() => void refresh(STATUS)}>
        {(all) => (isAnySet(all.sources) ? <Estate status={all} at={status.fetched_at} /> : <NoSource />)}
      </Resource>
      {checking.value && (
        <CheckNumber
          onClose={() => {
            checking.value = false
          }}
        />
      )}
      {asking.value && (
        <NextFree
          networks={(status.value?.networks ?? []).map(({ cidr }) => cidr)}
          onClose={() => {
            asking.value = false
          }}
        />
      )}
    </>
  )
}

const NoSource = () => (
  <NotSetUp
    gives="With a cluster, a network controller or a container host, what runs there is listed here with its number, address and domains."
    setting="PLUMBLINE_PROXMOX"
    line="PLUMBLINE_PROXMOX=lab=https://pve.example.com:8006"
  />
)

interface EstateProps {
  readonly status: InfrastructureStatus
  /** When it came, in milliseconds. */
  readonly at: number
}

function Estate({ status, at }: EstateProps) {
  const asked = queryOf('part')
  const part: Part = PARTS.find((one) => one === asked) ?? 'assets'
  const { conflicts, orphans } = status
  return (
    <>
      <Gaps of={status.sources} />
      <NetworkUse of={status.networks} isWhole={isSeenWhole(status.sources)} />
      <Choice
        label="What"
        quiet
        value={part}
        options={[
          ['assets', 'Assets'],
          ['conflicts', `Conflicts ${countWords(conflicts)}`],
          ['orphans', `Orphans ${countWords(orphans)}`],
          ['used', 'Addresses'],
        ]}
        onChoose={(next) => setQuery({ part: next === 'assets' ? null : next })}
      />
      {part === 'assets' && <AssetList isWhole={isSeenWhole(status.sources)} at={at} />}
      {part === 'conflicts' && <ConflictList />}
      {part === 'orphans' && <OrphanList />}
      {part === 'used' && <UsedList />}
    </>
  )
}

interface UseProps {
  readonly of: Networks
  /** Else more may be used than is known. */
  readonly isWhole: boolean
}

function NetworkUse({ of, isWhole }: UseProps) {
  if (of.length === 0) return null
  return (
    <ul class="panes networks" aria-label="Networks">
      {of.map((network) => (
        <li key={network.cidr} class="box pad">
          <p>
            <b>{visible(network.name)}</b> <span class="mono q2">{network.cidr}</span>
          </p>
          <UseBar percent={usePercent(network)} />
          <p class="s q2">
            {!isWhole && 'at least '}
            {number(network.used)} of {count(network.size, 'address', 'addresses')} used
            {network.dhcp !== null && `, leases ${network.dhcp.first} to ${network.dhcp.last}`}
          </p>
        </li>
      ))}
    </ul>
  )
}

const UseBar = ({ percent }: { readonly percent: number }) => (
  <svg class="use" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={`${percent} % used`}>
    <path d="M0 3h100" stroke="var(--line)" stroke-width="6" />
    {percent > 0 && (
      <path d={`M0 3h${percent}`} stroke={percent > 90 ? 'var(--drift)' : 'var(--ink3)'} stroke-width="6" />
    )}
  </svg>
)
