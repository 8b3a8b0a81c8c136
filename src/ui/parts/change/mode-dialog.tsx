/** Sets a mode: what it means, and but for repair a reason and an end. */
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { invalidate, useResource } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import { now } from '../../api/clock.ts'
import type { Fault } from '../../api/fault.ts'
import type { AuditEntry, Modes, Overview } from '../../api/types.ts'
import { agoText, leftText, parseTimeOr } from '../../model/ages.ts'
import {
  againOf,
  isUnusual,
  MODE_TRAIL,
  MODE_WORDS,
  overStanding,
  repairsForNow,
  RESUME,
  resumeTitle,
  setAtOf,
  type Mode,
  type Setting,
} from '../../model/text/modes.ts'
import { againText, resumedLines, resumeWords } from '../../model/text/resume-words.ts'
import { visible } from '../../model/visible.ts'
import { actorName } from '../../model/words.ts'
import { Dialog } from '../dialog.tsx'
import { LampIcon } from '../lamp.tsx'
import { AT, type End, endOf, isComplete, reasonOf, ReasonUntil, useReasonAndEnd } from './reason-until.tsx'
import { FaultLine } from '../panel.tsx'
import { Prose } from '../text/prose.tsx'

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

const MODES = '/api/modes'

const addressOf = (scope: string): string => `${MODES}/${encodeURIComponent(scope)}`

export const ModeDialog = ({ mode, scope = '*', onClose }: ModeProps) =>
  mode === 'repair' ? (
    <ResumeDialog scope={scope} onClose={onClose} />
  ) : (
    <SetDialog mode={mode} scope={scope} onClose={onClose} />
  )

interface SetProps extends Required<Pick<ModeProps, 'scope' | 'onClose'>> {
  readonly mode: Exclude<Mode, 'repair'>
}

function SetDialog({ mode, scope, onClose }: SetProps) {
  const asked = useReasonAndEnd('1')
  const fault = useSignal<Fault | null>(null)
  const busy = useSignal(false)
  const send = async () => {
    busy.value = true
    const body = { mode, reason: reasonOf(asked), expires_at: endOf(asked) }
    const answer = await call({ method: 'PUT', path: addressOf(scope), body })
    busy.value = false
    if (answer.ok) {
      invalidate('all')
      onClose()
    } else fault.value = answer.fault
  }
  const title = MODE_WORDS[mode].replace('…', '')
  return (
    <Dialog label={MODE_WORDS[mode]} onClose={onClose}>
      <h2 class="t">{title}</h2>
      <p class="q2">{MEANS[mode]}</p>
      <ReasonUntil asked={asked} ends={ENDS} fault={fault.value} end_field="expires_at" />
      <FaultLine fault={fault.value} />
      <p class="acts gap">
        <button
          type="button"
          class="btn first"
          disabled={busy.value || !isComplete(asked)}
          onClick={() => void send()}
        >
          {busy.value ? 'Saving' : title}
        </button>
        <button type="button" class="btn" onClick={onClose}>
          Leave it
        </button>
      </p>
    </Dialog>
  )
}

interface ResumeProps {
  readonly scope: string
  readonly onClose: () => void
}

type ModeSet = Modes & { readonly warnings: readonly string[] }

interface Proof {
  readonly wanted: Mode
  readonly of: ModeSet
}

/** What was set for a time over a mode without an end is ended alone; that this one ends, too, is the second choice. */
function ResumeDialog({ scope, onClose }: ResumeProps) {
  const modes = useResource<Modes>(MODES)
  const fault = useSignal<Fault | null>(null)
  const busy = useSignal(false)
  const proof = useSignal<Proof | null>(null)
  const { settings = [] } = modes.value ?? {}
  // It may end by itself under the press: that press must not become one that ends what stands below, too.
  const kept = useRef<Setting | undefined>(undefined)
  kept.current ??= overStanding(settings, scope)
  const over = kept.current
  const again = over === undefined ? 'repair' : againOf(over)!
  const own = useRef<Setting | undefined>(undefined)
  own.current ??= ownOf(settings, scope)
  const send = async (wanted: Mode) => {
    busy.value = true
    const path = addressOf(scope)
    // What repairs below it may be for a time itself: that end stays.
    const ends = over === undefined ? (own.current?.below.length ?? 0) > 0 : wanted === again
    const answer = await call<ModeSet>(
      ends ? { method: 'DELETE', path } : { method: 'PUT', path, body: { mode: 'repair' } },
    )
    busy.value = false
    invalidate('all')
    fault.value = answer.ok ? null : answer.fault
    if (!answer.ok) return
    if (over === undefined) onClose()
    else proof.value = { wanted, of: answer.body }
  }
  const title = resumeTitle(over)
  if (proof.value !== null) return <Proven scope={scope} {...proof.value} onClose={onClose} />
  return (
    <Dialog label={title} onClose={onClose}>
      <h2 class="t">{title}</h2>
      <p class="q2">{MEANS[again]}</p>
      <Ending scope={scope} settings={settings} over={over} />
      <FaultLine fault={fault.value ?? (modes.value === undefined ? modes.fault : null)} />
      <p class="acts gap">
        <button
          type="button"
          class="btn first"
          disabled={busy.value || modes.value === undefined}
          onClick={() => void send(again)}
        >
          {busy.value ? 'Saving' : over === undefined ? 'Resume' : title}
        </button>
        {over !== undefined && (
          <button type="button" class="btn" disabled={busy.value} onClick={() => void send('repair')}>
            {RESUME}
          </button>
        )}
        <button type="button" class="btn" onClick={onClose}>
          Leave it
        </button>
      </p>
    </Dialog>
  )
}

interface EndingProps {
  readonly scope: string
  readonly settings: readonly Setting[]
  readonly over: Setting | undefined
}

/** What ends: for which worlds, since when, by whom and why; how much is put back then, or what stands again. */
function Ending({ scope, settings, over }: EndingProps) {
  const rows = useResource<Overview>('/api/overview').value?.health.components
  const { worlds, writes } = resumeWords(scope, rows, settings)
  const own = over ?? ownOf(settings, scope)
  const again = over?.below[0]
  return (
    <>
      <p>
        For <b>{visible(worlds)}</b>.
      </p>
      {own !== undefined && <Own of={own} />}
      {over === undefined || again === undefined ? (
        <p>{writes}</p>
      ) : (
        <>
          <p>
            <b>{againText(over, settings)}</b> Set by {visible(actorName(again.actor))}
            {again.reason !== '' && `: ${visible(again.reason)}`}.
          </p>
          <p class="q2">
            {RESUME} ends that, too. {writes}
          </p>
        </>
      )}
    </>
  )
}

const ownOf = (settings: readonly Setting[], scope: string): Setting | undefined =>
  settings.find((one) => one.scope === scope && (isUnusual(one) || repairsForNow(one)))

const STATES = { suspend: 'Suspended', observe: 'Only observed', repair: 'Repaired' } as const

function Own({ of: own }: { readonly of: Setting }) {
  const trail = useResource<readonly AuditEntry[]>(MODE_TRAIL).value ?? []
  const at = setAtOf(trail, own)
  const end = parseTimeOr(own.expires_at)
  return (
    <p class="q2">
      {STATES[own.mode]}
      {at !== null && `, set ${agoText(at, now.value)}`}, by {visible(actorName(own.actor))}
      {own.reason !== '' && `: ${visible(own.reason)}`}
      {end !== null && `; it would end by itself in ${leftText(end, now.value)}`}.
    </p>
  )
}

/** What the daemon says is in force after it. */
function Proven({ scope, wanted, of, onClose }: Proof & ResumeProps) {
  return (
    <Dialog label="Proof" onClose={onClose}>
      <h2 class="t">Proof</h2>
      {resumedLines(scope, wanted, of).map(({ lamp, text }) => (
        <p key={text} class="why">
          <LampIcon lamp={lamp} />
          <span>{text}</span>
        </p>
      ))}
      {of.warnings.map((warning) => (
        <p key={warning} class="q2">
          <Prose of={warning} />
        </p>
      ))}
      <p class="acts gap">
        <button type="button" class="btn first" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  )
}
