/** What tables of many rows are made of: heads that sort, and space in place of rows that are not drawn. */
import { setQuery } from '../../address.ts'
import { nextSort, sortText, type Sort } from '../../model/sort.ts'
import { Icon } from '../icons.tsx'
import { density } from '../look.ts'

interface HeadProps {
  readonly column: string
  readonly title: string
  readonly sort: Sort
  readonly end?: boolean
  /** Word of the query. */
  readonly word?: string
}

/** The same head again turns the order around. */
export function SortHead({ column, title, sort, end = false, word = 'sort' }: HeadProps) {
  const own = sort.column === column
  return (
    <th
      class={end ? 'end' : ''}
      {...(own && { 'aria-sort': sort.down ? ('descending' as const) : ('ascending' as const) })}
    >
      <button type="button" onClick={() => setQuery({ [word]: sortText(nextSort(sort, column)) })}>
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

export const SpacerRow = ({ height, span }: { readonly height: number; readonly span: number }) =>
  height === 0 ? null : (
    <tr aria-hidden="true" class="spacer">
      <td colSpan={span} style={{ height: `${height}px` }} />
    </tr>
  )

export const SpacerItem = ({ height }: { readonly height: number }) =>
  height === 0 ? null : <li aria-hidden="true" style={{ height: `${height}px` }} />

const HEIGHTS = { roomy: 35, tight: 29 } as const

/** Of a row of a table, in pixels. */
export const rowHeight = (): number => HEIGHTS[density.value]

/** Of a card in pixels: its second line has room for two. Only a list of which all is drawn has lower ones, too. */
export const CARD_HEIGHT = 82

/** @param windowed whether its cards are of one height */
export const cardsClass = ({ windowed }: { readonly windowed: boolean }): string =>
  windowed ? 'cards phone causes even' : 'cards phone causes'
