/** The table of domains: order by column, ticks, five lamps; only rows in sight are drawn once there are many. */
import { setQuery } from '../../address.ts'
import type { DomainRow } from '../../model/domain-rows.ts'
import { LAMP_LETTERS, LAMP_NAMES, LAMPS } from '../../model/lamps.ts'
import { nextSort, sortText, type Sort } from '../../model/sort.ts'
import { visible } from '../../model/visible.ts'
import { count } from '../../model/words.ts'
import { Time } from '../../parts/age.tsx'
import { Icon } from '../../parts/icons.tsx'
import { density } from '../../parts/look.ts'
import { DomainLink } from '../../parts/name.tsx'
import { useRowWindow } from '../../parts/window.ts'
import { choose, chosen, toggle } from './choice.ts'
import { LampsCell } from './lamps-cell.tsx'

interface Props {
  readonly rows: readonly DomainRow[]
  readonly sort: Sort
}

const HEIGHTS = { roomy: 35, tight: 29 } as const

export function DomainTable({ rows, sort }: Props) {
  const { ref, window: shown } = useRowWindow(rows.length, HEIGHTS[density.value])
  const all = rows.length > 0 && rows.every(({ id }) => chosen.value.has(id))
  return (
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
          <Head column="target" title="Target" sort={sort} />
          <Head column="kind" title="Kind" sort={sort} />
          <th {...sorting(sort, 'lamps')}>
            <button type="button" onClick={() => setQuery({ sort: sortText(nextSort(sort, 'lamps')) })}>
              <span class="letters">
                {LAMPS.map((name) => (
                  <abbr key={name} title={LAMP_NAMES[name]}>
                    {LAMP_LETTERS[name]}
                  </abbr>
                ))}
              </span>
            </button>
          </th>
          <Head column="access" title="Who gets in" sort={sort} />
          <th>Tags</th>
          <Head column="saved" title="Saved" sort={sort} end />
        </tr>
      </thead>
      <tbody ref={ref}>
        <Spacer height={shown.before_px} />
        {rows.slice(shown.begin, shown.end).map((row, at) => (
          <Row key={row.id} row={row} index={shown.begin + at} />
        ))}
        <Spacer height={shown.after_px} />
      </tbody>
    </table>
  )
}

const sorting = (sort: Sort, column: string) =>
  sort.column === column ? ({ 'aria-sort': sort.down ? 'descending' : 'ascending' } as const) : {}

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

const Spacer = ({ height }: { readonly height: number }) =>
  height === 0 ? null : (
    <tr aria-hidden="true" class="spacer">
      <td colSpan={8} style={{ height: `${height}px` }} />
    </tr>
  )

function Row({ row, index }: { readonly row: DomainRow; readonly index: number }) {
  const on = chosen.value.has(row.id)
  return (
    <tr class={on ? 'on' : ''} data-row={index} aria-rowindex={index + 2}>
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
        <DomainLink name={row.domain} /> <StatusTag row={row} />
      </td>
      <td class="mono q2">{visible(row.target)}</td>
      <td class="q2">{row.kind}</td>
      <td>
        <LampsCell row={row} />
      </td>
      <td class="q2">{row.access}</td>
      <td class="s q2">{visible(row.tags.join(' '))}</td>
      <td class="s q end">
        <Time at={row.updated_at} />
      </td>
    </tr>
  )
}

export const StatusTag = ({ row: { status } }: { readonly row: DomainRow }) =>
  status === 'active' ? null : <span class={status === 'error' ? 'tag bad' : 'tag off'}>{status}</span>

/** Two lines a row, lamps at the right. */
export function DomainCards({ rows }: { readonly rows: readonly DomainRow[] }) {
  const { ref, window: shown } = useRowWindow(rows.length, 58)
  return (
    <ul class="cards phone" ref={ref as never}>
      {shown.before_px > 0 && <li aria-hidden="true" style={{ height: `${shown.before_px}px` }} />}
      {rows.slice(shown.begin, shown.end).map((row) => (
        <li key={row.id} class={chosen.value.has(row.id) ? 'on' : ''}>
          <span>
            <DomainLink name={row.domain} /> <StatusTag row={row} />
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
