/** Keys of the table: rows by `j` and `k`, choosing by `x`, a peek at all five lamps by the space bar. */
import { useLayoutEffect } from 'preact/hooks'
import { domainAddress, go, setQuery } from '../../address.ts'
import { tryNow } from '../../api/live.ts'
import type { DomainRow } from '../../model/domain-rows.ts'
import { copyText } from '../../parts/copy.tsx'
import { addKeys } from '../../parts/keys.ts'
import { choose, chooseNone, chosen, toggle } from './choice.ts'
import { asked } from './why.tsx'

export function useRowKeys(rows: readonly DomainRow[]): void {
  useLayoutEffect(() => {
    const move = (by: number) => focusRow(Math.max(0, Math.min(rows.length - 1, rowAtFocus() + by)))
    const here = () => rows[rowAtFocus()]
    // The row that one leaves and the one that one comes to are chosen.
    const extend = (by: number) => {
      const from = here()
      move(by)
      const to = here()
      choose(
        [from, to].flatMap((row) => (row === undefined ? [] : [row.id])),
        true,
      )
    }
    const withRow = (act: (row: DomainRow) => void) => () => {
      const row = here()
      if (row !== undefined) act(row)
    }
    return addKeys([
      { keys: 'j', label: 'Next row', run: () => move(1) },
      { keys: 'k', label: 'Row before', run: () => move(-1) },
      { keys: 'arrowdown', label: 'Next row', run: () => move(1) },
      { keys: 'arrowup', label: 'Row before', run: () => move(-1) },
      { keys: 'shift+arrowdown', label: 'Choose, and the next row', run: () => extend(1) },
      { keys: 'shift+arrowup', label: 'Choose, and the row before', run: () => extend(-1) },
      { keys: 'enter', label: 'Open', run: withRow(({ domain }) => go(domainAddress(domain))) },
      {
        keys: 'e',
        label: 'Edit',
        run: withRow(({ domain }) => go(`${domainAddress(domain)}?edit=1`)),
      },
      { keys: 'r', label: 'Look now', run: tryNow },
      { keys: 'x', label: 'Choose', run: withRow(({ id }) => toggle(id)) },
      {
        keys: 'mod+a',
        label: 'Choose all that fit',
        run: () =>
          choose(
            rows.map(({ id }) => id),
            true,
          ),
      },
      { keys: 'y', label: 'Copy the name', run: withRow(({ domain }) => void copyText(domain)) },
      { keys: 'space', label: 'Why', run: withRow(peek) },
      { keys: '/', label: 'Filter', run: () => document.getElementById('filter')?.focus() },
      { keys: 'escape', label: 'Clear the filter, then the choice', run: clear },
    ])
  }, [rows])
}

function clear(): void {
  const field = document.getElementById('filter')
  if (field instanceof HTMLInputElement && field.value !== '') setQuery({ q: null })
  else if (chosen.peek().size > 0) chooseNone()
}

function rowAtFocus(): number {
  const row = document.activeElement?.closest('tr[data-row]')
  return row instanceof HTMLElement ? Number(row.dataset['row']) : -1
}

function focusRow(index: number): void {
  const row = document.querySelector(`tr[data-row="${index}"]`)
  const link = row?.querySelector('a')
  link?.focus()
  row?.scrollIntoView({ block: 'nearest' })
}

function peek({ id, domain }: DomainRow): void {
  const anchor = document.activeElement
  if (anchor instanceof HTMLElement) asked.value = { id, domain, lamp: 'all', anchor }
}
