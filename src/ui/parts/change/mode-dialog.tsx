/** Sets a mode: what it means, and but for repair a reason and an end. */
import { useSignal } from '@preact/signals'
import { invalidate, useResource } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import { now } from '../../api/clock.ts'
import type { Fault } from '../../api/fault.ts'
import type { AuditEntry, Modes, Overview } from '../../api/types.ts'
import { agoText, leftText, parseTimeOr } from '../../model/ages.ts'
import {
  MODE_TRAIL,
  MODE_WORDS,
  resumeWords,
  RESUME,
  setAtOf,
  type Mode,
} from '../../model/text/resume-words.ts'
import { visible } from '../../model/visible.ts'
import { actorName } from '../../model/words.ts'
import { Dialog } from '../dialog.tsx'
import { AT, type End, endOf, isComplete, reasonOf, ReasonUntil, useReasonAndEnd } from './reason-until.tsx'
import { FaultLine } from '../panel.tsx'

const ENDS: readonly End[] = [['1', '1 h'], ['8', '8 h'], ['24', '1 day'], AT]

const MEANS = {
  repair: 'From then on, what differs from the release is put back by itself.',
  observe:
    'Differences are reported and not put back by itself. Deploys, and whatever else you apply, still write.',
  suspend: 'Nothing is repaired and nothing is deployed until it ends.',
} as const

export interface ModeProps {
  readonly mode: Mode
  /** A component, or everything. */
  readonly scope?: string
  readonly onClose: () => void
}

export function ModeDialog({ mode, scope = '*', onClose }: ModeProps) {
  const asked = useReasonAndEnd('1')
  const fault = useSignal<Fault | null>(null)
  const busy = useSignal(false)
  const asks = mode !== 'repair'
  const send = async () => {
    busy.value = true
    const body = asks ? { mode, reason: reasonOf(asked), expires_at: endOf(asked) } : { mode }
    const answer = await call({ method: 'PUT', path: `/api/modes/${encodeURIComponent(scope)}`, body })
    busy.value = false
    if (answer.ok) {
      invalidate('all')
      onClose()
    } else fault.value = answer.fault
  }
  const title = asks ? MODE_WORDS[mode].replace('…', '') : RESUME
  return (
    <Dialog label={asks ? MODE_WORDS[mode] : RESUME} onClose={onClose}>
      <h2 class="t">{title}</h2>
      <p class="q2">{MEANS[mode]}</p>
      {!asks && <Resumed scope={scope} />}
      {asks && <ReasonUntil asked={asked} ends={ENDS} fault={fault.value} end_field="expires_at" />}
      <FaultLine fault={fault.value} />
      <p class="acts gap">
        <button
          type="button"
          class="btn first"
          disabled={busy.value || (asks && !isComplete(asked))}
          onClick={() => void send()}
        >
          {busy.value ? 'Saving' : asks ? title : 'Resume'}
        </button>
        <button type="button" class="btn" onClick={onClose}>
          Leave it
        </button>
      </p>
    </Dialog>
  )
}

/** What ends: for which worlds, since when, by whom and why; and how much is put back then. */
function Resumed({ scope }: { readonly scope: string }) {
  const { settings = [] } = useResource<Modes>('/api/modes').value ?? {}
  const rows = useResource<Overview>('/api/overview').value?.health.components
  const trail = useResource<readonly AuditEntry[]>(MODE_TRAIL).value ?? []
  const { worlds, writes } = resumeWords(scope, rows, settings)
  const own = settings.find((one) => one.scope === scope && one.mode !== 'repair' && !one.expired)
  const at = setAtOf(trail, scope)
  const end = parseTimeOr(own?.expires_at ?? null)
  return (
    <>
      <p>
        For <b>{visible(worlds)}</b>.
      </p>
      {own !== undefined && (
        <p class="q2">
          {own.mode === 'suspend' ? 'Suspended' : 'Only observed'}
          {at !== null && `, set ${agoText(at, now.value)}`}, by {visible(actorName(own.actor))}
          {own.reason !== '' && `: ${visible(own.reason)}`}
          {end !== null && `; it would end by itself in ${leftText(end, now.value)}`}.
          {own.standing?.mode === 'observe' && ' That it was only observed before ends, too.'}
        </p>
      )}
      <p>{writes}</p>
    </>
  )
}
