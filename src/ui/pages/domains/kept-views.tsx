/** Views that one keeps: a name for a filter, in this browser alone. */
import { signal, useSignal } from '@preact/signals'
import { setQuery } from '../../address.ts'
import { visible } from '../../model/visible.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { Icon } from '../../parts/icons.tsx'

interface KeptView {
  readonly name: string
  readonly query: string
}

const KEPT = 'plumbline.views'
const MAX_VIEWS = 12

function read(): readonly KeptView[] {
  try {
    return JSON.parse(window.localStorage.getItem(KEPT) ?? '[]') as readonly KeptView[]
  } catch {
    return []
  }
}

const kept = signal<readonly KeptView[]>(read())

function keep(views: readonly KeptView[]): void {
  kept.value = views.slice(0, MAX_VIEWS)
  try {
    window.localStorage.setItem(KEPT, JSON.stringify(kept.value))
  } catch {
    // Storage is full or forbidden: they hold until the page is left.
  }
}

export function KeptViews({ text, known }: { readonly text: string; readonly known: readonly string[] }) {
  const naming = useSignal(false)
  const isKept = kept.value.some(({ query }) => query === text)
  return (
    <>
      {kept.value.map(({ name, query }) => (
        <button
          key={query}
          type="button"
          class="chip"
          aria-pressed={query === text}
          onClick={() => setQuery({ q: query })}
        >
          {visible(name)}
        </button>
      ))}
      {text !== '' && !isKept && !known.includes(text) && (
        <button
          type="button"
          class="chip"
          onClick={() => {
            naming.value = true
          }}
        >
          <Icon name="plus" size={12} /> Keep this view
        </button>
      )}
      {isKept && (
        <button
          type="button"
          class="chip"
          onClick={() => keep(kept.value.filter(({ query }) => query !== text))}
        >
          Forget this view
        </button>
      )}
      {naming.value && (
        <NameView
          text={text}
          onClose={() => {
            naming.value = false
          }}
        />
      )}
    </>
  )
}

function NameView({ text, onClose }: { readonly text: string; readonly onClose: () => void }) {
  const name = useSignal(text)
  return (
    <Dialog label="Keep this view" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          keep([...kept.value, { name: name.value.trim() || text, query: text }])
          onClose()
        }}
      >
        <h2 class="t">Keep this view</h2>
        <Field
          label="Name"
          value={name.value}
          autofocus
          onInput={(value) => {
            name.value = value
          }}
          hint={<p class="s q2">It stays in this browser.</p>}
        />
        <p class="acts gap">
          <button type="submit" class="btn first">
            Keep it
          </button>
          <button type="button" class="btn" onClick={onClose}>
            Leave it
          </button>
        </p>
      </form>
    </Dialog>
  )
}
