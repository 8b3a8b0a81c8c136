/** What the list of certificates shows of each. */
import { now } from '../../api/clock.ts'
import {
  endOf,
  endText,
  fromText,
  rowText,
  shareOfScale,
  type CertificateRow,
} from '../../model/kept/certificates.ts'
import { toneOf } from '../../model/kept/tones.ts'
import { weightOf } from '../../model/lamps.ts'
import { proseText } from '../../model/text/prose.ts'
import { visible } from '../../model/visible.ts'
import { number } from '../../model/words.ts'
import type { Column } from '../../parts/listing/column.ts'
import { DomainName } from '../../parts/name.tsx'

export const COLUMNS: readonly Column<CertificateRow>[] = [
  { key: 'name', title: 'Name', by: ({ name }) => name, cell: ({ name }) => <DomainName name={name} /> },
  {
    key: 'from',
    title: 'Kept by',
    by: ({ of }) => fromText(of),
    cell: ({ of }) => visible(fromText(of)),
  },
  { key: 'end', title: 'Ends', by: endOf, cell: (row) => <Life row={row} /> },
  {
    key: 'domains',
    title: 'Domains',
    end: true,
    by: ({ of }) => -of.domains.length,
    cell: ({ of }) => number(of.domains.length),
  },
  {
    key: 'lamp',
    title: 'What comes next',
    say: true,
    by: ({ lamp }) => -weightOf(lamp),
    cell: (row) => <Next row={row} />,
  },
]

/** Two lines a certificate. */
export const PHONE = {
  below: (row: CertificateRow) => <Next row={row} />,
  right: ({ ends_at }: CertificateRow) => endText(ends_at, now.value),
}

/** What is wrong with it, else what happens by itself. */
function Next({ row }: { readonly row: CertificateRow }) {
  const text = proseText(visible(rowText(row, now.value)), now.value)
  return (
    <span class={toneOf(row.lamp)} title={text}>
      {text}
    </span>
  )
}

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
