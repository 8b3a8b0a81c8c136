/** What a long list is told of its rows: columns, lamps, what they are filtered by. */
import type { ComponentChildren } from 'preact'
import type { Lamp } from '../../model/lamps.ts'
import type { ListingFields, OrderValue } from '../../model/table/listing.ts'

export interface Column<R> {
  readonly key: string
  readonly title: string
  readonly cell: (row: R) => ComponentChildren
  /** What it is ordered by; without it, by nothing. */
  readonly by?: (row: R) => OrderValue
  readonly end?: boolean
  readonly mono?: boolean
}

interface ListingView {
  readonly name: string
  readonly query: string
}

export interface ListingProps<R> {
  readonly rows: readonly R[]
  readonly idOf: (row: R) => string
  /** What a row is called: "client". */
  readonly one: string
  /** The first is its name; on a phone the second stands below it, and the last at the right. */
  readonly columns: readonly Column<R>[]
  readonly lampOf?: (row: R) => Lamp
  readonly fields: ListingFields<R>
  readonly hint: string
  readonly views?: readonly ListingView[]
  readonly onOpen?: (row: R) => void
  /** Before its words in the address, where a page has two lists. */
  readonly prefix?: string
}
