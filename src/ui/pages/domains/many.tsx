/** What can be said of many domains at once: who gets in, tags, one field. One plan of all of it, which saves and deploys. */
import { useSignal } from '@preact/signals'
import { refresh } from '../../api/cache.ts'
import { codeOf } from '../../api/fault.ts'
import type { Domain } from '../../api/types.ts'
import { editsOf, FIELDS, retagged, wordsOf, type Draft } from '../../model/draft.ts'
import { visible } from '../../model/visible.ts'
import { count, fieldName, number } from '../../model/words.ts'
import { Choice, Field, Select } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/change/form-dialog.tsx'

export type ManyAct = 'sign_in' | 'tag' | 'field'

const TITLES = { sign_in: 'Sign-in', tag: 'Tags', field: 'One field' } as const

interface Props {
  readonly act: ManyAct
  readonly records: readonly Domain[]
  readonly tags: readonly string[]
  readonly onClose: () => void
}

type Edit = (draft: Draft) => Draft

export function ManyDialog({ act, records, tags, onClose }: Props) {
  const edit = useSignal<Edit | null>(null)
  const only = useSignal<ReadonlySet<number> | null>(null)
  const planned = records.filter(({ id }) => only.value?.has(id) ?? true)
  const edits = edit.value === null ? [] : editsOf(planned, edit.value)
  const same = planned.length - edits.length
  const Fields = FORMS[act]
  return (
    <FormDialog
      label={`${TITLES[act]} of ${count(records.length, 'domain')}`}
      act={planned.some(({ status }) => status === 'active') ? 'Save and deploy' : 'Save'}
      change={edits.length === 0 ? null : { kind: 'plan', body: { edits } }}
      idle={
        edit.value === null
          ? 'With something chosen, what would happen stands here.'
          : 'All of them are so already.'
      }
      saves
      onClose={onClose}
      onRefused={(fault) => {
        if (fault !== null && codeOf(fault) === 'revision_mismatch') void refresh('/api/domains')
      }}
      without={(ids) => {
        only.value = new Set(ids)
      }}
    >
      <Fields
        records={records}
        tags={tags}
        onEdit={(next) => {
          edit.value = next
        }}
      />
      {edits.length > 0 && same > 0 && (
        <p class="s q2 gap">{number(same)} of them are so already and stay out of it.</p>
      )}
      {only.value !== null && (
        <p class="s q2 gap">{number(records.length - planned.length)} were taken out and stay as they are.</p>
      )}
    </FormDialog>
  )
}

interface FormProps {
  readonly records: readonly Domain[]
  readonly tags: readonly string[]
  readonly onEdit: (edit: Edit | null) => void
}

function SignInForm({ onEdit }: FormProps) {
  const chosen = useSignal<'' | 'yes' | 'no'>('')
  return (
    <>
      <Choice
        full
        label="Who gets in"
        value={chosen.value}
        options={[
          ['yes', 'who has signed in'],
          ['no', 'open to all'],
        ]}
        onChoose={(value) => {
          chosen.value = value
          onEdit((draft) => ({ ...draft, auth_required: value }))
        }}
      />
      {chosen.value === 'no' && (
        <p class="check s">Anybody who knows the names can open them, without a sign-in.</p>
      )}
    </>
  )
}

function TagForm({ records, tags, onEdit }: FormProps) {
  const add = useSignal('')
  const remove = useSignal<readonly string[]>([])
  const own = [...new Set(records.flatMap((record) => record.tags))].toSorted()
  const report = () => {
    const more = wordsOf(add.value)
    const less = remove.value
    onEdit(more.length + less.length === 0 ? null : (draft) => retagged(draft, more, less))
  }
  return (
    <>
      <Field
        label="Add"
        value={add.value}
        placeholder="media docs"
        list={tags}
        autofocus
        onInput={(value) => {
          add.value = value
          report()
        }}
      />
      {own.length > 0 && (
        <fieldset class="field">
          <legend>
            <b>Take away</b>
          </legend>
          <div class="acts">
            {own.map((tag) => (
              <button
                key={tag}
                type="button"
                class="chip"
                aria-pressed={remove.value.includes(tag)}
                onClick={() => {
                  const on = remove.value.includes(tag)
                  remove.value = on ? remove.value.filter((one) => one !== tag) : [...remove.value, tag]
                  report()
                }}
              >
                {visible(tag)}
              </button>
            ))}
          </div>
        </fieldset>
      )}
    </>
  )
}

/** A name is of one record, and what has a form of its own is not here. */
const COMMON = FIELDS.filter(({ field }) => !['domain', 'auth_required', 'tags'].includes(field))

function FieldForm({ onEdit }: FormProps) {
  const field = useSignal<keyof Draft>('dns_ttl')
  const value = useSignal<string | null>(null)
  const { options } = COMMON.find((one) => one.field === field.value)!
  const set = (next: string) => {
    value.value = next
    const name = field.value
    onEdit((draft) => ({ ...draft, [name]: next }))
  }
  return (
    <>
      <Select
        label="Field"
        value={fieldName(field.value)}
        options={COMMON.map((one) => fieldName(one.field))}
        onChoose={(name) => {
          field.value = COMMON.find((one) => fieldName(one.field) === name)!.field
          value.value = null
          onEdit(null)
        }}
      />
      {options === undefined ? (
        <Field label="New value" value={value.value ?? ''} placeholder="empty" onInput={set} />
      ) : (
        <Choice label="New value" value={value.value ?? '-'} options={options} onChoose={set} />
      )}
    </>
  )
}

const FORMS = { sign_in: SignInForm, tag: TagForm, field: FieldForm } as const
