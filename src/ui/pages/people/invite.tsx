/** Invites a person: mail, name and groups, the plan of it, and the mail as it went. */
import { useSignal } from '@preact/signals'
import { fieldFaults, type Fault } from '../../api/fault.ts'
import type { Change } from '../../api/plans.ts'
import type { UserInvited } from '../../api/types.ts'
import { groupsOf } from '../../model/kept/people.ts'
import { visible } from '../../model/visible.ts'
import { FormDialog } from '../../parts/change/form-dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { LampIcon } from '../../parts/lamp.tsx'

interface Props {
  readonly groups: readonly string[]
  readonly onClose: () => void
}

export function Invite({ groups, onClose }: Props) {
  const email = useSignal('')
  const name = useSignal('')
  const among = useSignal('')
  const fault = useSignal<Fault | null>(null)
  const sent = useSignal<UserInvited | null>(null)
  const faults = fieldFaults(fault.value)
  const body = {
    email: email.value.trim(),
    display_name: name.value.trim(),
    groups: groupsOf(among.value),
  }
  const isWhole = /.@./.test(body.email) && body.display_name !== ''
  const change: Change | null = isWhole
    ? { kind: 'call', method: 'POST', path: '/api/users/invite', body }
    : null
  return (
    <FormDialog
      label="Invite a person"
      act="Invite"
      change={change}
      idle="They get a mail that tells how to sign in, and set their own password. No password is in it."
      onClose={onClose}
      onRefused={(refusal) => {
        fault.value = refusal
      }}
      onDone={(answer) => {
        sent.value = isInvited(answer) ? answer : null
      }}
    >
      <Field
        label="Mail"
        value={email.value}
        placeholder="jo@example.net"
        autofocus
        fault={faults.get('email') ?? null}
        onInput={(value) => {
          email.value = value
        }}
      />
      <Field
        label="Name"
        value={name.value}
        placeholder="Jo Roe"
        fault={faults.get('display_name') ?? null}
        onInput={(value) => {
          name.value = value
        }}
      />
      <Field
        label="Groups"
        value={among.value}
        placeholder="family, staff"
        list={groups}
        fault={faults.get('groups') ?? null}
        onInput={(value) => {
          among.value = value
        }}
      />
      {sent.value !== null && <Instructions answer={sent.value} />}
    </FormDialog>
  )
}

const isInvited = (answer: unknown): answer is UserInvited =>
  typeof answer === 'object' && answer !== null && 'instructions' in answer

const Instructions = ({ answer: { instructions, warnings, read } }: { readonly answer: UserInvited }) => (
  <div class="gap">
    {warnings.map((warning) => (
      <p key={warning} class="why">
        <LampIcon lamp="drift" />
        <span>{visible(warning)}</span>
      </p>
    ))}
    {read === false && <p class="c-unknown">The sign-in page has not read it yet.</p>}
    <details>
      <summary>The mail as it went</summary>
      <p class="gap">
        <b>{visible(instructions.subject)}</b>
      </p>
      <pre class="pre s box pad">{instructions.text}</pre>
    </details>
  </div>
)
