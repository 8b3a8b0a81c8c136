/** Every address that somebody has, and by whom that is known. */
import { refresh, useResource } from '../../api/cache.ts'
import type { UsedAddresses } from '../../api/companions/inventory.ts'
import { visible } from '../../model/visible.ts'
import { listed, plain } from '../../model/words.ts'
import { LampIcon } from '../../parts/lamp.tsx'
import type { Column } from '../../parts/listing/column.ts'
import { Listing } from '../../parts/listing/listing.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'

const USED = '/companions/inventory/api/ip/used'

type Used = UsedAddresses['addresses'][number]

export function UsedList() {
  const used = useResource<UsedAddresses>(USED)
  return (
    <Resource of={used} what="The addresses" retry={() => void refresh(USED)}>
      {({ addresses, complete }) => (
        <>
          {complete !== true && (
            <p class="why" role="status">
              <LampIcon lamp="unknown" />
              <span>
                Not everything could be seen: an address that is not listed may be taken all the same.
              </span>
            </p>
          )}
          {addresses.length === 0 ? (
            <Empty title="No address was seen." />
          ) : (
            <Listing
              rows={addresses}
              idOf={({ address }) => address}
              one="address"
              columns={COLUMNS}
              lampOf={({ online }) => (online ? 'ok' : 'off')}
              fields={FIELDS}
              hint="address, name, MAC, is:online source:unifi"
            />
          )}
        </>
      )}
    </Resource>
  )
}

const namesOf = ({ by }: Used): string => listed([...new Set(by.map(({ name }) => name))])

const FIELDS = {
  words: ({ address, by }: Used) =>
    `${address} ${by.map(({ name, mac }) => `${name} ${mac ?? ''}`).join(' ')}`,
  keys: { source: ({ by }: Used) => by.map(({ source }) => source) },
  is: { online: ({ online }: Used) => online, shared: ({ by }: Used) => by.length > 1 },
}

const COLUMNS: readonly Column<Used>[] = [
  {
    key: 'address',
    title: 'Address',
    mono: true,
    by: ({ address }) => address,
    cell: ({ address }) => visible(address),
  },
  { key: 'by', title: 'Who has it', by: namesOf, cell: (row) => visible(namesOf(row)) },
  {
    key: 'source',
    title: 'Known by',
    end: true,
    cell: ({ by }) => plain(listed([...new Set(by.map(({ source }) => source))])),
  },
]
