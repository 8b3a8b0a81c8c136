/** A new edge: its name and where it is; then its token once, with the lines for its proxy. */
import { useSignal } from '@preact/signals'
import { fieldFaults, type Fault } from '../../api/fault.ts'
import type { EdgeIssued } from '../../api/types.ts'
import { FormDialog } from '../../parts/change/form-dialog.tsx'
import { Field } from '../../parts/field.tsx'

interface Props {
  readonly onClose: () => void
  readonly onIssued: (answer: EdgeIssued) => void
}

const EMPTY = { name: '', hostname: '', address: '', region: '' }
type EdgeDraft = typeof EMPTY

const FIELDS = [
  ['name', 'Name', 'fra1'],
  ['hostname', 'Reached at', 'edge-1.example.com'],
  ['address', 'Address', '203.0.113.9'],
  ['region', 'Region', 'Frankfurt'],
] as const

export function NewEdge({ onClose, onIssued }: Props) {
  const draft = useSignal<EdgeDraft>(EMPTY)
  const fault = useSignal<Fault | null>(null)
  const faults = fieldFaults(fault.value)
  const filled = Object.entries(draft.value)
    .map(([field, text]) => [field, text.trim()] as const)
    .filter(([, text]) => text !== '')
  return (
    <FormDialog
      label="Add an edge"
      act="Add it"
      change={
        draft.value.name.trim() === ''
          ? null
          : { kind: 'call', method: 'POST', path: '/api/ccm/edge/edges', body: Object.fromEntries(filled) }
      }
      idle="With a name, what would happen stands here. The token is shown once, and kept nowhere."
      saves
      onClose={onClose}
      onRefused={(refused) => {
        fault.value = refused
      }}
      onDone={(body) => onIssued(body as EdgeIssued)}
    >
      {FIELDS.map(([field, label, example]) => (
        <Field
          key={field}
          label={label}
          value={draft.value[field]}
          placeholder={example}
          autofocus={field === 'name'}
          fault={faults.get(field) ?? null}
          onInput={(value) => {
            draft.value = { ...draft.value, [field]: value }
          }}
        />
      ))}
    </FormDialog>
  )
}
