/** The table of domains: order by column, ticks, five lamps; only rows in sight are drawn once there are many. */
import { Fragment, type ComponentChildren } from 'preact'
import { setQuery } from '../../address.ts'
import { COLUMNS, type Column } from '../../model/table/columns.ts'
import type { DomainRow } from '../../model/domain-rows.ts'
import { LAMP_LETTERS, LAMP_NAMES, LAMPS } from '../../model/lamps.ts'
import { nextSort, sortText, type Sort } from '../../model/sort.ts'
import { visible } from '../../model/visible.ts'
import { count, fieldValue, number } from '../../model/words.ts'
import { Time } from '../../parts/age.tsx'
import { Icon } from '../../parts/icons.tsx'
import { density } from '../../parts/look.ts'
import { DomainLink } from '../../parts/name.tsx'
import { ReadName } from '../../parts/text/read-name.tsx'
import { useRowWindow } from '../../parts/window.ts'
import { choose, chosen, toggle } from './choice.ts'
import { LampsCell } from './lamps-cell.tsx'
import { useSlots } from './slots.ts'

interface Props {
  readonly rows: readonly DomainRow[]
  /** Of all domains, of which the rows are what fits. */
  readonly size: number
  /** Those that would stand elsewhere by now. */
  readonly moved: ReadonlySet<number>
  readonly columns: readonly Column[]
  readonly sort: Sort
}

/** Of a card in pixels, as the sheet has it. */
const CARD_HEIGHT = 68
const HEIGHTS = { roomy: 35, tight: 29 } as const

export function DomainTable({ rows, size, moved, columns, sort }: Props) {
  const { ref, window: shown } = useRowWindow(rows.length, HEIGHTS[density.value], size)
  const drawn = rows.slice(shown.begin, shown.end)
  const slots = useSlots(drawn)
  const all = rows.length > 0 && rows.every(({ id }) => chosen.value.has(id))
  const table = (
    <table class="grid wide" aria-rowcount={rows.length + 1}>
      <caption class="sr">{count(rows.length, 'domain')}</caption>
      <thead>
        <tr>
          <th>
            <input
              class="tick"
              type="checkbox"
              aria-label={`Choose all ${rows.length}`}
              checked={all}
              onChange={() =>
                choose(
                  rows.map(({ id }) => id),
                  !all,
                )
              }
            />
          </th>
          <Head column="name" title="Name" sort={sort} />
          {columns.map((column) => (
            <HeadOf key={column} column={column} sort={sort} />
          ))}
        </tr>
      </thead>
      <tbody ref={ref}>
        <Spacer height={shown.before_px} span={columns.length + 2} />
        {drawn.map((row, at) => (
          <Row
            key={slots.get(row.id)}
            row={row}
            index={shown.begin + at}
            columns={columns}
            moved={moved.has(row.id)}
          />
        ))}
        <Spacer height={shown.after_px} span={columns.length + 2} />
      </tbody>
    </table>
  )
  return columns.length > MAX_FITTING ? <div class="many-columns">{table}</div> : table
}

const MAX_FITTING = 7

const sorting = (sort: Sort, column: string) =>
  sort.column === column ? ({ 'aria-sort': sort.down ? 'descending' : 'ascending' } as const) : {}

/** Columns that the table cannot be ordered by have a plain head. */
function HeadOf({ column, sort }: { readonly column: Column; readonly sort: Sort }) {
  const title = TITLES.get(column)!
  if (column === 'lamps') return <LampsHead sort={sort} />
  if (!SORTED.has(column)) return <th>{title}</th>
  return <Head column={column} title={title} sort={sort} end={column === 'saved'} />
}

const TITLES = new Map<Column, string>(COLUMNS)
const SORTED = new Set<Column>(['target', 'kind', 'access', 'env', 'cert', 'saved'])

const LampsHead = ({ sort }: { readonly sort: Sort }) => (
  <th {...sorting(sort, 'lamps')}>
    <button
      type="button"
      title={`${LAMPS.map((name) => `${LAMP_LETTERS[name]} ${LAMP_NAMES[name]}`).join(', ')}. Press to order by the worst.`}
      onClick={() => setQuery({ sort: sortText(nextSort(sort, 'lamps')) })}
    >
      <span class="sr">Lamps </span>
      <span class="letters">
        {LAMPS.map((name) => (
          <abbr key={name} title={LAMP_NAMES[name]}>
            {LAMP_LETTERS[name]}
          </abbr>
        ))}
      </span>
    </button>
  </th>
)

interface HeadProps {
  readonly column: string
  readonly title: string
  readonly sort: Sort
  readonly end?: boolean
}

function Head({ column, title, sort, end = false }: HeadProps) {
  const own = sort.column === column
  return (
    <th class={end ? 'end' : ''} {...sorting(sort, column)}>
      <button type="button" onClick={() => setQuery({ sort: sortText(nextSort(sort, column)) })}>
        {title}
        {own && (
          <span class={sort.down ? 'turn' : ''}>
            <Icon name="up" size={10} />
          </span>
        )}
      </button>
    </th>
  )
}

const Spacer = ({ height, span }: { readonly height: number; readonly span: number }) =>
  height === 0 ? null : (
    <tr aria-hidden="true" class="spacer">
      <td colSpan={span} style={{ height: `${height}px` }} />
    </tr>
  )

interface RowProps {
  readonly row: DomainRow
  readonly index: number
  readonly columns: readonly Column[]
  readonly moved: boolean
}

/** What a row shows in each column. */
const CELLS: Readonly<Record<Column, (row: DomainRow) => ComponentChildren>> = {
  target: (row) => <td class="mono q2">{visible(row.target)}</td>,
  kind: (row) => <td class="q2">{row.kind}</td>,
  lamps: (row) => (
    <td>
      <LampsCell row={row} />
    </td>
  ),
  access: (row) => <td class="q2">{row.access}</td>,
  tags: (row) => <td class="s q2">{visible(row.tags.join(' '))}</td>,
  env: (row) => <td class="q2">{row.environment}</td>,
  ttl: ({ record }) => <td class="q2">{fieldValue('dns_ttl', record.dns_ttl)}</td>,
  address: ({ record }) => <td class="mono q2">{visible(fieldValue('static_ip', record.static_ip))}</td>,
  note: (row) => <td class="s q2 short">{visible(row.note)}</td>,
  cert: ({ certificate_days: days }) => (
    <td class={days === null ? 'q' : days < SOON_DAYS ? 'c-bad' : 'q2'}>
      {days === null ? '–' : days < 0 ? 'expired' : `${number(days)} d`}
    </td>
  ),
  saved: (row) => (
    <td class="s q end">
      <Time at={row.updated_at} />
    </td>
  ),
}

const SOON_DAYS = 14

function Row({ row, index, columns, moved }: RowProps) {
  const on = chosen.value.has(row.id)
  return (
    <tr
      class={[on && 'on', moved && 'would'].filter(Boolean).join(' ')}
      data-row={index}
      data-id={row.id}
      aria-rowindex={index + 2}
    >
      <td>
        <input
          class="tick"
          type="checkbox"
          aria-label={`Choose ${visible(row.domain)}`}
          checked={on}
          onChange={() => toggle(row.id)}
        />
      </td>
      <td class="name">
        <DomainLink name={row.domain} />
        <ReadName of={row} /> <StatusTag row={row} />
      </td>
      {columns.map((column) => (
        <Fragment key={column}>{CELLS[column](row)}</Fragment>
      ))}
    </tr>
  )
}

export const StatusTag = ({ row: { status } }: { readonly row: DomainRow }) =>
  status === 'active' ? null : <span class={status === 'error' ? 'tag bad' : 'tag off'}>{status}</span>

/** Two lines a row, lamps at the right. */
export function DomainCards({ rows, size, moved }: Pick<Props, 'rows' | 'size' | 'moved'>) {
  const { ref, window: shown } = useRowWindow(rows.length, CARD_HEIGHT, size)
  const drawn = rows.slice(shown.begin, shown.end)
  const slots = useSlots(drawn)
  return (
    <ul class="cards phone domain-cards" ref={ref as never}>
      {shown.before_px > 0 && <li aria-hidden="true" style={{ height: `${shown.before_px}px` }} />}
      {drawn.map((row) => (
        <li
          key={slots.get(row.id)}
          data-id={row.id}
          class={[chosen.value.has(row.id) && 'on', moved.has(row.id) && 'would'].filter(Boolean).join(' ')}
        >
          <span>
            <DomainLink name={row.domain} /> <StatusTag row={row} />
            <ReadName of={row} />
          </span>
          <LampsCell row={row} />
          <span class="s q mono">{visible(row.target)}</span>
          <label class="s q end">
            <Time at={row.updated_at} />{' '}
            <input
              type="checkbox"
              class="tick inl"
              aria-label={`Choose ${visible(row.domain)}`}
              checked={chosen.value.has(row.id)}
              onChange={() => toggle(row.id)}
            />
          </label>
        </li>
      ))}
      {shown.after_px > 0 && <li aria-hidden="true" style={{ height: `${shown.after_px}px` }} />}
    </ul>
  )
}
