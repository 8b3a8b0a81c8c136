/** Another name for a domain: what goes and what comes is a plan as any other. */
import { useSignal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { refresh } from '../../api/cache.ts'
import { codeOf, fieldFaults, type Fault } from '../../api/fault.ts'
import type { Domain } from '../../api/types.ts'
import { nameOf } from '../../model/new-domain.ts'
import { FormDialog } from '../../parts/change/form-dialog.tsx'
import { Field } from '../../parts/field.tsx'

interface Props {
  readonly record: Domain
  readonly onClose: () => void
}

export function Rename({ record, onClose }: Props) {
  // The record gets its new name while the proof is read.
  const [before] = useState(record.domain)
  const name = useSignal(before)
  const fault = useSignal<Fault | null>(null)
  const domain = nameOf(name.value)
  const { id, revision, status } = record
  const moves = domain !== null && domain !== record.domain
  return (
    <FormDialog
      label={`Rename ${before}`}
      act={status === 'active' ? 'Rename and deploy' : 'Rename'}
      change={moves ? { kind: 'plan', body: { edits: [{ id, revision, set: { domain } }] } } : null}
      idle="With another name, what would happen stands here."
      saves
      onClose={onClose}
      onRefused={(refused) => {
        fault.value = refused
        if (refused !== null && codeOf(refused) === 'revision_mismatch') void refresh(`/api/domains/${id}`)
      }}
    >
      <Field
        label="Name"
        value={name.value}
        autofocus
        fault={fieldFaults(fault.value).get('domain') ?? null}
        onInput={(value) => {
          name.value = value
        }}
        hint={
          <p class="check s">The old name stops answering; whoever has it as a bookmark finds nothing.</p>
        }
      />
    </FormDialog>
  )
}
