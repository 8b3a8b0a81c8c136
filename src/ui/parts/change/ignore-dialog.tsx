/** Lets a difference stay: why, and until when. It stands over the page, as the difference may be put back meanwhile. */
import { signal, useSignal } from '@preact/signals'
import { invalidate } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import { daemonTime } from '../../api/clock.ts'
import { type Fault, fieldFaults } from '../../api/fault.ts'
import type { Act } from '../../api/types.ts'
import { visible } from '../../model/visible.ts'
import { Dialog } from '../dialog.tsx'
import { Choice, Field } from '../field.tsx'
import { FaultLine } from '../panel.tsx'

const HOUR_MS = 3_600_000
const ENDS = [
  ['1', '1 h'],
  ['24', '1 day'],
  ['168', '7 days'],
  ['at', 'until…'],
] as const

interface Chosen {
  readonly act: Act
  readonly about: string | undefined
}

const chosen = signal<Chosen | null>(null)

export const askToIgnore = (act: Act, about: string | undefined): void => {
  chosen.value = { act, about }
}

export function IgnoreHost() {
  if (chosen.value === null) return null
  return <IgnoreDialog key={chosen.value.act.path} {...chosen.value} onClose={() => (chosen.value = null)} />
}

function IgnoreDialog({ act, about, onClose }: Chosen & { readonly onClose: () => void }) {
  const reason = useSignal('')
  const hours = useSignal<(typeof ENDS)[number][0]>('24')
  const until = useSignal('')
  const fault = useSignal<Fault | null>(null)
  const busy = useSignal(false)
  /** As the API takes it; null while there is none that can be read. */
  const end = (): string | null => {
    const at = hours.value === 'at' ? Date.parse(until.value) : daemonTime() + Number(hours.value) * HOUR_MS
    return Number.isNaN(at) ? null : new Date(at).toISOString()
  }
  const send = async () => {
    busy.value = true
    const body = { reason: reason.value.trim(), until: end() }
    const answer = await call({ method: act.method, path: act.path, body })
    busy.value = false
    if (answer.ok) {
      invalidate('all')
      onClose()
    } else fault.value = answer.fault
  }
  return (
    <Dialog label={visible(act.label)} onClose={onClose}>
      <h2 class="t">Ignore until…</h2>
      {about !== undefined && <p class="q2">{visible(about)}</p>}
      <p class="q2">
        It stays as it is and is still shown. It ends by itself where something else stands there, or where
        more would be let in than was released.
      </p>
      <Field
        label="Reason"
        value={reason.value}
        autofocus
        fault={fieldFaults(fault.value).get('reason') ?? null}
        onInput={(value) => {
          reason.value = value
        }}
      />
      <Choice
        label="Until"
        value={hours.value}
        options={ENDS}
        onChoose={(value) => {
          hours.value = value
        }}
      />
      {hours.value === 'at' && (
        <Field
          label="Until when"
          type="datetime-local"
          value={until.value}
          fault={fieldFaults(fault.value).get('until') ?? null}
          onInput={(value) => {
            until.value = value
          }}
        />
      )}
      <FaultLine fault={fault.value} />
      <p class="acts gap">
        <button
          type="button"
          class="btn first"
          disabled={busy.value || reason.value.trim() === '' || end() === null}
          onClick={() => void send()}
        >
          {busy.value ? 'Saving' : 'Ignore'}
        </button>
        <button type="button" class="btn" onClick={onClose}>
          Cancel
        </button>
      </p>
    </Dialog>
  )
}
