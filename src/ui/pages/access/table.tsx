/** Who opens what, one row each: as a table, and as cards where there is little room. */
import { useMemo } from 'preact/hooks'
import { queryOf } from '../../address.ts'
import {
  ACCESS_ORDER,
  canOpenText,
  exceptionTexts,
  policyOf,
  type AccessRow,
} from '../../model/kept/access.ts'
import { inOrder, parseOrder } from '../../model/kept/order.ts'
import { visible } from '../../model/visible.ts'
import { count } from '../../model/words.ts'
import { LampIcon } from '../../parts/lamp.tsx'
import { CARD_HEIGHT, rowHeight, SortHead, SpacerItem, SpacerRow } from '../../parts/listing/table-parts.tsx'
import { narrow } from '../../parts/look.ts'
import { DomainLink } from '../../parts/name.tsx'
import { useRowWindow } from '../../parts/window.ts'

interface Props {
  readonly rows: readonly AccessRow[]
  readonly title: string
  /** Of anybody: who, and that they open it, is what the title says. */
  readonly of_anybody?: boolean
}

const SPAN = 6

export function AccessTable({ rows, title, of_anybody = false }: Props) {
  const sort = parseOrder(queryOf('sort'), ACCESS_ORDER)
  const ordered = useMemo(
    () => inOrder(rows, ACCESS_ORDER, sort),
    [rows, `${sort.column} ${String(sort.down)}`],
  )
  const { ref, window: shown } = useRowWindow(ordered.length, rowHeight())
  if (narrow.value) return <AccessCards rows={ordered} />
  return (
    <table class="grid wide" aria-rowcount={ordered.length + 1}>
      <caption class="sr">
        {title}: {count(ordered.length, 'row')}
      </caption>
      <thead>
        <tr>
          <SortHead column="lamp" title="State" sort={sort} />
          <SortHead column="name" title="Domain" sort={sort} />
          {!of_anybody && <SortHead column="who" title="Who" sort={sort} />}
          {!of_anybody && <th>Opens it</th>}
          <SortHead column="policy" title="By" sort={sort} />
          <th>In words</th>
        </tr>
      </thead>
      <tbody ref={ref}>
        <SpacerRow height={shown.before_px} span={SPAN} />
        {ordered.slice(shown.begin, shown.end).map((row, at) => (
          <tr key={row.key} data-row={shown.begin + at} aria-rowindex={shown.begin + at + 2}>
            <td>
              <LampIcon lamp={row.lamp} plain />
            </td>
            <td class="name">
              <DomainLink name={row.of.domain} />
            </td>
            {!of_anybody && <td class="q2">{visible(row.who)}</td>}
            {!of_anybody && <td>{canOpenText(row.of)}</td>}
            <td class="q2">{policyOf(row)}</td>
            <td class="say q2" title={visible(wordsOf(row))}>
              {visible(wordsOf(row))}
            </td>
          </tr>
        ))}
        <SpacerRow height={shown.after_px} span={SPAN} />
      </tbody>
    </table>
  )
}

const wordsOf = ({ of }: AccessRow): string =>
  [of.detail, ...exceptionTexts(of).map((text) => `Before it: ${text}.`)].join(' ')

function AccessCards({ rows }: Pick<Props, 'rows'>) {
  const { ref, window: shown } = useRowWindow(rows.length, CARD_HEIGHT)
  return (
    <ul class="cards phone" ref={ref as never}>
      <SpacerItem height={shown.before_px} />
      {rows.slice(shown.begin, shown.end).map((row) => (
        <li key={row.key} data-row={row.key}>
          <span>
            <DomainLink name={row.of.domain} />
          </span>
          <span class="lampcell">
            <LampIcon lamp={row.lamp} plain />
          </span>
          <span class="s q2">{visible(`${row.who}: ${row.of.detail}`)}</span>
          <span class="s end q2">{canOpenText(row.of)}</span>
        </li>
      ))}
      <SpacerItem height={shown.after_px} />
    </ul>
  )
}
