/** The records as a table or as cards: what is somebody else's is dimmed and bears a lock. */
import { recordText, stateText, type RecordRow } from '../../model/kept/records.ts'
import { toneOf } from '../../model/kept/tones.ts'
import type { Sort } from '../../model/sort.ts'
import { visible } from '../../model/visible.ts'
import { count, fieldValue } from '../../model/words.ts'
import { Icon } from '../../parts/icons.tsx'
import { CARD_HEIGHT, rowHeight, SortHead, SpacerItem, SpacerRow } from '../../parts/listing/table-parts.tsx'
import { LampButton, openPanel } from '../../parts/listing/side-panel.tsx'
import { DomainName } from '../../parts/name.tsx'
import { useRowWindow } from '../../parts/window.ts'

interface Props {
  readonly rows: readonly RecordRow[]
  /** Of the whole list, of which the rows are what fits. */
  readonly size: number
  readonly sort: Sort
}

const SPAN = 6

export function RecordTable({ rows, size, sort }: Props) {
  const { ref, window: shown } = useRowWindow(rows.length, rowHeight(), size)
  return (
    <table class="grid wide" aria-rowcount={rows.length + 1}>
      <caption class="sr">{count(rows.length, 'record')}</caption>
      <thead>
        <tr>
          <SortHead column="lamp" title="State" sort={sort} />
          <SortHead column="name" title="Name" sort={sort} />
          <th>Type</th>
          <SortHead column="value" title="Value" sort={sort} />
          <SortHead column="ttl" title="TTL" sort={sort} end />
          <SortHead column="whose" title="Whose" sort={sort} />
        </tr>
      </thead>
      <tbody ref={ref}>
        <SpacerRow height={shown.before_px} span={SPAN} />
        {rows.slice(shown.begin, shown.end).map((row, at) => (
          <tr
            key={row.key}
            class={row.whose === 'others' ? 'dim' : ''}
            data-row={shown.begin + at}
            aria-rowindex={shown.begin + at + 2}
          >
            <td>
              <LampButton lamp={row.lamp} open={row.key} />
            </td>
            <td class="name">
              <OpenButton row={row} />
            </td>
            <td class="q2">{row.of.type}</td>
            <td class="mono q2" title={visible(row.value)}>
              {row.value === '' ? '–' : visible(row.value)}
            </td>
            <td class="q2 end">{ttlText(row.of.ttl)}</td>
            <td class={toneOf(row.lamp)} title={visible(recordText(row) ?? '')}>
              {row.whose === 'others' && <Lock />}
              {stateText(row.of.state)}
            </td>
          </tr>
        ))}
        <SpacerRow height={shown.after_px} span={SPAN} />
      </tbody>
    </table>
  )
}

export const ttlText = (ttl: number | null): string =>
  ttl === null ? 'automatic' : fieldValue('dns_ttl', ttl)

const Lock = () => (
  <span class="inl">
    <Icon name="access" size={13} />
  </span>
)

const OpenButton = ({ row: { key, of: one } }: { readonly row: RecordRow }) => (
  <button type="button" class="linklike" onClick={() => openPanel(key)}>
    <DomainName name={one.name} />
    <span class="sr">, {one.type}</span>
  </button>
)

/** Two lines a record. */
export function RecordCards({ rows, size }: Omit<Props, 'sort'>) {
  const { ref, window: shown } = useRowWindow(rows.length, CARD_HEIGHT, size)
  return (
    <ul class="cards phone" ref={ref as never}>
      <SpacerItem height={shown.before_px} />
      {rows.slice(shown.begin, shown.end).map((row) => (
        <li key={row.key} data-row={row.key} class={row.whose === 'others' ? 'dim' : ''}>
          <span class="name">
            <OpenButton row={row} />
          </span>
          <span class="lampcell">
            <LampButton lamp={row.lamp} open={row.key} />
          </span>
          <span class="s q2 mono">
            {row.of.type} {visible(row.value)}
          </span>
          <span class={`s end ${toneOf(row.lamp)}`}>{stateText(row.of.state)}</span>
        </li>
      ))}
      <SpacerItem height={shown.after_px} />
    </ul>
  )
}
