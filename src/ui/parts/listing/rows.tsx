/** The rows of a long list: a table, and on a phone two lines each. */
import { useRef } from 'preact/hooks'
import type { Lamp } from '../../model/lamps.ts'
import type { ListingSort } from '../../model/table/listing.ts'
import { noSlots, slotsOf, type Slots } from '../../model/table/slots.ts'
import { count } from '../../model/words.ts'
import { LampIcon } from '../lamp.tsx'
import { useRowWindow } from '../window.ts'
import type { Column, ListingProps } from './column.ts'
import { CARD_HEIGHT, cardsClass, rowHeight, SortHead, SpacerItem, SpacerRow } from './table-parts.tsx'

interface Props<R> extends Pick<
  ListingProps<R>,
  'rows' | 'idOf' | 'one' | 'many' | 'columns' | 'phone' | 'lampOf' | 'dimmed' | 'onOpen' | 'prefix'
> {
  /** Of the whole list, of which the rows are what fits. */
  readonly size: number
}

export function ListingTable<R>(props: Props<R> & { readonly sort: ListingSort }) {
  const { rows, size, idOf, one, many, columns, sort, dimmed, prefix = '' } = props
  const { ref, window: shown } = useRowWindow(rows.length, rowHeight(), size)
  const drawn = rows.slice(shown.begin, shown.end)
  const slots = useRowSlots(drawn.map(idOf))
  return (
    <table class="grid listing" aria-rowcount={rows.length + 1}>
      <caption class="sr">{count(rows.length, one, many)}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <Head key={column.key} column={column} sort={sort} prefix={prefix} />
          ))}
        </tr>
      </thead>
      <tbody ref={ref}>
        <SpacerRow height={shown.before_px} span={columns.length} />
        {drawn.map((row, at) => (
          <tr
            key={slots.get(idOf(row))}
            data-of={idOf(row)}
            class={dimmed?.(row) === true ? 'dim' : ''}
            data-row={shown.begin + at}
            aria-rowindex={shown.begin + at + 2}
          >
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

/** By id of the row: what it is drawn under. Rows are filled anew while one scrolls, but never that at which the focus is. */
function useRowSlots(ids: readonly string[]): ReadonlyMap<string, number> {
  const slots = useRef<Slots<string>>(noSlots())
  const used = document.activeElement?.closest<HTMLElement>('[data-of]')?.dataset['of']
  slots.current = slotsOf(slots.current, ids, new Set(used === undefined ? [] : [used]))
  return slots.current.of
}

const cellClass = <R,>({ end = false, mono = false, say = false }: Column<R>, index: number): string =>
  [index === 0 ? 'name' : 'q2', end && 'end', mono && 'mono', say && 'say'].filter(Boolean).join(' ')

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
      {lampOf !== undefined && <LampOf lamp={lampOf(row)} {...(onOpen && { onOpen: () => onOpen(row) })} />}
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

interface LampProps {
  readonly lamp: Lamp
  readonly onOpen?: () => void
}

/** The name beside it opens the same, so the keyboard need not stop here. */
const LampOf = ({ lamp, onOpen }: LampProps) =>
  onOpen === undefined ? (
    <LampIcon lamp={lamp} />
  ) : (
    <button type="button" class="lamp-button" tabIndex={-1} onClick={onOpen}>
      <LampIcon lamp={lamp} />
    </button>
  )

/** The name, what stands beside it in at most two lines, and the last column at the right. */
export function ListingCards<R>(props: Props<R>) {
  const { rows, size, idOf, columns, one, many, phone, dimmed } = props
  const { ref, window: shown } = useRowWindow(rows.length, CARD_HEIGHT, size)
  const [, second, ...others] = columns
  const { below, right } = phone ?? { below: second?.cell, right: others.at(-1)?.cell }
  return (
    <ul class={cardsClass(shown)} ref={ref as never} aria-label={count(rows.length, one, many)}>
      <SpacerItem height={shown.before_px} />
      {rows.slice(shown.begin, shown.end).map((row) => (
        <li key={idOf(row)} data-row={idOf(row)} class={dimmed?.(row) === true ? 'card-row dim' : 'card-row'}>
          <Name {...props} row={row} />
          <span class="s q">{right?.(row)}</span>
          <span class={phone === undefined && second?.mono === true ? 's q2 mono' : 's q2 cause'}>
            {below?.(row)}
          </span>
        </li>
      ))}
      <SpacerItem height={shown.after_px} />
    </ul>
  )
}
