/** A number and an address for a new guest: by node and purpose, or the next address of a network. Nothing is reserved. */
import { useSignal } from '@preact/signals'
import { useResource } from '../../api/cache.ts'
import type { NextAddress, SuggestedVmids } from '../../api/companions/inventory.ts'
import { visible } from '../../model/visible.ts'
import { number } from '../../model/words.ts'
import { Copy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, Select } from '../../parts/field.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { FactList } from '../../parts/listing/facts.tsx'
import { Resource } from '../../parts/panel.tsx'
import { useSettled } from '../../parts/settled.ts'
import { Hold } from './hold.tsx'

interface Props {
  readonly networks: readonly string[]
  readonly onClose: () => void
}

export function NextFree({ networks, onClose }: Props) {
  const node = useSignal('')
  const purpose = useSignal('')
  const network = useSignal(networks[0] ?? '')
  return (
    <Dialog label="Next free" onClose={onClose}>
      <h2 class="t">Next free</h2>
      <p class="q2">
        For a new guest. Nothing is reserved by looking; a hold keeps it from being offered to anybody else
        for a while.
      </p>
      <div class="fields">
        <Field
          label="Node"
          value={node.value}
          placeholder="any"
          autofocus
          onInput={(value) => {
            node.value = value
          }}
        />
        <Field
          label="Purpose"
          value={purpose.value}
          placeholder="any"
          onInput={(value) => {
            purpose.value = value
          }}
        />
      </div>
      <Numbers node={node.value.trim()} purpose={purpose.value.trim()} />
      {networks.length > 0 && (
        <>
          <Select
            label="Address in the network"
            value={network.value}
            options={networks}
            onChoose={(value) => {
              network.value = value
            }}
          />
          <AddressIn network={network.value} />
        </>
      )}
      <p class="acts gap">
        <button type="button" class="btn" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  )
}

const BASE = '/companions/inventory/api'

function Numbers({ node, purpose }: { readonly node: string; readonly purpose: string }) {
  const asked = { ...(node !== '' && { node }), ...(purpose !== '' && { purpose }) }
  const query = new URLSearchParams({ ...asked, count: '3' }).toString()
  const settled = useSettled(query)
  const found = useResource<SuggestedVmids>(settled === '' ? '' : `${BASE}/vmid/suggest?${settled}`)
  if (settled === '') return null
  return (
    <Resource of={found} what="The free numbers">
      {({ suggestions, complete }) => (
        <>
          <ul aria-label="Free numbers">
            {suggestions.map((one) => (
              <NumberLine key={one.vmid} of={one} />
            ))}
          </ul>
          <Incomplete complete={complete} />
          {suggestions.length > 0 && (
            <Hold
              path={`${BASE}/vmid/suggest?${new URLSearchParams({ ...asked, count: '1' }).toString()}`}
              what="a number"
              offered={offeredNumber}
            />
          )}
        </>
      )}
    </Resource>
  )
}

const offeredNumber = ({ suggestions: [one] }: SuggestedVmids): readonly string[] =>
  one === undefined ? [] : [String(one.vmid), ...(one.address === null ? [] : [one.address])]

const NumberLine = ({
  of: { vmid, address, node, purpose, range },
}: {
  readonly of: SuggestedVmids['suggestions'][number]
}) => (
  <li class="gap">
    <b>{vmid}</b> <Copy text={String(vmid)} what={`number ${vmid}`} />
    {address !== null && (
      <>
        {' '}
        <span class="mono">{address}</span> <Copy text={address} what={`address ${address}`} />
      </>
    )}{' '}
    <span class="s q2">
      {visible([node, purpose].filter((one) => one !== null).join(', '))} {number(range.free)} free of{' '}
      {range.first} to {range.last}
    </span>
  </li>
)

function AddressIn({ network }: { readonly network: string }) {
  const path = `${BASE}/ip/next?network=${encodeURIComponent(network)}`
  const found = useResource<NextAddress>(path)
  return (
    <Resource of={found} what="The free address">
      {({ address, gateway, free, complete, silent_guests }) => (
        <>
          <FactList
            facts={[
              [
                'Address',
                <span key="a" class="mono">
                  {address} <Copy text={address} what="the address" />
                </span>,
              ],
              ['Gateway', gateway],
              ['Free', free === null ? null : number(free)],
              ['Silent guests', silent_guests.join(', ')],
            ]}
          />
          <Incomplete complete={complete} />
          <Hold path={path} what="an address" offered={({ address: one }: NextAddress) => [one]} />
        </>
      )}
    </Resource>
  )
}

const Incomplete = ({ complete }: { readonly complete: boolean | null }) =>
  complete === true ? null : (
    <p class="why" role="status">
      <LampIcon lamp="unknown" />
      <span>Not everything could be seen, so somebody may have it all the same.</span>
    </p>
  )
