/** The edit of a domain: each field with what was released where it differs, faults at their field, theirs beside yours, the plan beside. */
import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { guardLeaving, setQuery } from '../../address.ts'
import { invalidate, refresh } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import { codeOf, fieldFaults, type Fault } from '../../api/fault.ts'
import { mayChange, whyNot } from '../../api/session.ts'
import type { Domain } from '../../api/types.ts'
import { apiField, draftOf, FIELDS, movedFields, setOf, updateOf, type Draft } from '../../model/draft.ts'
import { visible } from '../../model/visible.ts'
import { ChangeBox } from '../../parts/change/change.tsx'
import type { StageKind } from '../../parts/change/run.ts'
import { addKeys, MOD_ENTER } from '../../parts/keys.ts'
import { DraftField } from '../../parts/draft-field.tsx'
import { keepDraft, keptDraft } from '../../api/kept-draft.ts'
import { FaultLine } from '../../parts/panel.tsx'
import { Meanwhile } from './meanwhile.tsx'
import { Known } from './summary.tsx'

export interface EditProps {
  readonly record: Domain
  readonly etag: string | null
  readonly onSaved: () => void
  /** It is saved, deployed and proven: the form has gone, its proof stands until it is closed. */
  readonly onProven: () => void
  readonly onClose: () => void
}

const SETTLE_MS = 300

export function EditForm({ record, etag, onSaved, onProven, onClose }: EditProps) {
  const base = useSignal({ record, etag })
  const draft = useSignal<Draft>(keptDraft<Draft>() ?? draftOf(record))
  const fault = useSignal<Fault | null>(null)
  const busy = useSignal(false)
  const stage = useSignal<StageKind>('planning')
  const planned = useSignal<PlannedEdit | null>(null)
  const moved = movedFields(draftOf(base.value.record), draft.value)
  const faults = fieldFaults(fault.value)
  const set = (field: keyof Draft, value: string) => {
    draft.value = { ...draft.value, [field]: value }
    keepDraft(draft.value)
    planned.value = null
    stage.value = 'planning'
  }
  const isApplying = stage.value === 'applying'
  const isDone = stage.value === 'done'
  const isNewer = record.revision !== base.value.record.revision
  // What this form has just applied is nobody else's.
  const isOwn = isNewer && (isDone || movedFields(draftOf(record), draft.value).length === 0)
  const theirs = isNewer && !isOwn && !isApplying ? record : null
  useEffect(() => {
    if (!isOwn) return
    base.value = { record, etag }
    draft.value = draftOf(record)
    keepDraft(null)
  }, [isOwn, record.revision])
  const isLive = record.status === 'active'
  const set_now = JSON.stringify(setOf(base.value.record, draft.value))
  const plan_key = `${base.value.record.revision} ${set_now}`
  useEffect(() => {
    if (isApplying || isDone) return undefined
    if (!isLive || set_now === '{}' || theirs !== null) {
      planned.value = null
      return undefined
    }
    const { id, revision } = base.value.record
    const timer = setTimeout(() => {
      planned.value = { key: plan_key, id, revision, set: JSON.parse(set_now) as object }
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [plan_key, isLive, theirs === null, isApplying, isDone])
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
  // Of a live domain the plan beside takes the key.
  useLayoutEffect(() =>
    isLive ? undefined : addKeys([{ keys: 'mod+enter', label: 'Save', run: () => void save() }]),
  )
  const dirty = moved.length > 0 && !isDone
  useEffect(
    () => guardLeaving(() => !dirty || window.confirm('What you typed is not saved. Leave it?')),
    [dirty],
  )
  const disabled = !mayChange.value || isApplying
  const form = (
    <form
      class="form edit"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isLive) void save()
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
            // What they saved in fields that were not touched here stays theirs.
            const own = moved.map((field) => [field, draft.value[field]] as const)
            base.value = { record: theirs, etag }
            draft.value = { ...draftOf(theirs), ...Object.fromEntries(own) }
            keepDraft(draft.value)
          }}
        />
      )}
      <div class="fields">
        {FIELDS.map((one) => (
          <DraftField
            key={one.field}
            of={one}
            value={draft.value[one.field]}
            onInput={set}
            fault={faults.get(apiField(one.field)) ?? null}
            disabled={disabled}
            hint={
              moved.includes(one.field) ? <Was text={draftOf(base.value.record)[one.field]} /> : undefined
            }
          />
        ))}
      </div>
      {stage.value !== 'refused' && codeOf(fault.value ?? { kind: 'offline' }) !== 'revision_mismatch' && (
        <FaultLine fault={fault.value} />
      )}
      <p class="acts gap2">
        <button
          type="button"
          class={isLive ? 'btn' : 'btn first'}
          disabled={disabled || busy.value || moved.length === 0 || theirs !== null}
          onClick={() => void save()}
        >
          {busy.value ? 'Saving' : 'Save only'} {!isLive && <kbd>{MOD_ENTER}</kbd>}
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
        <span class="s q2">{whyNot.value ?? beside(theirs !== null, moved.length)}</span>
      </p>
    </form>
  )
  return (
    <div class="pair gap">
      {isDone ? <Known record={record} /> : form}
      {planned.value === null ? (
        <NoPlan status={record.status} />
      ) : (
        <ChangeBox
          key={planned.value.key}
          change={{ kind: 'plan', body: { edits: [editOf(planned.value)] } }}
          act="Save and deploy"
          onStage={(kind) => {
            stage.value = kind
            if (kind === 'done') onProven()
          }}
          extra={
            <p class="acts gap">
              <button type="button" class="btn" onClick={onClose}>
                Close
              </button>
            </p>
          }
          onRefused={(refused) => {
            fault.value = refused
            if (refused !== null && codeOf(refused) === 'revision_mismatch')
              void refresh(`/api/domains/${record.id}`)
          }}
        />
      )}
    </div>
  )
}

/** The notice of what somebody else saved stands above the form, out of sight where it is long. */
function beside(is_newer: boolean, moved: number): string {
  if (is_newer) return 'Somebody else saved it while you typed: choose above.'
  return moved === 0
    ? 'Nothing has been changed.'
    : 'Saving is not deploying: what is saved waits for a plan.'
}

interface PlannedEdit {
  /** Of what it is a plan; another one is another plan. */
  readonly key: string
  readonly id: number
  readonly revision: number
  readonly set: object
}

const editOf = ({ id, revision, set }: PlannedEdit) => ({ id, revision, set })

const NoPlan = ({ status }: { readonly status: string }) => (
  <section class="plan box still" aria-label="Plan">
    <header>
      <h2 class="head2">Plan</h2>
      <span class="s q">as you type</span>
    </header>
    <section>
      <p class="q2">
        {status === 'active'
          ? 'With a field changed, what would happen stands here. Nothing is saved by looking at it.'
          : `This domain is ${status}: a change of it is saved, and nothing of it is deployed.`}
      </p>
    </section>
  </section>
)

const Was = ({ text }: { readonly text: string }) => (
  <p class="s q">saved: {text === '' ? 'empty' : visible(text)}</p>
)
