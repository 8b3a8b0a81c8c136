/** A difference that a person has said may stay: why, until when, who said so, and its end by hand. */
import { useSignal } from '@preact/signals'
import { invalidate } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import type { Fault } from '../../api/fault.ts'
import { whyNot } from '../../api/session.ts'
import type { Difference } from '../../api/types.ts'
import { now } from '../../api/clock.ts'
import { parseTime } from '../../model/ages.ts'
import { momentText } from '../../model/text/prose.ts'
import { visible } from '../../model/visible.ts'
import { actorName } from '../../model/words.ts'
import { FaultLine } from '../../parts/panel.tsx'

type Ignored = NonNullable<Difference['ignored']>

export function Known({ of: { reason, actor, until } }: { readonly of: Ignored }) {
  const at = parseTime(until)
  return (
    <>
      <b>Known</b>: {visible(reason)}, until{' '}
      <time dateTime={new Date(at).toISOString()}>{momentText(at, now.value)}</time>, by {actorName(actor)}
    </>
  )
}

/** @param item what was said to stay */
export function StopIgnoring({ item }: { readonly item: string }) {
  const busy = useSignal(false)
  const fault = useSignal<Fault | null>(null)
  const end = async () => {
    busy.value = true
    const answer = await call({ method: 'DELETE', path: `/api/drift/ignored/${encodeURIComponent(item)}` })
    busy.value = false
    fault.value = answer.ok ? null : answer.fault
    invalidate('all')
  }
  return (
    <>
      <button
        type="button"
        class="btn"
        disabled={busy.value || whyNot.value !== null}
        title={whyNot.value ?? undefined}
        onClick={() => void end()}
      >
        Stop ignoring
      </button>
      <FaultLine fault={fault.value} />
    </>
  )
}
