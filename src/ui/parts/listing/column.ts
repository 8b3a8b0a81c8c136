/** What a long list is told of its rows: columns, lamps, what they are filtered by. */
import type { ComponentChildren } from 'preact'
import type { Lamp } from '../../model/lamps.ts'
import type { ListingFields, ListingView, OrderValue } from '../../model/table/listing.ts'

export interface Column<R> {
  readonly key: string
  readonly title: string
  readonly cell: (row: R) => ComponentChildren
  /** What it is ordered by; without it, by nothing. */
  readonly by?: (row: R) => OrderValue
  readonly end?: boolean
  readonly mono?: boolean
  /** Takes the room that the others leave, and is cut there. */
  readonly say?: boolean
}

export interface ListingProps<R> {
  readonly rows: readonly R[]
  readonly idOf: (row: R) => string
  /** What a row is called: "client". */
  readonly one: string
  /** And more of them, where it is not that with an s. */
  readonly many?: string
  /** The first is its name; on a phone the second stands below it, and the last at the right, unless `phone` says else. */
  readonly columns: readonly Column<R>[]
  readonly phone?: Readonly<Record<'below' | 'right', (row: R) => ComponentChildren>>
  /** The column that it is ordered by unless the address says; without it, the first. */
  readonly first?: string
  readonly lampOf?: (row: R) => Lamp
  /** What is there and not ours. */
  readonly dimmed?: (row: R) => boolean
  readonly fields: ListingFields<R>
  /** Null: it is filtered elsewhere on the page. */
  readonly hint: string | null
  readonly views?: readonly ListingView[]
  readonly onOpen?: (row: R) => void
  /** False where rows may be missing: no view of it reads 0 then. */
  readonly isWhole?: boolean
  /** Before its words in the address, where a page has two lists. */
  readonly prefix?: string
}
