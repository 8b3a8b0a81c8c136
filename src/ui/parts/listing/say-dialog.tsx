/** An act without fields: what it means in a sentence, the plan below, one press, its proof. */
import { visible } from '../../model/visible.ts'
import type { Change } from '../../api/plans.ts'
import { FormDialog } from '../change/form-dialog.tsx'

interface Props {
  readonly label: string
  readonly act: string
  readonly says: string
  readonly change: Change
  readonly danger?: boolean
  readonly onClose: () => void
  readonly onDone?: (body: unknown) => void
}

export const SayDialog = ({ says, onDone, danger = false, ...props }: Props) => (
  <FormDialog {...props} danger={danger} idle="" saves {...(onDone && { onDone })}>
    <p class="q2">{visible(says)}</p>
  </FormDialog>
)
