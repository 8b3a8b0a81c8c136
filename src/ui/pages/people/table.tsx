/** What the list of people shows of each. */
import { personText, standingOfRow, standingText, type PersonRow } from '../../model/kept/people.ts'
import { toneOf } from '../../model/kept/tones.ts'
import { weightOf } from '../../model/lamps.ts'
import { visible } from '../../model/visible.ts'
import type { Column } from '../../parts/listing/column.ts'
import { Text } from '../../parts/name.tsx'

export const groupsText = ({ of: { groups } }: PersonRow): string =>
  groups.length === 0 ? '–' : groups.map(visible).join(', ')

export const COLUMNS: readonly Column<PersonRow>[] = [
  { key: 'name', title: 'Name', by: ({ name }) => name, cell: ({ name }) => <Text of={name} /> },
  { key: 'user', title: 'User name', by: ({ key }) => key, cell: ({ key }) => visible(key) },
  { key: 'mail', title: 'Mail', by: ({ of }) => of.email, cell: ({ of }) => visible(of.email ?? '–') },
  {
    key: 'groups',
    title: 'Groups',
    by: ({ of }) => (of.groups.length === 0 ? null : of.groups.join(', ')),
    cell: (row) => <span title={groupsText(row)}>{groupsText(row)}</span>,
  },
  {
    key: 'standing',
    title: 'Where they stand',
    by: ({ standing }) => standingText(standing),
    cell: (row) => (
      <span class={toneOf(row.lamp)}>
        {standingOfRow(row)}
        {row.of.origin === 'file' && <span class="q">, of the file</span>}
      </span>
    ),
  },
  {
    key: 'lamp',
    title: 'Why',
    say: true,
    by: ({ lamp }) => -weightOf(lamp),
    cell: (row) => {
      const text = visible(personText(row) ?? '')
      return <span title={text}>{text}</span>
    },
  },
]

/** Two lines a person. */
export const PHONE = {
  below: (row: PersonRow) => `${visible(row.key)} · ${groupsText(row)}`,
  right: (row: PersonRow) => <span class={toneOf(row.lamp)}>{standingOfRow(row)}</span>,
}
