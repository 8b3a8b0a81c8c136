/** A field of a form: its label, what the API says of it, and what was released where that differs. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { visible } from '../model/visible.ts'
import { LampIcon } from './lamp.tsx'

interface Props {
  readonly label: string
  readonly value: string
  readonly onInput: (value: string) => void
  readonly fault?: string | null
  readonly hint?: ComponentChildren
  readonly big?: boolean
  readonly type?: 'text' | 'password' | 'number' | 'datetime-local'
  readonly placeholder?: string
  readonly list?: readonly string[]
  readonly disabled?: boolean
  readonly autofocus?: boolean
  readonly name?: string
}

export function Field(props: Props) {
  const { label, value, onInput, fault = null, hint, big = false, list } = props
  const id = useId()
  return (
    <div class={fault === null ? 'field' : 'field wrong'}>
      <label for={id}>
        <b>{label}</b>
      </label>
      <span class={big ? 'input big2' : 'input'}>
        <input
          id={id}
          // Each kind of input has a type of its own; what is common to them is enough here.
          {...({ type: props.type ?? 'text' } as { type: 'text' })}
          name={props.name ?? id}
          value={value}
          placeholder={props.placeholder}
          disabled={props.disabled}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          list={list === undefined ? undefined : `${id}-list`}
          aria-invalid={fault !== null}
          aria-describedby={fault === null ? undefined : `${id}-fault`}
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autofocus={props.autofocus ?? false}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </span>
      {list !== undefined && (
        <datalist id={`${id}-list`}>
          {list.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      {fault !== null && (
        <p class="check s c-bad" id={`${id}-fault`}>
          <LampIcon lamp="bad" plain />
          <span>{visible(fault)}</span>
        </p>
      )}
      {hint}
    </div>
  )
}

interface ChoiceProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly (readonly [T, string])[]
  readonly onChoose: (value: T) => void
  readonly disabled?: boolean
  readonly full?: boolean
  readonly quiet?: boolean
}

/** One of few, as radio buttons that look like a bar: arrows go through them as the browser has it. */
export function Choice<T extends string>(props: ChoiceProps<T>) {
  const { label, value, options, onChoose, disabled = false, full = false, quiet = false } = props
  const name = useId()
  return (
    <fieldset class={quiet ? 'bare' : 'field'} disabled={disabled}>
      <legend class={quiet ? 'sr' : ''}>
        <b>{label}</b>
      </legend>
      <div class={full ? 'seg full' : 'seg'}>
        {options.map(([one, text]) => (
          <label key={one} class={one === value ? 'on' : ''}>
            <input
              type="radio"
              class="sr"
              name={name}
              checked={one === value}
              onChange={() => onChoose(one)}
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface SelectProps {
  readonly label: string
  readonly value: string
  readonly options: readonly string[]
  readonly onChoose: (value: string) => void
  readonly disabled?: boolean
}

export function Select({ label, value, options, onChoose, disabled = false }: SelectProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>
        <b>{label}</b>
      </label>
      <span class="input">
        <select
          id={id}
          value={value}
          disabled={disabled}
          onChange={(event) => onChoose(event.currentTarget.value)}
        >
          {options.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </span>
    </div>
  )
}
