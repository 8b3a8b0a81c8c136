/** System: what there is and how it is, keys, the process, invariants, who is signed in, settings, the look of the pages. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { queryOf } from '../../address.ts'
import { refresh, useResource } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import { invalidate } from '../../api/cache.ts'
import type { Fault } from '../../api/fault.ts'
import { version } from '../../api/live.ts'
import { mayChange, session, signOut } from '../../api/session.ts'
import type { ControlPlaneHealth, Session, Setting } from '../../api/types.ts'
import { parseTime } from '../../model/ages.ts'
import { lampOfRule } from '../../model/lamps.ts'
import { visible } from '../../model/visible.ts'
import { actorName, componentWords } from '../../model/words.ts'
import { Prose } from '../../parts/text/prose.tsx'
import { Time } from '../../parts/age.tsx'
import { Choice } from '../../parts/field.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { setTheme, theme } from '../../parts/look.ts'
import { Empty, FaultLine, Resource } from '../../parts/panel.tsx'
import { Keys } from './keys.tsx'
import { Messages } from './messages.tsx'
import { Process } from './process.tsx'
import { Beats, Firing } from './watched.tsx'
import { Worlds } from '../overview/worlds.tsx'

const HEALTH = '/api/control-plane/health'

export function System() {
  const health = useResource<ControlPlaneHealth>(HEALTH)
  return (
    <>
      <div class="head">
        <div>
          <h1>System</h1>
          <p class="q2 sub">
            {version.value !== null && `Plumbline ${version.value} · `}
            <a href="/docs" data-outside>
              API
            </a>{' '}
            · <a href="/start">First steps</a>
            {session.value !== null && ` · ${actorName(session.value.actor)}`}{' '}
            <button type="button" class="btn quiet phone" onClick={() => void signOut()}>
              Sign out
            </button>
          </p>
        </div>
      </div>
      <Choice
        label="Look"
        value={theme.value}
        options={[
          ['system', 'as the system'],
          ['light', 'light'],
          ['dark', 'dark'],
        ]}
        onChoose={setTheme}
      />
      <Sessions />
      <Keys />
      <Process />
      <Messages />
      <Beats />
      <Firing />
      <Resource of={health} what="The health page" retry={() => void refresh(HEALTH)}>
        {({ components, invariants }) => (
          <>
            <Worlds components={components} invariants={invariants} />
            <NotSetUp components={components} />
            <h2 class="t gap2">Invariants</h2>
            <ul>
              {invariants.map(({ name, promise, holds, detail }) => (
                <li key={name} class="why">
                  <LampIcon lamp={lampOfRule({ holds })} />
                  <span>
                    {visible(promise)} {detail !== null && <span class="q2">{visible(detail)}</span>}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Resource>
      <Settings />
    </>
  )
}

function NotSetUp({ components }: Pick<ControlPlaneHealth, 'components'>) {
  const rows = components.filter(({ configured }) => !configured)
  return (
    <>
      <h2 class="t gap2">Not set up</h2>
      <ul>
        {rows.map(({ name, message }) => (
          <li key={name} class="why">
            <LampIcon lamp="off" />
            <span>
              {componentWords(name).title} <span class="q2">{visible(message)}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

const SESSIONS = '/api/sessions'

function Sessions() {
  const sessions = useResource<readonly Session[]>(SESSIONS)
  const fault = useSignal<Fault | null>(null)
  const end = async (id: string) => {
    const answer = await call({ method: 'DELETE', path: `${SESSIONS}/${encodeURIComponent(id)}` })
    fault.value = answer.ok ? null : answer.fault
    invalidate([SESSIONS])
  }
  return (
    <section class="gap2" aria-labelledby="sessions">
      <h2 class="t" id="sessions">
        Sessions
      </h2>
      <Resource of={sessions} what="Sessions" retry={() => void refresh(SESSIONS)}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="Nobody is signed in by a key or a link." />
          ) : (
            <table>
              <thead>
                <tr>
                  <th>Who</th>
                  <th>Last use</th>
                  <th>Ends</th>
                  <th class="end">
                    <span class="sr">End it</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {all.map((one) => (
                  <SessionRow key={one.id} of={one} onEnd={() => void end(one.id)} />
                ))}
              </tbody>
            </table>
          )
        }
      </Resource>
      <FaultLine fault={fault.value} />
    </section>
  )
}

const SessionRow = ({ of: one, onEnd }: { readonly of: Session; readonly onEnd: () => void }) => (
  <tr>
    <td>{visible(`${one.way} ${one.key}, ${one.client}${one.is_this ? ', this one' : ''}`)}</td>
    <td>
      <Time at={parseTime(one.used_at)} ago />
    </td>
    <td>
      <Prose of={one.expires_at} />
    </td>
    <td class="end">
      <button type="button" class="btn" disabled={!mayChange.value} onClick={onEnd}>
        End
      </button>
    </td>
  </tr>
)

function Settings() {
  const settings = useResource<readonly Setting[]>('/api/settings')
  const all = useSignal(false)
  const named = queryOf('setting')
  // Gone to by its name, from far above.
  useEffect(() => {
    if (named !== null && settings.value !== undefined) document.getElementById('settings')?.scrollIntoView()
  }, [named, settings.value === undefined])
  return (
    <section class="gap2" aria-labelledby="settings">
      <h2 class="t" id="settings">
        Settings{' '}
        <button
          type="button"
          class="btn quiet more"
          onClick={() => {
            all.value = !all.value
          }}
        >
          {all.value ? 'only what is set' : 'show all'}
        </button>
      </h2>
      <Resource of={settings} what="Settings" retry={() => void refresh('/api/settings')}>
        {(rows) => (
          <dl class="kv left settings">
            {rows
              .filter(({ name, source }) => all.value || source !== 'default' || name === named)
              .map(({ name, value, source, help, needs_restart, fault }) => (
                <div key={name}>
                  <dt class="mono">{name}</dt>
                  <dd>
                    <span class="mono">{value === null ? '–' : visible(value)}</span>{' '}
                    <span class="q s">
                      {source}. {visible(help)} {needs_restart && 'A change needs a restart.'}
                    </span>
                    {fault !== null && (
                      <p class="s">
                        <LampIcon lamp="bad" /> {visible(fault)}
                      </p>
                    )}
                  </dd>
                </div>
              ))}
          </dl>
        )}
      </Resource>
    </section>
  )
}
