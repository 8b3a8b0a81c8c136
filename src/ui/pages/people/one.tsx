/** One person: where they stand, how far the invitation is, what they can open, and what can be done. */
import { useSignal } from '@preact/signals'
import { mayChange, whyNot } from '../../api/session.ts'
import { parseTimeOr } from '../../model/ages.ts'
import { invitationSteps, personText, type PersonRow } from '../../model/kept/people.ts'
import { toneOf } from '../../model/kept/tones.ts'
import { LAMP_WORDS } from '../../model/lamps.ts'
import { visible } from '../../model/visible.ts'
import { capital, count } from '../../model/words.ts'
import { startChange } from '../../parts/acts.tsx'
import { Time } from '../../parts/age.tsx'
import { Steps } from '../../parts/change/steps.tsx'
import { SidePanel } from '../../parts/listing/side-panel.tsx'
import { DomainLink } from '../../parts/name.tsx'
import { useOpenable } from './openable.ts'
import { Regroup } from './regroup.tsx'
import { Revoke } from './revoke.tsx'
import { groupsText } from './table.tsx'

interface Props {
  readonly row: PersonRow
  readonly groups: readonly string[]
}

type Doing = 'groups' | 'revoke' | null

const MAX_SHOWN = 60

export function OnePerson({ row, groups }: Props) {
  const { of: user, lamp, standing } = row
  const doing = useSignal<Doing>(null)
  const text = personText(row)
  const steps = invitationSteps(user)
  const close = () => {
    doing.value = null
  }
  const start = (act: Doing) => () => {
    doing.value = act
  }
  const isOurs = user.origin === 'invited'
  return (
    <SidePanel lamp={lamp} title={visible(row.name)} label={`Person ${visible(row.key)}`}>
      <section>
        <p class={toneOf(lamp)}>
          <b>{standing === 'active' && lamp === 'ok' ? 'May sign in.' : `${capital(LAMP_WORDS[lamp])}.`}</b>{' '}
          {text !== null && visible(text)}
        </p>
        {!isOurs && standing !== 'revoked' && (
          <p class="q2 gap">
            Not invited here: their groups are changed in the users file itself. A revocation holds all the
            same.
          </p>
        )}
        <div class="acts gap">
          {isOurs && standing !== 'revoked' && (
            <>
              <button
                type="button"
                class="btn"
                disabled={!mayChange.value}
                title={whyNot.value ?? undefined}
                onClick={start('groups')}
              >
                Groups…
              </button>
              <Resend username={row.key} />
            </>
          )}
          {standing !== 'revoked' && (
            <button
              type="button"
              class="btn danger"
              disabled={!mayChange.value}
              title={whyNot.value ?? undefined}
              onClick={start('revoke')}
            >
              Revoke…
            </button>
          )}
        </div>
        {whyNot.value !== null && <p class="s q2 gap">{whyNot.value}</p>}
      </section>
      <section>
        <h3 class="t">Person</h3>
        <dl class="kv left">
          <dt>User name</dt>
          <dd>{visible(row.key)}</dd>
          <dt>Mail</dt>
          <dd>{visible(user.email ?? '–')}</dd>
          <dt>Groups</dt>
          <dd>{groupsText(row)}</dd>
          <dt>From</dt>
          <dd>{isOurs ? 'invited here' : 'the users file'}</dd>
          <Moment title="Invited" at={user.invited_at} />
          <Moment title="Revoked" at={user.revoked_at} />
          <dt>In the users file</dt>
          <dd>{user.in_file === null ? 'unknown' : user.in_file ? 'yes' : 'no'}</dd>
        </dl>
      </section>
      {steps.length > 0 && (
        <section>
          <h3 class="t">Invitation</h3>
          <Steps steps={steps} />
        </section>
      )}
      {standing === 'active' && <CanOpen username={row.key} />}
      {doing.value === 'groups' && <Regroup row={row} groups={groups} onClose={close} />}
      {doing.value === 'revoke' && <Revoke row={row} onClose={close} />}
    </SidePanel>
  )
}

function Moment({ title, at }: { readonly title: string; readonly at: string | null }) {
  const time = parseTimeOr(at)
  if (time === null) return null
  return (
    <>
      <dt>{title}</dt>
      <dd>
        <Time at={time} ago />
      </dd>
    </>
  )
}

const Resend = ({ username }: { readonly username: string }) => (
  <button
    type="button"
    class="btn"
    disabled={!mayChange.value}
    title={whyNot.value ?? undefined}
    onClick={() =>
      startChange({
        label: 'Send the mail once more',
        change: { kind: 'call', method: 'POST', path: `/api/users/${encodeURIComponent(username)}/resend` },
        about: username,
      })
    }
  >
    Send the mail once more…
  </button>
)

function CanOpen({ username }: { readonly username: string }) {
  const { isKnown, opens, unknown } = useOpenable(username)
  return (
    <section>
      <h3 class="t">Can open {count(opens.length, 'domain')}</h3>
      {!isKnown && <p class="c-unknown flush">By which rules is not known.</p>}
      <p class="row-links">
        {opens.slice(0, MAX_SHOWN).map(({ domain }) => (
          <DomainLink key={domain} name={domain} />
        ))}
        {opens.length > MAX_SHOWN && (
          <span class="q2">and {count(opens.length - MAX_SHOWN, 'more domain')}</span>
        )}
      </p>
      {unknown > 0 && <p class="s c-unknown gap">Of {count(unknown, 'domain')} it is not known.</p>}
      <p class="gap s">
        <a href={`/access?user=${encodeURIComponent(username)}`}>All of them, with their rules</a>
      </p>
    </section>
  )
}
