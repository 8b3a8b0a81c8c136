/** The one field that filters a list while it is typed into; the address has the text. */
import { setQuery } from '../../address.ts'
import { Icon } from '../icons.tsx'
import { FILTER } from './list-keys.ts'

interface Props {
  readonly text: string
  readonly hint: string
  /** Word of the query. */
  readonly name?: string
}

export const Search = ({ text, hint, name = 'q' }: Props) => (
  <label class="input grow">
    <Icon name="search" />
    <span class="sr">Filter</span>
    <input
      id={FILTER}
      type="search"
      value={text}
      placeholder={hint}
      autocomplete="off"
      spellcheck={false}
      onInput={(event) => setQuery({ [name]: event.currentTarget.value })}
    />
  </label>
)
