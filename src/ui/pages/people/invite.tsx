/** Invites a person: mail, name and groups, the plan of it, the mail as it would go, and what became of it. */
import { useSignal } from '@preact/signals'
import { fieldFaults, type Fault } from '../../api/fault.ts'
import type { Change } from '../../api/plans.ts'
import type { UserInvited } from '../../api/types.ts'
import { groupsOf, mailTitle } from '../../model/kept/people.ts'
import { visible, visibleLines } from '../../model/visible.ts'
import { FormDialog } from '../../parts/change/form-dialog.tsx'
import { Field } from '../../parts/field.tsx'

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
  const planned = useSignal<Pick<UserInvited, 'username' | 'instructions'> | null>(null)
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
      onPlanned={(answer) => {
        planned.value = isInvited(answer) ? answer : null
      }}
      onRefused={(refusal) => {
        fault.value = refusal
        if (refusal !== null) planned.value = null
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
      {sent.value === null && isWhole && planned.value !== null && (
        <div class="gap">
          <p class="s q2">User name: {visible(planned.value.username)}</p>
          <MailText
            title={`The mail as it would go to ${visible(body.email)}`}
            of={planned.value.instructions}
          />
        </div>
      )}
    </FormDialog>
  )
}

const isInvited = (answer: unknown): answer is UserInvited =>
  typeof answer === 'object' && answer !== null && 'instructions' in answer

type Mail = UserInvited['instructions']

/** What it warns of stands in the proof. */
const Instructions = ({ answer: { instructions, read, user } }: { readonly answer: UserInvited }) => (
  <div class="gap">
    {read === false && <p class="c-unknown">The sign-in page has not read it yet.</p>}
    <MailText title={mailTitle(user)} of={instructions} />
  </div>
)

const MailText = ({ title, of: { subject, text } }: { readonly title: string; readonly of: Mail }) => (
  <details>
    <summary>{title}</summary>
    <p class="gap">
      <b>{visible(subject)}</b>
    </p>
    <pre class="pre s box pad">{visibleLines(text)}</pre>
  </details>
)
