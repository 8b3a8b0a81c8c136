/** Guests, hosts and devices: number, name, address, domains, and what of each collides. */
import { useMemo } from 'preact/hooks'
import { domainAddress } from '../../address.ts'
import { refresh, useResource } from '../../api/cache.ts'
import type { Assets, Conflicts } from '../../api/companions/inventory.ts'
import { assetLamp, type Asset, collisionsOf, type FaultLine } from '../../model/looked-at/inventory.ts'
import { visible } from '../../model/visible.ts'
import { listed, sentence } from '../../model/words.ts'
import type { Column } from '../../parts/listing/column.ts'
import { FactsDialog } from '../../parts/listing/facts.tsx'
import { Listing } from '../../parts/listing/listing.tsx'
import { NotSeen, useLastSeen } from '../../parts/listing/not-seen.tsx'
import { NotThere, useOpened } from '../../parts/listing/side-panel.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'

const ASSETS = '/companions/inventory/api/assets?include=nodes,devices'
const CONFLICTS = '/companions/inventory/api/conflicts'

const NONE: Assets = []

/** Asked for at once, two answers come within this time. */
const SAME_MS = 5000

const idOf = ({ cluster, kind, vmid, name, macs }: Asset): string =>
  `${cluster} ${kind} ${vmid ?? ''} ${name} ${macs[0] ?? ''}`

interface ListProps {
  /** Every source was read. */
  readonly isWhole: boolean
  /** When that was told, in milliseconds. */
  readonly at: number
}

export function AssetList({ isWhole, at }: ListProps) {
  const assets = useResource<Assets>(ASSETS)
  const conflicts = useResource<Conflicts>(CONFLICTS).value
  const { rows, before } = useLastSeen({
    list: 'assets',
    rows: assets.value ?? NONE,
    idOf,
    // What is told of the sources may be older than the list.
    mayMiss: () => !isWhole || assets.value === undefined || at + SAME_MS < assets.fetched_at,
    basis: `${String(isWhole)} ${at}`,
    at: assets.fetched_at,
  })
  const collides = useMemo(() => collisionsOf(conflicts), [conflicts])
  const open = useOpened()
  const shown = rows.find((one) => idOf(one) === open.value)
  return (
    <Resource of={assets} what="The assets" retry={() => void refresh(ASSETS)}>
      {() => (
        <>
          <NotSeen before={before} one="asset" />
          {rows.length === 0 ? (
            <Empty
              title={
                isWhole
                  ? 'Nothing runs that could be seen.'
                  : 'Not found out: not every source could be read.'
              }
            />
          ) : (
            <Listing
              rows={rows}
              isWhole={isWhole}
              idOf={idOf}
              one="asset"
              columns={COLUMNS}
              lampOf={(asset) => (before.has(idOf(asset)) ? 'unknown' : assetLamp(asset, collides(asset)))}
              fields={FIELDS}
              hint="name, number, address, is:running node:pve1 tag:media"
              views={VIEWS}
              onOpen={(asset) => {
                open.value = idOf(asset)
              }}
            />
          )}
          <NotThere one="asset" of={shown} />
          {shown !== undefined && (
            <AssetFacts
              of={shown}
              collides={collides(shown)}
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
  { name: 'Running', query: 'is:running' },
  { name: 'Templates', query: 'is:template' },
  { name: 'Without a domain', query: 'is:guest -is:template -is:exposed' },
]

const FIELDS = {
  words: ({ name, vmid, addresses, macs, tags, domains }: Asset) =>
    `${name} ${vmid ?? ''} ${addresses.join(' ')} ${macs.join(' ')} ${tags.join(' ')} ${domains.join(' ')}`,
  keys: {
    node: ({ node }: Asset) => [node],
    cluster: ({ cluster }: Asset) => [cluster],
    kind: ({ kind }: Asset) => [kind],
    purpose: ({ purpose }: Asset) => [purpose],
    tag: ({ tags }: Asset) => tags,
    state: ({ state }: Asset) => [state],
    vmid: ({ vmid }: Asset) => [vmid === null ? null : String(vmid)],
  },
  is: {
    running: ({ state }: Asset) => state === 'running' || state === 'online',
    guest: ({ vmid }: Asset) => vmid !== null,
    template: ({ template }: Asset) => template,
    exposed: ({ domains }: Asset) => domains.length > 0,
    unknown: (asset: Asset) => assetLamp(asset) === 'unknown',
    odd: ({ in_scheme }: Asset) => in_scheme === false,
  },
}

const COLUMNS: readonly Column<Asset>[] = [
  { key: 'name', title: 'Name', by: ({ name }) => name, cell: ({ name }) => visible(name) },
  {
    key: 'address',
    title: 'Address',
    mono: true,
    by: ({ addresses }) => addresses[0] ?? null,
    cell: ({ addresses }) => (addresses.length === 0 ? '–' : visible(addresses.join(', '))),
  },
  { key: 'vmid', title: 'Number', by: ({ vmid }) => vmid, cell: ({ vmid }) => vmid ?? '–' },
  { key: 'node', title: 'Node', by: ({ node }) => node, cell: ({ node }) => visible(node ?? '–') },
  { key: 'state', title: 'State', by: ({ state }) => state, cell: ({ state }) => state },
  {
    key: 'domains',
    title: 'Domains',
    end: true,
    by: ({ domains }) => domains[0] ?? null,
    cell: ({ domains }) => (domains.length === 0 ? '–' : visible(listed(domains, 1))),
  },
]

interface FactsProps {
  readonly of: Asset
  readonly collides: readonly FaultLine[]
  readonly onClose: () => void
}

function AssetFacts({ of: asset, collides, onClose }: FactsProps) {
  const { name, vmid, kind, cluster, node, purpose, state, addresses, macs, tags, domains, detail } = asset
  return (
    <FactsDialog
      title={name}
      lamp={assetLamp(asset, collides)}
      why={
        [...collides.map(({ title, says }) => `${title} ${says}`), detail ?? []]
          .flat()
          .map(sentence)
          .join(' ') || null
      }
      onClose={onClose}
      facts={[
        ['Number', vmid === null ? null : String(vmid)],
        ['Kind', kind],
        ['State', state],
        ['Where', node === null ? cluster : `${node} of ${cluster}`],
        ['Purpose', purpose],
        ['Addresses', addresses.join(', ')],
        ['Cards', macs.join(', ')],
        ['Tags', tags.join(', ')],
        ['SSH', asset.ssh_target],
        ['Domains', domains.length === 0 ? 'none leads to it' : <DomainLinks key="d" of={domains} />],
      ]}
    />
  )
}

const DomainLinks = ({ of }: { readonly of: readonly string[] }) => (
  <>
    {of.map((domain) => (
      <a key={domain} href={domainAddress(domain)}>
        {visible(domain)}{' '}
      </a>
    ))}
  </>
)
