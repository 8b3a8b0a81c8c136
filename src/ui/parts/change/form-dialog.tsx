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
  /** The answer of the rehearsal. */
  readonly onPlanned?: (answer: unknown) => void
  readonly onRefused?: (fault: Fault | null) => void
  readonly without?: (ids: readonly number[]) => void
  readonly children: ComponentChildren
}

export function FormDialog(props: Props) {
  const { label, act, change, idle, saves = false, danger = false, children } = props
  const { onClose, onDone, onPlanned, onRefused, without } = props
  const isTyped = useSignal(false)
  const asks = useSignal(false)
  const asked = change === null ? '' : JSON.stringify(change)
  const settled = useSettled(asked)
  const stage = useSignal<StageKind>('planning')
  const applied = useSignal<string | null>(null)
  // What is applied is shown to its end, whatever becomes of the rows that it was made of.
  const shown = applied.value ?? (settled === asked ? asked : '')
  const isFixed = applied.value !== null
  // What was typed goes with the second try to leave it, and not with a key that was meant for something else.
  const leave = () => {
    if (!isTyped.value || asks.value || stage.value === 'applying' || stage.value === 'done') onClose()
    else asks.value = true
  }
  return (
    <Dialog label={visible(label)} onClose={leave} kind="plan-dialog">
      <form
        class="ask-form"
        onSubmit={(event) => event.preventDefault()}
        onInput={() => {
          isTyped.value = true
          asks.value = false
        }}
      >
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
          {...(onPlanned && { onPlanned })}
          {...(onRefused && { onRefused })}
          {...(without && { without })}
        />
      )}
      {asks.value && (
        <p class="s c-drift pad" role="alert">
          What was typed here is lost by closing. Esc once more closes; typing goes on.
        </p>
      )}
      <p class="acts pad">
        <button type="button" class="btn" onClick={(event) => isSecondPress(event) || onClose()}>
          {stage.value === 'done' ? 'Close' : 'Leave it'}
        </button>
      </p>
    </Dialog>
  )
}
