/** Which columns the table shows: ticks in a list, kept in the address. */
import { useSignal } from '@preact/signals'
import { setQuery } from '../../address.ts'
import { COLUMNS, columnsText, type Column } from '../../model/table/columns.ts'
import { Popover } from '../../parts/popover.tsx'

export function ColumnChoice({ shown }: { readonly shown: readonly Column[] }) {
  const anchor = useSignal<HTMLElement | null>(null)
  const toggle = (column: Column) => {
    const next = shown.includes(column) ? shown.filter((one) => one !== column) : [...shown, column]
    setQuery({ cols: columnsText(next) })
  }
  return (
    <>
      <button
        type="button"
        class="btn wide"
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => {
          anchor.value = currentTarget
        }}
      >
        Columns
      </button>
      {anchor.value !== null && (
        <Popover
          label="Columns"
          anchor={anchor.value}
          onClose={() => {
            anchor.value = null
          }}
        >
          <ul class="ticks">
            {COLUMNS.map(([column, title]) => (
              <li key={column}>
                <label>
                  <input
                    type="checkbox"
                    class="tick inl"
                    checked={shown.includes(column)}
                    onChange={() => toggle(column)}
                  />{' '}
                  {title}
                </label>
              </li>
            ))}
          </ul>
        </Popover>
      )}
    </>
  )
}
