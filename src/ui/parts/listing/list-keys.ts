/** Keys of a list that opens what is chosen: `j` and `k` go through its rows, `/` into its filter, Escape clears that. */
import { useLayoutEffect } from 'preact/hooks'
import { setQuery } from '../../address.ts'
import { addKeys } from '../keys.ts'

/** From row to row, and into the filter. */
export function useStepKeys(): void {
  useLayoutEffect(
    () =>
      addKeys([
        { keys: 'j', label: 'Next row', run: () => move(1) },
        { keys: 'k', label: 'Row before', run: () => move(-1) },
        { keys: 'arrowdown', label: 'Next row', run: () => move(1) },
        { keys: 'arrowup', label: 'Row before', run: () => move(-1) },
        {
          keys: '/',
          label: 'Filter',
          run: () => document.querySelector<HTMLElement>(`[${FILTER}]`)?.focus(),
        },
      ]),
    [],
  )
}

/** @param look what `r` does; @param words of the query that Escape clears */
export function useListKeys(look: () => void, words: readonly string[] = ['q']): void {
  const all = words.join(' ')
  useStepKeys()
  useLayoutEffect(
    () =>
      addKeys([
        { keys: 'r', label: 'Look now', run: look },
        {
          keys: 'escape',
          label: 'Clear the filter',
          run: () => setQuery(Object.fromEntries(words.map((word) => [word, null]))),
        },
      ]),
    [all],
  )
}

/** Marks the field that filters; of two lists the first one's is reached. */
export const FILTER = 'data-filter'

/** Rows that are drawn; the window draws more as they come into sight. One that opens nothing is passed over. */
function move(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]:has(button, a)')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const row = rows[at === -1 && by < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + by))]
  row?.querySelector<HTMLElement>('button:not([tabindex="-1"]), a')?.focus()
  row?.scrollIntoView({ block: 'nearest' })
}
