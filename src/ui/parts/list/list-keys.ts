/** Keys of a list that opens what is chosen: `j` and `k` go through its rows, `/` into its filter, Escape clears that. */
import { useEffect } from 'preact/hooks'
import { setQuery } from '../../address.ts'
import { addKeys } from '../keys.ts'

/** @param look what `r` does; @param words of the query that Escape clears */
export function useListKeys(look: () => void, words: readonly string[] = ['q']): void {
  const all = words.join(' ')
  useEffect(
    () =>
      addKeys([
        { keys: 'j', label: 'Next row', run: () => move(1) },
        { keys: 'k', label: 'Row before', run: () => move(-1) },
        { keys: 'arrowdown', label: 'Next row', run: () => move(1) },
        { keys: 'arrowup', label: 'Row before', run: () => move(-1) },
        { keys: 'r', label: 'Look now', run: look },
        { keys: '/', label: 'Filter', run: () => document.getElementById(FILTER)?.focus() },
        {
          keys: 'escape',
          label: 'Clear the filter',
          run: () => setQuery(Object.fromEntries(words.map((word) => [word, null]))),
        },
      ]),
    [all],
  )
}

/** Of the field that filters. */
export const FILTER = 'list-filter'

/** Rows that are drawn; the window draws more as they come into sight. */
function move(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const row = rows[at === -1 && by < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + by))]
  row?.querySelector<HTMLElement>('button, a')?.focus()
  row?.scrollIntoView({ block: 'nearest' })
}
