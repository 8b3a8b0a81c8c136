/** Lets a difference stay: why, and until when. It stands over the page, as the difference may be put back meanwhile. */
import { useSignal } from '@preact/signals'
import { invalidate } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import type { Fault } from '../../api/fault.ts'
import type { Act } from '../../api/types.ts'
import { visible } from '../../model/visible.ts'
import { Dialog } from '../dialog.tsx'
import { FaultLine } from '../panel.tsx'
import { AT, type End, endOf, isComplete, reasonOf, ReasonUntil, useReasonAndEnd } from './reason-until.tsx'

const ENDS: readonly End[] = [['1', '1 h'], ['24', '1 day'], ['168', '7 days'], AT]

export interface IgnoreProps {
  readonly act: Act
  readonly about: string | undefined
  readonly onClose: () => void
}

export function IgnoreDialog({ act, about, onClose }: IgnoreProps) {
  const asked = useReasonAndEnd('24')
  const fault = useSignal<Fault | null>(null)
  const busy = useSignal(false)
  const send = async () => {
    busy.value = true
    const body = { reason: reasonOf(asked), until: endOf(asked) }
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
      <ReasonUntil asked={asked} ends={ENDS} fault={fault.value} end_field="until" />
      <FaultLine fault={fault.value} />
      <p class="acts gap">
        <button
          type="button"
          class="btn first"
          disabled={busy.value || !isComplete(asked)}
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
