/** Connected clients that nobody knows; who cannot be decided on is no stranger, and not known either. */
import { useMemo } from 'preact/hooks'
import { refresh, useResource } from '../../api/cache.ts'
import type { RogueCheck } from '../../api/companions/network.ts'
import { parseTimeOr } from '../../model/ages.ts'
import {
  STRANGER_FIELDS,
  STRANGER_STATES,
  strangerLamp,
  strangerRows,
  type Stranger,
} from '../../model/looked-at/strangers.ts'
import { viewsOf } from '../../model/table/listing.ts'
import { visible } from '../../model/visible.ts'
import { number } from '../../model/words.ts'
import { Age, Time } from '../../parts/age.tsx'
import type { Column } from '../../parts/listing/column.ts'
import { FactsDialog } from '../../parts/listing/facts.tsx'
import { Listing } from '../../parts/listing/listing.tsx'
import { NotThere, useOpened } from '../../parts/listing/side-panel.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'

const CHECK = '/companions/network/api/rogue-check'

export function Strangers() {
  const check = useResource<RogueCheck>(CHECK)
  const rows = useMemo(() => strangerRows(check.value), [check.value])
  const open = useOpened()
  const shown = rows.find(({ key }) => key === open.value)
  return (
    <Resource of={check} what="Strangers" retry={() => void refresh(CHECK)}>
      {({ ok, complete, known }) => (
        <>
          {rows.length === 0 ? (
            <Empty
              title={
                ok === true
                  ? `All ${number(known)} connected clients are known.`
                  : 'None was found, and not everything could be seen.'
              }
              mark={ok === true}
            />
          ) : (
            <Listing
              rows={rows}
              isWhole={complete === true}
              idOf={({ key }) => key}
              one="client"
              columns={COLUMNS}
              lampOf={strangerLamp}
              fields={STRANGER_FIELDS}
              hint="name, MAC, address, is:stranger is:random network:LAN"
              views={VIEWS}
              onOpen={({ key }) => {
                open.value = key
              }}
            />
          )}
          <NotThere one="client" of={shown} />
          {shown !== undefined && (
            <Facts
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

const VIEWS = viewsOf(STRANGER_STATES)

const COLUMNS: readonly Column<Stranger>[] = [
  { key: 'name', title: 'Name', by: ({ name }) => name, cell: ({ name }) => visible(name) },
  { key: 'mac', title: 'MAC', mono: true, by: ({ of }) => of.mac, cell: ({ of }) => visible(of.mac) },
  {
    key: 'address',
    title: 'Address',
    mono: true,
    by: ({ of }) => of.address,
    cell: ({ of }) => visible(of.address ?? '–'),
  },
  {
    key: 'network',
    title: 'Network',
    by: ({ of }) => of.network,
    cell: ({ of }) => visible(of.network ?? '–'),
  },
  {
    key: 'vendor',
    title: 'Vendor',
    by: ({ of }) => of.vendor,
    cell: ({ of }) => <span class="s">{visible(of.vendor ?? '–')}</span>,
  },
  {
    key: 'seen',
    title: 'Seen',
    end: true,
    by: ({ of }) => -(parseTimeOr(of.last_seen) ?? 0),
    cell: ({ of }) => <Age at={parseTimeOr(of.last_seen)} />,
  },
]

function Facts({ of: row, onClose }: { readonly of: Stranger; readonly onClose: () => void }) {
  const { mac, address, network, vlan, vendor, randomized, guest, wired, uplink, site, controller } = row.of
  const first = parseTimeOr(row.of.first_seen)
  const last = parseTimeOr(row.of.last_seen)
  return (
    <FactsDialog
      title={row.name}
      lamp={strangerLamp(row)}
      why={
        row.decided
          ? 'No source knows it: neither a guest, nor a device, nor a reserved client.'
          : 'It may be known to a source that could not be read.'
      }
      onClose={onClose}
      facts={[
        ['Address', address],
        ['MAC', randomized ? `${mac}, made up by the device` : mac],
        ['Network', vlan === null ? network : `${network ?? ''} VLAN ${vlan}`],
        ['By', wired === null ? null : wired ? 'cable' : 'Wi-Fi'],
        [
          'At',
          uplink === null
            ? null
            : [uplink.name ?? uplink.mac, uplink.port].filter((one) => one !== null).join(' port '),
        ],
        ['Vendor', vendor],
        ['Guest', guest ? 'yes' : null],
        ['Site', `${site} at ${controller}`],
        ['First seen', first === null ? null : <Time at={first} ago />],
        ['Seen', last === null ? null : <Time at={last} ago />],
      ]}
    />
  )
}
