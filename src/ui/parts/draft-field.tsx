/** One field of a record in a form, as its kind wants it. */
import type { ComponentChildren } from 'preact'
import type { Draft, FormField } from '../model/draft.ts'
import { fieldName } from '../model/words.ts'
import { Choice, Field, Select } from './field.tsx'

interface Props {
  readonly of: FormField
  readonly value: string
  readonly onInput: (field: keyof Draft, value: string) => void
  readonly fault?: string | null
  readonly disabled?: boolean
  readonly hint?: ComponentChildren
}

export function DraftField({
  of: { field, kind, options = [] },
  value,
  onInput,
  fault = null,
  disabled = false,
  hint,
}: Props) {
  const label = fieldName(field)
  const set = (next: string) => onInput(field, next)
  if (kind === 'choice')
    return <Choice label={label} value={value} options={options} onChoose={set} disabled={disabled} />
  if (kind === 'select')
    return (
      <Select
        label={label}
        value={value}
        options={options.map(([one]) => one)}
        onChoose={set}
        disabled={disabled}
      />
    )
  return <Field label={label} value={value} onInput={set} fault={fault} disabled={disabled} hint={hint} />
}
