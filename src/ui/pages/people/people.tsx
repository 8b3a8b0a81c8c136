/** People: who may sign in, in which groups, and how far an invitation is; inviting, regrouping and revoking. */
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { queryOf } from '../../address.ts'
import { refresh, useResource } from '../../api/cache.ts'
import { mayChange, whyNot } from '../../api/session.ts'
import type { Setting, User } from '../../api/types.ts'
import { allGroups, PERSON_FIELDS, personRows, STANDINGS } from '../../model/kept/people.ts'
import { viewsOf } from '../../model/table/listing.ts'
import { count, number } from '../../model/words.ts'
import { usePageAct } from '../../parts/find/page-act.ts'
import { Listing } from '../../parts/listing/listing.tsx'
import { useListKeys } from '../../parts/listing/list-keys.ts'
import { NotSetUp, settingAskedFor } from '../../parts/listing/not-set-up.tsx'
import { NotThere, OPEN, openPanel } from '../../parts/listing/side-panel.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'
import { Invite } from './invite.tsx'
import { OnePerson } from './one.tsx'
import { COLUMNS, PHONE } from './table.tsx'

const USERS = '/api/users'
const USERS_FILE = 'PLUMBLINE_SSO_USERS_FILE'

export function People() {
  const users = useResource<readonly User[]>(USERS)
  const inviting = useSignal(false)
  usePageAct('invite', () => (inviting.value = mayChange.value))
  const again = () => void refresh(USERS)
  useListKeys(again)
  // Nobody is listed where nothing is set up, too.
  const settings = useResource<readonly Setting[]>(users.value?.length === 0 ? '/api/settings' : '').value
  const isUnset = settings?.some(({ name, value }) => name === USERS_FILE && value === null) ?? false
  const setting = isUnset ? USERS_FILE : users.value === undefined ? settingAskedFor(users.fault) : null
  return (
    <>
      <div class="head">
        <div>
          <h1>{users.value === undefined ? 'People' : headline(users.value)}</h1>
          <p class="q2 sub">Who may sign in at the sign-in page, and in which groups.</p>
        </div>
        <div class="acts">
          <button
            type="button"
            class="btn first"
            disabled={!mayChange.value || setting !== null}
            title={whyNot.value ?? undefined}
            onClick={() => {
              inviting.value = true
            }}
          >
            Invite…
          </button>
          <button type="button" class="btn" onClick={again} disabled={users.loading}>
            {users.loading ? 'Looking' : 'Look now'} <kbd>r</kbd>
          </button>
        </div>
      </div>
      {setting === null ? (
        <Resource of={users} what="People" retry={again}>
          {(value) => <Listed users={value} />}
        </Resource>
      ) : (
        <NotSetUp
          gives="People of the sign-in provider are listed, invited, put into groups and revoked here."
          setting={setting}
          line={`${setting}=/etc/authelia/users.yml`}
        />
      )}
      {inviting.value && (
        <Invite
          groups={allGroups(users.value ?? [])}
          onClose={() => {
            inviting.value = false
          }}
        />
      )}
    </>
  )
}

function headline(users: readonly User[]): string {
  const rows = personRows(users)
  const many = (standing: string) => rows.filter((row) => row.standing === standing).length
  const parts = [
    many('invited') > 0 && `${number(many('invited'))} being invited`,
    many('unknown') > 0 && `${number(many('unknown'))} unknown`,
    rows.some(({ lamp }) => lamp === 'drift') &&
      `${number(rows.filter(({ lamp }) => lamp === 'drift').length)} differ`,
  ].filter((part) => part !== false)
  return [`${count(many('active'), 'person', 'people')} may sign in`, ...parts].join(', ')
}

function Listed({ users }: { readonly users: readonly User[] }) {
  const rows = useMemo(() => personRows(users), [users])
  const open = rows.find(({ key }) => key === queryOf(OPEN))
  if (rows.length === 0)
    return (
      <Empty title="Nobody yet." mark>
        <p class="q2">Whoever is invited gets a mail and sets their own password.</p>
      </Empty>
    )
  return (
    <>
      <Listing
        rows={rows}
        idOf={({ key }) => key}
        one="person"
        many="people"
        columns={COLUMNS}
        phone={PHONE}
        lampOf={({ lamp }) => lamp}
        fields={PERSON_FIELDS}
        hint="name, mail, group:family is:wrong"
        views={VIEWS}
        onOpen={({ key }) => openPanel(key)}
      />
      <NotThere one="person" of={open} />
      {open !== undefined && <OnePerson row={open} groups={allGroups(users)} />}
    </>
  )
}

const VIEWS = viewsOf(STANDINGS)
