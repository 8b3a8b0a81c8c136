/** How far the reconciler may go: repair, observe, or suspended with a reason and an end. */
import { useSignal } from '@preact/signals'
import { mayChange, whyNot } from '../../api/session.ts'
import type { Modes } from '../../api/types.ts'
import { MODE_WORDS, type Mode } from '../../model/text/modes.ts'
import { ModeDialog } from '../../parts/change/asked.ts'

export function ModeChoice({ modes }: { readonly modes: Modes }) {
  const asking = useSignal<Mode | null>(null)
  const all = modes.settings.find(({ scope, expired }) => scope === '*' && !expired)
  const own = modes.components.map(({ mode }) => mode)
  const now: Mode = all?.mode ?? (own.every((mode) => mode === own[0]) ? (own[0] ?? 'repair') : 'repair')
  return (
    <>
      <span class="seg" role="group" aria-label="Mode of the installation">
        {(['repair', 'observe', 'suspend'] as const).map((mode) => (
          <button
            key={mode}
            type="button"
            aria-pressed={mode === now}
            disabled={!mayChange.value}
            title={whyNot.value ?? undefined}
            onClick={() => {
              if (mode !== now) asking.value = mode
            }}
          >
            {MODE_WORDS[mode]}
          </button>
        ))}
      </span>
      {asking.value !== null && (
        <ModeDialog
          mode={asking.value}
          onClose={() => {
            asking.value = null
          }}
        />
      )}
    </>
  )
}
