/** Keys of the API, and every credential with when it is due: none of them is shown, only how old it is. */
import { refresh, useResource } from '../../api/cache.ts'
import { now } from '../../api/clock.ts'
import type { ApiKeys, Credentials } from '../../api/types.ts'
import { parseTime, parseTimeOr, untilText } from '../../model/ages.ts'
import { visible } from '../../model/visible.ts'
import { capital, plain } from '../../model/words.ts'
import { Time } from '../../parts/age.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'

const KEYS = '/api/keys'
const CREDENTIALS = '/api/credentials'

const STATES = { valid: 'ok', rotation_due: 'drift', ending: 'drift', ended: 'off' } as const

export function Keys() {
  const keys = useResource<ApiKeys>(KEYS)
  const credentials = useResource<Credentials>(CREDENTIALS)
  return (
    <section class="gap2" aria-labelledby="keys">
      <h2 class="t" id="keys">
        Keys
      </h2>
      <Resource of={keys} what="The keys" retry={() => void refresh(KEYS)}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="There is no key beside the first." />
          ) : (
            <ul aria-label="Keys of the API">
              {all.map((key) => (
                <KeyLine key={key.id} of={key} />
              ))}
            </ul>
          )
        }
      </Resource>
      <Resource of={credentials} what="The credentials" retry={() => void refresh(CREDENTIALS)}>
        {({ credentials: all, next_rotation_at }) => (
          <>
            <p class="q2 gap">Due to be rotated {untilText(parseTime(next_rotation_at), now.value)}.</p>
            <ul aria-label="Credentials">
              {all.map(({ kind, id, name, state, since, remedy }) => (
                <li key={`${kind} ${id}`} class="why">
                  <LampIcon lamp={STATES[state]} />
                  <span>
                    {capital(plain(kind)).replace(/^(?:Api|Ddns)/, (name) => name.toUpperCase())}{' '}
                    <b>{visible(name)}</b> {plain(state)},{' '}
                    <span class="q2">
                      since <Time at={parseTime(since)} ago />. {state !== 'valid' && visible(remedy)}
                    </span>
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Resource>
    </section>
  )
}

function KeyLine({
  of: { name, state, access, last_used_at, expires_at },
}: {
  readonly of: ApiKeys[number]
}) {
  const used = parseTimeOr(last_used_at)
  const ends = parseTimeOr(expires_at)
  return (
    <li class="why">
      <LampIcon lamp={STATES[state]} />
      <span>
        <b>{visible(name)}</b> may {access === 'read' ? 'read' : 'do everything'},{' '}
        <span class="q2">
          {used === null ? (
            'never used'
          ) : (
            <>
              used <Time at={used} ago />
            </>
          )}
          {ends !== null && `, ends ${untilText(ends, now.value)}`}
        </span>
      </span>
    </li>
  )
}
