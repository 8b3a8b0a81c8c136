/** People as a table or as cards. */
import { personText, standingText, type PersonRow } from '../../model/kept/people.ts'
import { toneOf } from '../../model/kept/tones.ts'
import type { Sort } from '../../model/sort.ts'
import { visible } from '../../model/visible.ts'
import { count } from '../../model/words.ts'
import { CARD_HEIGHT, rowHeight, SortHead, SpacerItem, SpacerRow } from '../../parts/listing/table-parts.tsx'
import { LampButton, openPanel } from '../../parts/listing/side-panel.tsx'
import { Text } from '../../parts/name.tsx'
import { useRowWindow } from '../../parts/window.ts'

interface Props {
  readonly rows: readonly PersonRow[]
  /** Of the whole list, of which the rows are what fits. */
  readonly size: number
  readonly sort: Sort
}

const SPAN = 6

export function PersonTable({ rows, size, sort }: Props) {
  const { ref, window: shown } = useRowWindow(rows.length, rowHeight(), size)
  return (
    <table class="grid wide" aria-rowcount={rows.length + 1}>
      <caption class="sr">{count(rows.length, 'person', 'people')}</caption>
      <thead>
        <tr>
          <SortHead column="lamp" title="State" sort={sort} />
          <SortHead column="name" title="Name" sort={sort} />
          <th>User name</th>
          <SortHead column="mail" title="Mail" sort={sort} />
          <SortHead column="groups" title="Groups" sort={sort} />
          <SortHead column="standing" title="Where they stand" sort={sort} />
        </tr>
      </thead>
      <tbody ref={ref}>
        <SpacerRow height={shown.before_px} span={SPAN} />
        {rows.slice(shown.begin, shown.end).map((row, at) => (
          <tr key={row.key} data-row={shown.begin + at} aria-rowindex={shown.begin + at + 2}>
            <td>
              <LampButton lamp={row.lamp} open={row.key} />
            </td>
            <td class="name">
              <OpenButton row={row} />
            </td>
            <td class="q2">{visible(row.key)}</td>
            <td class="q2">{visible(row.of.email ?? '–')}</td>
            <td class="q2">{groupsText(row)}</td>
            <td class={toneOf(row.lamp)} title={visible(personText(row) ?? '')}>
              {standingText(row.standing)}
              {row.of.origin === 'file' && <span class="q">, of the file</span>}
            </td>
          </tr>
        ))}
        <SpacerRow height={shown.after_px} span={SPAN} />
      </tbody>
    </table>
  )
}

export const groupsText = ({ of: { groups } }: PersonRow): string =>
  groups.length === 0 ? '–' : groups.map(visible).join(', ')

const OpenButton = ({ row: { key, name } }: { readonly row: PersonRow }) => (
  <button type="button" class="linklike" onClick={() => openPanel(key)}>
    <Text of={name} />
  </button>
)

/** Two lines a person. */
export function PersonCards({ rows, size }: Omit<Props, 'sort'>) {
  const { ref, window: shown } = useRowWindow(rows.length, CARD_HEIGHT, size)
  return (
    <ul class="cards phone" ref={ref as never}>
      <SpacerItem height={shown.before_px} />
      {rows.slice(shown.begin, shown.end).map((row) => (
        <li key={row.key} data-row={row.key}>
          <span class="name">
            <OpenButton row={row} />
          </span>
          <span class="lampcell">
            <LampButton lamp={row.lamp} open={row.key} />
          </span>
          <span class="s q2">
            {visible(row.key)} · {groupsText(row)}
          </span>
          <span class={`s end ${toneOf(row.lamp)}`}>{standingText(row.standing)}</span>
        </li>
      ))}
      <SpacerItem height={shown.after_px} />
    </ul>
  )
}
