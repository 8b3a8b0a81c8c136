/** The rows of a long list: a table, and on a phone two lines each. */
import type { ListingSort } from '../../model/table/listing.ts'
import { count } from '../../model/words.ts'
import { LampIcon } from '../lamp.tsx'
import { useRowWindow } from '../window.ts'
import type { Column, ListingProps } from './column.ts'
import { SortHead, SpacerItem, SpacerRow } from './table-parts.tsx'

const HEIGHT = 35
const CARD_HEIGHT = 66

interface Props<R> extends Pick<
  ListingProps<R>,
  'rows' | 'idOf' | 'one' | 'columns' | 'lampOf' | 'onOpen' | 'prefix'
> {
  /** Of the whole list, of which the rows are what fits. */
  readonly size: number
}

export function ListingTable<R>(props: Props<R> & { readonly sort: ListingSort }) {
  const { rows, size, idOf, one, columns, sort, prefix = '' } = props
  const { ref, window: shown } = useRowWindow(rows.length, HEIGHT, size)
  return (
    <table class="grid listing" aria-rowcount={rows.length + 1}>
      <caption class="sr">{count(rows.length, one)}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <Head key={column.key} column={column} sort={sort} prefix={prefix} />
          ))}
        </tr>
      </thead>
      <tbody ref={ref}>
        <SpacerRow height={shown.before_px} span={columns.length} />
        {rows.slice(shown.begin, shown.end).map((row, at) => (
          <tr key={idOf(row)} data-row={shown.begin + at} aria-rowindex={shown.begin + at + 2}>
            {columns.map((column, index) => (
              <td key={column.key} class={cellClass(column, index)}>
                {index === 0 ? <Name {...props} row={row} /> : column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
        <SpacerRow height={shown.after_px} span={columns.length} />
      </tbody>
    </table>
  )
}

const cellClass = <R,>({ end = false, mono = false }: Column<R>, index: number): string =>
  [index === 0 ? 'name' : 'q2', end && 'end', mono && 'mono'].filter(Boolean).join(' ')

interface HeadProps<R> {
  readonly column: Column<R>
  readonly sort: ListingSort
  readonly prefix: string
}

const Head = <R,>({ column: { key, title, by, end = false }, sort, prefix }: HeadProps<R>) =>
  by === undefined ? (
    <th class={end ? 'end' : ''}>{title}</th>
  ) : (
    <SortHead
      column={key}
      title={title}
      sort={{ column: sort.key, down: sort.down }}
      end={end}
      word={`${prefix}sort`}
    />
  )

/** The lamp, and the name as what opens the rest. */
function Name<R>({ row, columns, lampOf, onOpen }: Omit<Props<R>, 'size'> & { readonly row: R }) {
  const [first] = columns
  return (
    <span class="named">
      {lampOf !== undefined && <LampIcon lamp={lampOf(row)} />}
      {onOpen === undefined ? (
        first!.cell(row)
      ) : (
        <button type="button" class="row-open" onClick={() => onOpen(row)}>
          {first!.cell(row)}
        </button>
      )}
    </span>
  )
}

/** The name, what stands beside it, and the last column at the right. */
export function ListingCards<R>(props: Props<R>) {
  const { rows, size, idOf, columns, one } = props
  const { ref, window: shown } = useRowWindow(rows.length, CARD_HEIGHT, size)
  const [, second, ...others] = columns
  const last = others.at(-1)
  return (
    <ul class="cards" ref={ref as never} aria-label={count(rows.length, one)}>
      <SpacerItem height={shown.before_px} />
      {rows.slice(shown.begin, shown.end).map((row) => (
        <li key={idOf(row)} data-row={idOf(row)} class="card-row">
          <Name {...props} row={row} />
          <span class="s q">{last?.cell(row)}</span>
          <span class={second?.mono === true ? 's q2 mono' : 's q2'}>{second?.cell(row)}</span>
        </li>
      ))}
      <SpacerItem height={shown.after_px} />
    </ul>
  )
}
