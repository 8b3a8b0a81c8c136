/** Takes over a record that somebody else made, by its name: also one whose domain waits for it to be deployed. */
import { useSignal } from '@preact/signals'
import { useResource } from '../../api/cache.ts'
import type { Change } from '../../api/plans.ts'
import type { Domain } from '../../api/types.ts'
import { recordNameFault } from '../../model/kept/records.ts'
import { FormDialog } from '../../parts/change/form-dialog.tsx'
import { Choice, Field } from '../../parts/field.tsx'

const TYPES = [
  ['A', 'A'],
  ['AAAA', 'AAAA'],
  ['CNAME', 'CNAME'],
] as const

type RecordType = (typeof TYPES)[number][0]

export function Adopt({ onClose }: { readonly onClose: () => void }) {
  const name = useSignal('')
  const type = useSignal<RecordType>('A')
  const domains = useResource<readonly Domain[]>('/api/domains').value ?? []
  const typed = name.value.trim().toLowerCase()
  const fault = recordNameFault(typed)
  const change: Change | null =
    typed !== '' && fault === null
      ? {
          kind: 'call',
          method: 'POST',
          path: '/api/dns/records/adopt',
          body: { name: typed, type: type.value },
        }
      : null
  return (
    <FormDialog
      label="Take a record over"
      act="Take it over"
      change={change}
      idle="Which record, at the name of a domain? Its value stays until that domain is deployed."
      onClose={onClose}
    >
      <Field
        label="Name"
        value={name.value}
        fault={fault}
        placeholder="app.home.example"
        list={domains.map(({ domain }) => domain)}
        autofocus
        onInput={(value) => {
          name.value = value
        }}
      />
      <Choice
        label="Type"
        value={type.value}
        options={TYPES}
        onChoose={(value) => {
          type.value = value
        }}
      />
    </FormDialog>
  )
}
