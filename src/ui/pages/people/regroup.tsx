/** Puts a person into other groups. */
import { useSignal } from '@preact/signals'
import { fieldFaults, type Fault } from '../../api/fault.ts'
import { groupsOf, type PersonRow } from '../../model/kept/people.ts'
import { visible } from '../../model/visible.ts'
import { FormDialog } from '../../parts/change/form-dialog.tsx'
import { Field } from '../../parts/field.tsx'

interface Props {
  readonly row: PersonRow
  readonly groups: readonly string[]
  readonly onClose: () => void
}

export function Regroup({ row: { key, name, of: user }, groups, onClose }: Props) {
  const typed = useSignal(user.groups.join(', '))
  const fault = useSignal<Fault | null>(null)
  const next = groupsOf(typed.value)
  const isSame = next.toSorted().join('\n') === user.groups.toSorted().join('\n')
  return (
    <FormDialog
      label={`Groups of ${visible(name)}`}
      act="Put them into these groups"
      change={
        isSame
          ? null
          : {
              kind: 'call',
              method: 'PUT',
              path: `/api/users/${encodeURIComponent(key)}/groups`,
              body: { groups: next },
            }
      }
      idle="These are their groups now. Access rules that name a group follow."
      onClose={onClose}
      onRefused={(refusal) => {
        fault.value = refusal
      }}
    >
      <Field
        label="Groups"
        value={typed.value}
        list={groups}
        autofocus
        fault={fieldFaults(fault.value).get('groups') ?? null}
        onInput={(value) => {
          typed.value = value
        }}
      />
    </FormDialog>
  )
}
