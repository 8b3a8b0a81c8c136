/** The edit of a domain: each field with what was released where it differs, faults at their field, theirs beside yours. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { guardLeaving, path, setQuery } from '../../address.ts'
import { invalidate } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import { codeOf, fieldFaults, type Fault } from '../../api/fault.ts'
import { mayChange, whyNot } from '../../api/session.ts'
import type { Domain } from '../../api/types.ts'
import { draftOf, FIELDS, movedFields, updateOf, type Draft } from '../../model/draft.ts'
import { visible } from '../../model/visible.ts'
import { fieldName } from '../../model/words.ts'
import { addKeys } from '../../parts/keys.ts'
import { Choice, Field, Select } from '../../parts/field.tsx'
import { FaultLine } from '../../parts/panel.tsx'

interface Props {
  readonly record: Domain
  readonly etag: string | null
  readonly onSaved: () => void
}

const KEPT = 'plumbline.draft:'

/** What was typed stays while somebody signs in again; a note is no secret, and secrets are no fields here. */
function keptDraft(): Draft | null {
  try {
    const text = window.sessionStorage.getItem(KEPT + path.peek())
    return text === null ? null : (JSON.parse(text) as Draft)
  } catch {
    return null
  }
}

function keepDraft(draft: Draft | null): void {
  try {
    if (draft === null) window.sessionStorage.removeItem(KEPT + path.peek())
    else window.sessionStorage.setItem(KEPT + path.peek(), JSON.stringify(draft))
  } catch {
    // Storage is full or forbidden: it stays in memory.
  }
}

export function EditForm({ record, etag, onSaved }: Props) {
  const base = useSignal({ record, etag })
  const draft = useSignal<Draft>(keptDraft() ?? draftOf(record))
  const fault = useSignal<Fault | null>(null)
  const busy = useSignal(false)
  const moved = movedFields(draftOf(base.value.record), draft.value)
  const faults = fieldFaults(fault.value)
  const set = (field: keyof Draft) => (value: string) => {
    draft.value = { ...draft.value, [field]: value }
    keepDraft(draft.value)
  }
  const theirs = record.revision === base.value.record.revision ? null : record
  const save = async () => {
    if (busy.value || moved.length === 0 || !mayChange.value) return
    busy.value = true
    const { record: from, etag: tag } = base.value
    const answer = await call<unknown>({
      method: 'PUT',
      path: `/api/domains/${from.id}`,
      body: updateOf(from, draft.value),
      ...(tag !== null && { if_match: tag }),
    })
    busy.value = false
    invalidate('all')
    if (!answer.ok) {
      fault.value = answer.fault
      return
    }
    keepDraft(null)
    onSaved()
    setQuery({ edit: null })
  }
  useEffect(() => addKeys([{ keys: 'mod+enter', label: 'Save', run: () => void save() }]))
  const dirty = moved.length > 0
  useEffect(
    () => guardLeaving(() => !dirty || window.confirm('What you typed is not saved. Leave it?')),
    [dirty],
  )
  const disabled = !mayChange.value
  return (
    <form
      class="form edit"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {theirs !== null && (
        <Meanwhile
          mine={draft.value}
          base={base.value.record}
          theirs={theirs}
          onTheirs={() => {
            base.value = { record: theirs, etag }
            draft.value = draftOf(theirs)
            keepDraft(null)
          }}
          onMine={() => {
            base.value = { record: theirs, etag }
          }}
        />
      )}
      <div class="fields">
        {FIELDS.map(({ field, kind, options }) => {
          const label = fieldName(field)
          const value = draft.value[field]
          if (kind === 'choice')
            return (
              <Choice
                key={field}
                label={label}
                value={value}
                options={options ?? []}
                onChoose={set(field)}
                disabled={disabled}
              />
            )
          if (kind === 'select')
            return (
              <Select
                key={field}
                label={label}
                value={value}
                options={(options ?? []).map(([one]) => one)}
                onChoose={set(field)}
                disabled={disabled}
              />
            )
          return (
            <Field
              key={field}
              label={label}
              value={value}
              onInput={set(field)}
              fault={faults.get(field) ?? null}
              disabled={disabled}
              hint={moved.includes(field) ? <Was text={draftOf(base.value.record)[field]} /> : undefined}
            />
          )
        })}
      </div>
      {codeOf(fault.value ?? { kind: 'offline' }) !== 'revision_mismatch' && (
        <FaultLine fault={fault.value} />
      )}
      <p class="acts gap2">
        <button type="submit" class="btn first" disabled={disabled || busy.value || moved.length === 0}>
          {busy.value ? 'Saving' : 'Save, then plan'} <kbd>⌘⏎</kbd>
        </button>
        <button
          type="button"
          class="btn"
          onClick={() => {
            keepDraft(null)
            draft.value = draftOf(base.value.record)
            setQuery({ edit: null })
          }}
        >
          Leave it
        </button>
        <span class="s q2">
          {whyNot.value ??
            (moved.length === 0
              ? 'Nothing has been changed.'
              : 'Saving is not deploying: the plan comes next.')}
        </span>
      </p>
    </form>
  )
}

const Was = ({ text }: { readonly text: string }) => (
  <p class="s q">saved: {text === '' ? 'empty' : visible(text)}</p>
)

interface MeanwhileProps {
  readonly mine: Draft
  readonly base: Domain
  readonly theirs: Domain
  readonly onTheirs: () => void
  readonly onMine: () => void
}

/** Somebody saved while this was typed: both, field by field. */
function Meanwhile({ mine, base, theirs, onTheirs, onMine }: MeanwhileProps) {
  const other = draftOf(theirs)
  const fields = [...new Set([...movedFields(draftOf(base), other), ...movedFields(draftOf(base), mine)])]
  return (
    <div class="box pad gapb" role="alert">
      <p>
        <b>This domain was saved by somebody else while you typed.</b>
      </p>
      <div class="three tri">
        <span class="h" />
        <span class="h">
          <b>Yours</b>
        </span>
        <span class="h sign" data-sign="≠">
          <b>Theirs</b>
        </span>
        {fields.map((field) => (
          <>
            <span class="q">{fieldName(field)}</span>
            <span>{visible(mine[field])}</span>
            <span>
              <span class="mark">{visible(other[field])}</span>
            </span>
          </>
        ))}
      </div>
      <p class="acts gap">
        <button type="button" class="btn" onClick={onTheirs}>
          Take theirs
        </button>
        <button type="button" class="btn" onClick={onMine}>
          Keep mine
        </button>
      </p>
    </div>
  )
}
