/** The list of certificates: one row of one height each; only rows in sight are drawn once there are many. */
import { now } from '../../api/clock.ts'
import {
  endText,
  fromText,
  nextText,
  shareOfScale,
  wrongText,
  type CertificateRow,
} from '../../model/kept/certificates.ts'
import { toneOf } from '../../model/kept/tones.ts'
import type { Sort } from '../../model/sort.ts'
import { visible } from '../../model/visible.ts'
import { count, number } from '../../model/words.ts'
import { CARD_HEIGHT, rowHeight, SortHead, SpacerItem, SpacerRow } from '../../parts/listing/table-parts.tsx'
import { LampButton, openPanel } from '../../parts/listing/side-panel.tsx'
import { DomainName } from '../../parts/name.tsx'
import { useRowWindow } from '../../parts/window.ts'

interface Props {
  readonly rows: readonly CertificateRow[]
  /** Of the whole list, of which the rows are what fits. */
  readonly size: number
  readonly sort: Sort
}

const SPAN = 6

export function CertificateTable({ rows, size, sort }: Props) {
  const { ref, window: shown } = useRowWindow(rows.length, rowHeight(), size)
  return (
    <table class="grid wide" aria-rowcount={rows.length + 1}>
      <caption class="sr">{count(rows.length, 'certificate')}</caption>
      <thead>
        <tr>
          <SortHead column="lamp" title="State" sort={sort} />
          <SortHead column="name" title="Name" sort={sort} />
          <SortHead column="from" title="Kept by" sort={sort} />
          <SortHead column="end" title="Ends" sort={sort} />
          <SortHead column="domains" title="Domains" sort={sort} end />
          <th>What comes next</th>
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
            <td class="q2">{visible(fromText(row.of))}</td>
            <td>
              <Life row={row} />
            </td>
            <td class="q2 end">{number(row.of.domains.length)}</td>
            <td class={`say ${toneOf(row.lamp)}`}>{visible(wrongText(row) ?? nextText(row, now.value))}</td>
          </tr>
        ))}
        <SpacerRow height={shown.after_px} span={SPAN} />
      </tbody>
    </table>
  )
}

const OpenButton = ({ row: { key, name } }: { readonly row: CertificateRow }) => (
  <button type="button" class="linklike" onClick={() => openPanel(key)}>
    <DomainName name={name} />
  </button>
)

/** How much of the next 90 days it lasts, and for how long. */
export function Life({ row: { ends_at } }: { readonly row: CertificateRow }) {
  const left = shareOfScale(ends_at, now.value)
  return (
    <span class="life">
      <svg width="56" height="6" aria-hidden="true">
        <rect width="56" height="6" rx="3" fill="var(--line)" />
        {left !== null && <rect width={Math.round(left * 56)} height="6" rx="3" fill="currentColor" />}
      </svg>
      {endText(ends_at, now.value)}
    </span>
  )
}

/** Two lines a certificate. */
export function CertificateCards({ rows, size }: Omit<Props, 'sort'>) {
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
          <span class={`s ${toneOf(row.lamp)}`}>{visible(wrongText(row) ?? nextText(row, now.value))}</span>
          <span class="s q end">{endText(row.ends_at, now.value)}</span>
        </li>
      ))}
      <SpacerItem height={shown.after_px} />
    </ul>
  )
}
