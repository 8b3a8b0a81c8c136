/** What the list of records shows of each: what is somebody else's bears a lock. */
import { rankOf, recordText, stateText, type RecordRow } from '../../model/kept/records.ts'
import { toneOf } from '../../model/kept/tones.ts'
import { weightOf } from '../../model/lamps.ts'
import { visible } from '../../model/visible.ts'
import { fieldValue } from '../../model/words.ts'
import { Icon } from '../../parts/icons.tsx'
import type { Column } from '../../parts/listing/column.ts'
import { DomainName } from '../../parts/name.tsx'

export const COLUMNS: readonly Column<RecordRow>[] = [
  {
    key: 'name',
    title: 'Name',
    by: ({ of }) => of.name,
    cell: ({ of }) => (
      <>
        <DomainName name={of.name} />
        <span class="sr">, {of.type}</span>
      </>
    ),
  },
  { key: 'type', title: 'Type', by: ({ of }) => of.type, cell: ({ of }) => of.type },
  {
    key: 'value',
    title: 'Value',
    mono: true,
    by: ({ value }) => value,
    cell: ({ value }) => <span title={visible(value)}>{value === '' ? '–' : visible(value)}</span>,
  },
  { key: 'ttl', title: 'TTL', end: true, by: ({ of }) => of.ttl ?? 0, cell: ({ of }) => ttlText(of.ttl) },
  {
    key: 'whose',
    title: 'Whose',
    by: rankOf,
    cell: (row) => (
      <span class={toneOf(row.lamp)}>
        {row.whose === 'others' && <Lock />}
        {stateText(row.of.state)}
      </span>
    ),
  },
  {
    key: 'lamp',
    title: 'Why',
    say: true,
    by: ({ lamp }) => -weightOf(lamp),
    cell: (row) => {
      const text = visible(recordText(row) ?? '')
      return <span title={text}>{text}</span>
    },
  },
]

/** Two lines a record. */
export const PHONE = {
  below: ({ of, value }: RecordRow) => <span class="mono">{`${of.type} ${visible(value)}`}</span>,
  right: ({ of, lamp }: RecordRow) => <span class={toneOf(lamp)}>{stateText(of.state)}</span>,
}

export const ttlText = (ttl: number | null): string =>
  ttl === null ? 'automatic' : fieldValue('dns_ttl', ttl)

const Lock = () => (
  <span class="inl">
    <Icon name="access" size={13} />
  </span>
)
