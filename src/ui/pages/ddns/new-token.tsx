/** A key for a gateway: what issuing means, then the key once, with what is typed into the router. */
import { useSignal } from '@preact/signals'
import { fieldFaults, type Fault } from '../../api/fault.ts'
import type { SiteTokenIssued } from '../../api/types.ts'
import { FormDialog } from '../../parts/change/form-dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { KeyOnce } from './key-once.tsx'

interface Props {
  readonly host: string
  readonly hosts: readonly string[]
  readonly onClose: () => void
}

export function NewToken({ host: first, hosts, onClose }: Props) {
  const host = useSignal(first)
  const label = useSignal('')
  const fault = useSignal<Fault | null>(null)
  const issued = useSignal<SiteTokenIssued | null>(null)
  if (issued.value !== null) return <KeyOnce of={issued.value} onClose={onClose} />
  const name = host.value.trim().toLowerCase()
  const text = label.value.trim()
  const faults = fieldFaults(fault.value)
  return (
    <FormDialog
      label="Issue a key"
      act="Issue the key"
      change={
        name === ''
          ? null
          : {
              kind: 'call',
              method: 'POST',
              path: '/api/ddns/tokens',
              body: { host: name, ...(text !== '' && { label: text }) },
            }
      }
      idle="With a host, what would happen stands here. The key is shown once, and kept nowhere."
      saves
      onClose={onClose}
      onRefused={(refused) => {
        fault.value = refused
      }}
      onDone={(body) => {
        issued.value = body as SiteTokenIssued
      }}
    >
      <Field
        label="Host"
        value={host.value}
        list={hosts}
        autofocus={first === ''}
        fault={faults.get('host') ?? null}
        onInput={(value) => {
          host.value = value
        }}
        hint={<p class="check s">The one name that it can report addresses for.</p>}
      />
      <Field
        label="What it is for"
        value={label.value}
        placeholder="router in the attic"
        fault={faults.get('label') ?? null}
        onInput={(value) => {
          label.value = value
        }}
      />
    </FormDialog>
  )
}
