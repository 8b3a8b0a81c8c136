/** Orders what is due or failed, at once: a dry run says nothing of a renewal, so the dialog says what will happen. */
import { useSignal } from '@preact/signals'
import { invalidate } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import type { Fault } from '../../api/fault.ts'
import { mayChange, whyNot } from '../../api/session.ts'
import { visible } from '../../model/visible.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FaultLine } from '../../parts/panel.tsx'

export function ObtainNow() {
  const asking = useSignal(false)
  return (
    <>
      <button
        type="button"
        class="btn"
        disabled={!mayChange.value}
        title={whyNot.value ?? undefined}
        onClick={() => {
          asking.value = true
        }}
      >
        Obtain now…
      </button>
      {asking.value && (
        <Asking
          onClose={() => {
            asking.value = false
          }}
        />
      )}
    </>
  )
}

function Asking({ onClose }: { readonly onClose: () => void }) {
  const busy = useSignal(false)
  const fault = useSignal<Fault | null>(null)
  const message = useSignal<string | null>(null)
  const press = async () => {
    busy.value = true
    const answer = await call<{ readonly message: string }>({
      method: 'POST',
      path: '/api/tls/reconcile?retry=true',
    })
    busy.value = false
    fault.value = answer.ok ? null : answer.fault
    message.value = answer.ok ? answer.body.message : null
    invalidate('all')
  }
  return (
    <Dialog label="Obtain now" onClose={onClose}>
      <h2 class="t">Obtain now</h2>
      <p>
        Every certificate that is missing, due or waits after a failure is ordered now, within the limits of
        the authority. What works stays in use until its successor stands.
      </p>
      <p class="gap" role="status">
        {visible(message.value ?? (busy.value ? 'Under way.' : ''))}
      </p>
      <FaultLine fault={fault.value} />
      <p class="acts gap">
        {message.value === null && (
          <button type="button" class="btn first" disabled={busy.value} onClick={() => void press()}>
            Order them
          </button>
        )}
        <button type="button" class="btn" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  )
}
