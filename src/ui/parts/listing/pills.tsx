/** States of a list as buttons that filter it: each with how many there are, one chosen at most. The address has it. */
import { setQuery } from '../../address.ts'
import { number } from '../../model/words.ts'

export interface Pill {
  readonly key: string
  readonly title: string
  readonly size: number
}

interface Props {
  readonly label: string
  /** Word of the query. */
  readonly name: string
  readonly chosen: string | null
  readonly pills: readonly Pill[]
}

export const Pills = ({ label, name, chosen, pills }: Props) => (
  <div class="views" role="group" aria-label={label}>
    {pills.map(({ key, title, size }) => (
      <button
        key={key}
        type="button"
        class="chip"
        aria-pressed={key === chosen}
        onClick={() => setQuery({ [name]: key === chosen ? null : key })}
      >
        {title} <span class="q">{number(size)}</span>
      </button>
    ))}
  </div>
)
