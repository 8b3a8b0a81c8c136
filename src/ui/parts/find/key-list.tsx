/** The list of keys, what the lamps stand for, and the switch for single keys. */
import { useSignal } from '@preact/signals'
import { LAMP_WORDS } from '../../model/lamps.ts'
import { Dialog } from '../dialog.tsx'
import { allKeys, keysAreOn, setKeysOn } from '../keys.ts'
import { LampIcon, LampLetters } from '../lamp.tsx'

export function KeyList({ onClose }: { readonly onClose: () => void }) {
  const on = useSignal(keysAreOn())
  const keys = [...new Map(allKeys().map((key) => [key.keys, key])).values()]
  return (
    <Dialog label="Keys" onClose={onClose}>
      <h2 class="t">Keys</h2>
      <dl class="kv">
        {keys.map(({ keys: pressed, label }) => (
          <>
            <dt key={pressed}>{label}</dt>
            <dd>
              <kbd>{pressed.replace('mod+', 'Ctrl ')}</kbd>
            </dd>
          </>
        ))}
      </dl>
      <Legend />
      <label class="gap s">
        <input
          type="checkbox"
          class="tick inl"
          checked={on.value}
          onChange={(event) => {
            on.value = event.currentTarget.checked
            setKeysOn(on.value)
          }}
        />{' '}
        Single keys act on the page
      </label>
      <p class="acts gap">
        <button type="button" class="btn" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  )
}

/** What the letters over the lamps stand for, and what each shape says. */
const Legend = () => (
  <section class="gap2">
    <h2 class="t">Lamps</h2>
    <p class="q2 legend">
      <LampLetters />
    </p>
    <p class="q2 legend">
      {LAMP_SHAPES.map((lamp) => (
        <span key={lamp} class="nw">
          <LampIcon lamp={lamp} plain /> {LAMP_WORDS[lamp]}{' '}
        </span>
      ))}
    </p>
  </section>
)

const LAMP_SHAPES = ['ok', 'pending', 'moving', 'drift', 'bad', 'unknown', 'off'] as const
