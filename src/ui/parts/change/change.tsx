/** A change beside the page: its plan, one press, its steps, its proof. There is no other way to change something. */
import { useSignal, type Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { now } from '../../api/clock.ts'
import { fieldFaults, type Fault } from '../../api/fault.ts'
import type { Change } from '../../api/plans.ts'
import { agoText, leftText } from '../../model/ages.ts'
import { progressLines } from '../../model/plan-words.ts'
import { count, fieldName, listed } from '../../model/words.ts'
import { FaultLine } from '../panel.tsx'
import { othersOf, PlanOthers } from './others.tsx'
import { PlannedBody } from './planned.tsx'
import { plan, type Stage, type StageKind } from './run.ts'
import { Steps } from './steps.tsx'

interface Props {
  readonly title?: string
  /** Made again whenever this text changes: the change itself and what it rests on. */
  readonly change: Change
  readonly basis?: string
  readonly act: string
  readonly danger?: boolean
  /** It writes records, so there is something to apply where nothing of it is deployed. */
  readonly saves?: boolean
  readonly head?: ComponentChildren
  readonly extra?: ComponentChildren
  readonly onDone?: (body: unknown) => void
  /** Why it cannot be planned, for the fields that it names; null once it can. */
  readonly onRefused?: (fault: Fault | null) => void
  /** The answer of the rehearsal, for what the page shows of it. */
  readonly onPlanned?: (answer: unknown) => void
  readonly onStage?: (stage: StageKind) => void
  /** Without the rows that are refused; absent where that cannot be. */
  readonly without?: (ids: readonly number[]) => void
}

export function ChangeBox(props: Props) {
  const { title = 'Plan', change, basis = '', head } = props
  const stage = useSignal<Stage>({ kind: 'planning' })
  const key = JSON.stringify(change) + basis
  const shown = useSignal('')
  useEffect(() => {
    let current = true
    void plan(change, stage, () => current).then(() => {
      if (current) shown.value = key
    })
    return () => {
      current = false
    }
  }, [key])
  useEffect(() => {
    const { value } = stage
    props.onStage?.(value.kind)
    if (value.kind === 'refused') props.onRefused?.(value.fault)
    if (value.kind === 'planned') {
      props.onRefused?.(null)
      props.onPlanned?.(value.planned.answer)
    }
  }, [stage.value])
  const again = () => {
    stage.value = { kind: 'planning' }
    void plan(change, stage, () => true)
  }
  return (
    <section class="plan box" aria-label={title} aria-busy={stage.value.kind === 'planning'}>
      <header>
        <h2 class="head2">{title}</h2>
        <PlanAge stage={stage.value} />
        {head}
      </header>
      <StageBody {...props} stage={stage} again={again} isOf={shown.value === key} />
    </section>
  )
}

function PlanAge({ stage }: { readonly stage: Stage }) {
  if (stage.kind === 'planning') return <span class="s q">being made</span>
  if (stage.kind !== 'planned') return null
  const { made_at, expires_at, plan: made } = stage.planned
  return (
    <span class="s q">
      made {agoText(made_at, now.value)}
      {expires_at === null
        ? ' · applied exactly so, or shown anew'
        : ` · good for ${leftText(expires_at, Math.max(made_at, now.value))}`}{' '}
      · <span class="mono">{made.hash.slice(0, 8)}</span>
    </span>
  )
}

interface BodyProps extends Props {
  readonly stage: Signal<Stage>
  readonly again: () => void
  /** The plan that is shown is of this change, and not of what was chosen before. */
  readonly isOf: boolean
}

function StageBody(props: BodyProps) {
  const { stage, again } = props
  const at = stage.value
  switch (at.kind) {
    case 'planning':
      return (
        <section aria-hidden="true" class="q2">
          …
        </section>
      )
    case 'refused':
      return (
        <section>
          <Refusal fault={at.fault} atFields={props.onRefused !== undefined} />
          <p class="acts gap">
            <button type="button" class="btn" onClick={again}>
              Plan again
            </button>
            <PlanOthers ids={othersOf(props.change, at.fault)} without={props.without} />
          </p>
        </section>
      )
    case 'planned':
      return <PlannedBody {...props} planned={at.planned} note={at.note} />
    case 'applying':
      return (
        <section class="box-in" aria-live="polite">
          <h3 class="t">Under way</h3>
          <Steps steps={progressLines(at.operation)} />
          <p class="s q2 gap">You may leave; it goes on and is shown on Overview.</p>
        </section>
      )
    case 'done':
      return (
        <section class="proof" aria-live="polite">
          <h3 class="t">Proof</h3>
          <p class="q2 flush">{at.message}</p>
          <Steps steps={at.steps} />
          {props.extra}
        </section>
      )
    case 'failed':
      return (
        <section aria-live="polite">
          <Steps steps={at.steps} />
          <FaultLine fault={at.fault} />
          <p class="acts gap">
            <button type="button" class="btn" onClick={again}>
              Plan again
            </button>
          </p>
        </section>
      )
  }
}

/** What is said at its field is only counted here. */
function Refusal({ fault, atFields }: { readonly fault: Fault; readonly atFields: boolean }) {
  const fields = atFields ? [...fieldFaults(fault).keys()].filter(Boolean) : []
  if (fields.length === 0) return <FaultLine fault={fault} />
  return (
    <p class="s c-bad gap" role="alert">
      {count(fields.length, 'field')} {fields.length === 1 ? 'is' : 'are'} wrong:{' '}
      {listed(fields.map(fieldName), 5)}.
    </p>
  )
}
