/** A key for the gateway: pasted or from a file, what it may do, and the line as sshd will read it. */
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { daemonTime } from '../../api/clock.ts'
import { fieldFaults, type Fault } from '../../api/fault.ts'
import {
  addBody,
  DRAFT_FLAGS,
  EMPTY_SSH,
  keyLineFault,
  untilFault,
  type SshDraft,
} from '../../model/granted/ssh.ts'
import { visible } from '../../model/visible.ts'
import { FormDialog } from '../../parts/change/form-dialog.tsx'
import { Field } from '../../parts/field.tsx'

/** A .pub file is one line. */
const MAX_BYTES = 20_000

export function AddClient({ onClose }: { readonly onClose: () => void }) {
  const draft = useSignal<SshDraft>(EMPTY_SSH)
  const fault = useSignal<Fault | null>(null)
  const faults = fieldFaults(fault.value)
  const set = (change: Partial<SshDraft>) => {
    draft.value = { ...draft.value, ...change }
  }
  const body = addBody(draft.value)
  return (
    <FormDialog
      label="Add a key"
      act="Let it log in"
      change={body === null ? null : { kind: 'call', method: 'POST', path: '/api/ssh-clients', body }}
      idle="With a key, the line as sshd will read it stands here."
      saves
      onClose={onClose}
      onRefused={(refused) => {
        fault.value = refused
      }}
    >
      <KeyField
        value={draft.value.line}
        fault={keyLineFault(draft.value.line) ?? faults.get('public_key') ?? null}
        onInput={(line) => set({ line })}
      />
      <Field
        label="Name"
        value={draft.value.name}
        placeholder="the comment of the key"
        fault={faults.get('name') ?? null}
        onInput={(name) => set({ name })}
      />
      <fieldset class="field ticks">
        <legend>
          <b>May have</b>
        </legend>
        {DRAFT_FLAGS.map(([flag, label]) => (
          <label key={flag}>
            <input
              type="checkbox"
              checked={draft.value[flag]}
              onChange={(event) => set({ [flag]: event.currentTarget.checked })}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <div class="fields">
        <Field
          label="Only from"
          value={draft.value.from}
          placeholder="10.0.0.0/8, 192.168.1.20"
          fault={faults.get('options') ?? null}
          onInput={(from) => set({ from })}
        />
        <Field
          label="Runs only"
          value={draft.value.command}
          placeholder="any command"
          onInput={(command) => set({ command })}
        />
        <Field
          label="Forwards only to"
          value={draft.value.permit_open}
          placeholder="nas.example:22"
          onInput={(permit_open) => set({ permit_open })}
        />
        <Field
          label="Until"
          type="datetime-local"
          value={draft.value.until}
          fault={untilFault(draft.value.until, daemonTime())}
          onInput={(until) => set({ until })}
        />
      </div>
    </FormDialog>
  )
}

interface KeyProps {
  readonly value: string
  readonly fault: string | null
  readonly onInput: (line: string) => void
}

function KeyField({ value, fault, onInput }: KeyProps) {
  const id = useId()
  const read = async (file: File | undefined) => {
    if (file !== undefined && file.size <= MAX_BYTES) onInput((await file.text()).trim())
  }
  return (
    <div class={fault === null ? 'field' : 'field wrong'}>
      <label for={id}>
        <b>Public key</b>
      </label>
      <textarea
        id={id}
        class="area mono"
        rows={3}
        value={value}
        placeholder="ssh-ed25519 AAAAC3… jo@laptop"
        autocomplete="off"
        spellcheck={false}
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autofocus
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : `${id}-fault`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <label class="s q2">
        or its .pub file{' '}
        <input
          type="file"
          accept=".pub,text/plain"
          onChange={(event) => void read(event.currentTarget.files?.[0])}
        />
      </label>
      {fault !== null && (
        <p class="check s c-bad" id={`${id}-fault`}>
          {visible(fault)}
        </p>
      )}
    </div>
  )
}
