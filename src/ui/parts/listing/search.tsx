/** The one field that filters a list while it is typed into; the address has the text. */
import { setQuery } from '../../address.ts'
import { plural } from '../../model/words.ts'
import { Icon } from '../icons.tsx'
import { FILTER } from './list-keys.ts'

interface Props {
  readonly text: string
  readonly hint: string
  /** What it filters, where a page has more than one list: "asset". */
  readonly what?: string
  /** Word of the query. */
  readonly name?: string
}

export const Search = ({ text, hint, what, name = 'q' }: Props) => (
  <label class="input grow">
    <Icon name="search" />
    <span class="sr">{what === undefined ? 'Filter' : `Filter ${plural(what)}`}</span>
    <input
      {...{ [FILTER]: '' }}
      type="search"
      value={text}
      placeholder={hint}
      autocomplete="off"
      spellcheck={false}
      onInput={(event) => setQuery({ [name]: event.currentTarget.value })}
    />
  </label>
)
