/** Sets a mode: what it means, and but for repair a reason and an end. */
import { useSignal } from '@preact/signals'
import { invalidate } from '../api/cache.ts'
import { call } from '../api/client.ts'
import { daemonTime } from '../api/clock.ts'
import { fieldFaults, type Fault } from '../api/fault.ts'
import { Dialog } from './dialog.tsx'
import { Choice, Field } from './field.tsx'
import { FaultLine } from './panel.tsx'

export type Mode = 'repair' | 'observe' | 'suspend'

const HOUR_MS = 3_600_000
const ENDS = [
  ['1', '1 h'],
  ['8', '8 h'],
  ['24', '1 day'],
  ['at', 'until…'],
] as const

export const MODE_WORDS = { repair: 'Repair', observe: 'Observe…', suspend: 'Suspend…' } as const
const MEANS = {
  repair: 'What differs from the release is put back by itself.',
  observe:
    'Differences are reported and not put back by itself. Deploys, and whatever else you apply, still write.',
  suspend: 'Nothing is repaired and nothing is deployed until it ends.',
} as const

interface Props {
  readonly mode: Mode
  /** A component, or everything. */
  readonly scope?: string
  readonly onClose: () => void
}

export function ModeDialog({ mode, scope = '*', onClose }: Props) {
  const reason = useSignal('')
  const hours = useSignal<'1' | '8' | '24' | 'at'>('1')
  const until = useSignal('')
  const fault = useSignal<Fault | null>(null)
  const busy = useSignal(false)
  const asks = mode !== 'repair'
  /** As the API takes it; null while there is none that can be read. */
  const end = (): string | null => {
    const at = hours.value === 'at' ? Date.parse(until.value) : daemonTime() + Number(hours.value) * HOUR_MS
    return Number.isNaN(at) ? null : new Date(at).toISOString()
  }
  const send = async () => {
    busy.value = true
    const body = asks ? { mode, reason: reason.value.trim(), expires_at: end() } : { mode }
    const answer = await call({ method: 'PUT', path: `/api/modes/${encodeURIComponent(scope)}`, body })
    busy.value = false
    if (answer.ok) {
      invalidate('all')
      onClose()
    } else fault.value = answer.fault
  }
  return (
    <Dialog label={MODE_WORDS[mode]} onClose={onClose}>
      <h2 class="t">{MODE_WORDS[mode].replace('…', '')}</h2>
      <p class="q2">{MEANS[mode]}</p>
      {asks && (
        <>
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
              fault={fieldFaults(fault.value).get('expires_at') ?? null}
              onInput={(value) => {
                until.value = value
              }}
            />
          )}
        </>
      )}
      <FaultLine fault={fault.value} />
      <p class="acts gap">
        <button
          type="button"
          class="btn first"
          disabled={busy.value || (asks && (reason.value.trim() === '' || end() === null))}
          onClick={() => void send()}
        >
          {busy.value ? 'Saving' : MODE_WORDS[mode].replace('…', '')}
        </button>
        <button type="button" class="btn" onClick={onClose}>
          Leave it
        </button>
      </p>
    </Dialog>
  )
}
