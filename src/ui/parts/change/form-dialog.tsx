/** An act that asks first: its fields over the page, the plan of what they say below, one press, its proof. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { Fault } from '../../api/fault.ts'
import type { Change } from '../../api/plans.ts'
import { visible } from '../../model/visible.ts'
import { ChangeBox } from './change.tsx'
import { Dialog, isSecondPress } from '../dialog.tsx'
import { useSettled } from '../settled.ts'
import type { StageKind } from './run.ts'

interface Props {
  readonly label: string
  /** What the button says. */
  readonly act: string
  /** Null while the fields say nothing that could be planned. */
  readonly change: Change | null
  /** What stands in place of a plan until then. */
  readonly idle: string
  readonly saves?: boolean
  readonly danger?: boolean
  readonly onClose: () => void
  readonly onDone?: (body: unknown) => void
  readonly onRefused?: (fault: Fault | null) => void
  readonly without?: (ids: readonly number[]) => void
  readonly children: ComponentChildren
}

export function FormDialog(props: Props) {
  const { label, act, change, idle, saves = false, danger = false, children } = props
  const { onClose, onDone, onRefused, without } = props
  const asked = change === null ? '' : JSON.stringify(change)
  const settled = useSettled(asked)
  const stage = useSignal<StageKind>('planning')
  const applied = useSignal<string | null>(null)
  // What is applied is shown to its end, whatever becomes of the rows that it was made of.
  const shown = applied.value ?? (settled === asked ? asked : '')
  const isFixed = applied.value !== null
  return (
    <Dialog label={visible(label)} onClose={onClose} kind="plan-dialog">
      <form class="ask-form" onSubmit={(event) => event.preventDefault()}>
        <h2 class="t">{visible(label)}</h2>
        <fieldset class="bare" disabled={isFixed}>
          {children}
        </fieldset>
        {shown === '' && <p class="q2 gap">{idle}</p>}
      </form>
      {shown !== '' && (
        <ChangeBox
          change={JSON.parse(shown) as Change}
          act={act}
          danger={danger}
          saves={saves}
          onStage={(kind) => {
            stage.value = kind
            if (kind === 'applying') applied.value = shown
            if (kind === 'planning' || kind === 'planned' || kind === 'refused') applied.value = null
          }}
          {...(onDone && { onDone })}
          {...(onRefused && { onRefused })}
          {...(without && { without })}
        />
      )}
      <p class="acts pad">
        <button type="button" class="btn" onClick={(event) => isSecondPress(event) || onClose()}>
          {stage.value === 'done' ? 'Close' : 'Leave it'}
        </button>
      </p>
    </Dialog>
  )
}
