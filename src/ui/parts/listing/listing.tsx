/** A long list: one filter field, an order by column, rows in sight only once there are many, two lines a row on a phone. */
import { useMemo } from 'preact/hooks'
import { queryOf, setQuery } from '../../address.ts'
import {
  filteredRows,
  orderedBy,
  parseListing,
  parseListingSort,
  withoutListingTerm,
  type ListingTerm,
} from '../../model/table/listing.ts'
import { visible } from '../../model/visible.ts'
import { number, sizeText } from '../../model/words.ts'
import { narrow } from '../look.ts'
import { Empty } from '../panel.tsx'
import type { ListingProps } from './column.ts'
import { useStepKeys } from './list-keys.ts'
import { ListingCards, ListingTable } from './rows.tsx'
import { Search } from './search.tsx'

const NO_VIEWS: NonNullable<ListingProps<never>['views']> = []

/** Fewer are seen at a glance. */
const MIN_FILTERED = 9

export function Listing<R>(props: ListingProps<R>) {
  const { rows, columns, fields, hint, one, views = NO_VIEWS, prefix = '' } = props
  const text = queryOf(`${prefix}q`) ?? ''
  const sort = parseListingSort(queryOf(`${prefix}sort`), props.first ?? columns[0]!.key)
  const by = columns.find(({ key }) => key === sort.key)?.by ?? columns[0]!.by
  const terms = useMemo(() => parseListing(text, fields), [text, fields])
  // A keystroke filters what is in order already.
  const ordered = useMemo(
    () => (by === undefined ? rows : orderedBy(rows, by, sort.down)),
    [rows, sort.key, sort.down],
  )
  const shown = useMemo(() => filteredRows(ordered, terms), [ordered, terms])
  // Not for each keystroke.
  const sizes = useMemo(
    () => views.map(({ query }) => filteredRows(rows, parseListing(query, fields)).length),
    [rows, views, fields],
  )
  const fault = terms.find((term) => term.fault !== null)?.fault ?? null
  useStepKeys()
  const set = (query: string | null) => setQuery({ [`${prefix}q`]: query })
  return (
    <>
      {hint !== null && (rows.length >= MIN_FILTERED || text !== '') && (
        <div class="tools">
          <Search text={text} hint={hint} what={one} name={`${prefix}q`} />
        </div>
      )}
      {fault !== null && (
        <p class="s c-bad" role="status">
          {visible(fault)}
        </p>
      )}
      {views.length > 0 && (
        <nav class="views flush" aria-label={`Views of each ${one}`}>
          {views.map(({ name, query }, at) => (
            <button
              key={query}
              type="button"
              class="chip"
              aria-pressed={text === query}
              onClick={() => set(query)}
            >
              {name} <span class="q">{sizeText(sizes[at]!, props.isWhole ?? true)}</span>
            </button>
          ))}
        </nav>
      )}
      {shown.length === 0 ? (
        <NoneFits total={rows.length} terms={terms} onChange={set} />
      ) : narrow.value ? (
        <ListingCards {...props} rows={shown} size={rows.length} />
      ) : (
        <ListingTable {...props} rows={shown} size={rows.length} sort={sort} />
      )}
    </>
  )
}

interface NoneProps<R> {
  readonly total: number
  readonly terms: readonly ListingTerm<R>[]
  readonly onChange: (text: string | null) => void
}

function NoneFits<R>({ total, terms, onChange }: NoneProps<R>) {
  return (
    <Empty title={`None of ${number(total)} fits.`}>
      <p class="acts">
        {terms.map((term) => (
          <button
            key={term.text}
            type="button"
            class="chip"
            onClick={() => onChange(withoutListingTerm(terms, term))}
          >
            {visible(term.text)} ✕
          </button>
        ))}
      </p>
      <button type="button" class="btn" onClick={() => onChange(null)}>
        Remove all
      </button>
    </Empty>
  )
}
