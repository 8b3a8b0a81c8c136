/** What others report to us, and what fires at the alert router. */
import { refresh, useResource } from '../../api/cache.ts'
import type { Alerts, Heartbeats } from '../../api/types.ts'
import { parseTime, parseTimeOr } from '../../model/ages.ts'
import { visible } from '../../model/visible.ts'
import { Time } from '../../parts/age.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { NotSetUp, settingAskedFor } from '../../parts/listing/not-set-up.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'
import { Prose } from '../../parts/text/prose.tsx'

const HEARTBEATS = '/api/heartbeats'
const ALERTS = '/api/alerts'
const ROUTER = 'PLUMBLINE_ALERTMANAGER_URL'

const BEATS = { alive: 'ok', silent: 'bad', pending: 'unknown' } as const
const BEAT_WORDS = { alive: 'reports', silent: 'is silent', pending: 'has not reported yet' } as const

export function Beats() {
  const heartbeats = useResource<Heartbeats>(HEARTBEATS)
  return (
    <section class="gap2" aria-labelledby="beats">
      <h2 class="t" id="beats">
        Heartbeats
      </h2>
      <Resource of={heartbeats} what="The heartbeats" retry={() => void refresh(HEARTBEATS)}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="Nobody reports. A job that does is missed once it falls silent." />
          ) : (
            <ul aria-label="Who reports">
              {all.map(({ name, state, reason, last_seen }) => {
                const seen = parseTimeOr(last_seen)
                return (
                  <li key={name} class="why">
                    <LampIcon lamp={BEATS[state] ?? 'unknown'} />
                    <span>
                      <b>{visible(name)}</b> {BEAT_WORDS[state] ?? visible(state)}.{' '}
                      <span class="q2">
                        {seen !== null && (
                          <>
                            Seen <Time at={seen} ago />.{' '}
                          </>
                        )}
                        {state !== 'alive' && <Prose of={reason} />}
                      </span>
                    </span>
                  </li>
                )
              })}
            </ul>
          )
        }
      </Resource>
    </section>
  )
}

export function Firing() {
  const alerts = useResource<Alerts>(ALERTS)
  const isUnset = alerts.value === undefined && settingAskedFor(alerts.fault) === ROUTER
  return (
    <section class="gap2" aria-labelledby="alerts">
      <h2 class="t" id="alerts">
        Alerts
      </h2>
      {isUnset ? (
        <NotSetUp
          gives="What fires at an alert router stands here, and who has taken it up."
          setting={ROUTER}
          line={`${ROUTER}=http://127.0.0.1:9093`}
        />
      ) : (
        <Resource of={alerts} what="What fires" retry={() => void refresh(ALERTS)}>
          {(all) =>
            all.length === 0 ? (
              <Empty title="Nothing fires at the alert router." />
            ) : (
              <ul aria-label="What fires">
                {all.map((one) => (
                  <Alert key={`${one.name} ${one.instance ?? ''} ${one.since}`} of={one} />
                ))}
              </ul>
            )
          }
        </Resource>
      )}
    </section>
  )
}

const ALERT_LAMPS = { firing: 'bad', acknowledged: 'moving', covered: 'off' } as const
const ALERT_WORDS = { firing: 'fires', acknowledged: 'taken up', covered: 'covered by another' } as const

const Alert = ({
  of: { name, severity, instance, since, summary, description, state },
}: {
  readonly of: Alerts[number]
}) => (
  <li class="why">
    <LampIcon lamp={ALERT_LAMPS[state] ?? 'unknown'} />
    <span>
      <b>{visible(name)}</b> {instance !== null && <span class="mono">{visible(instance)}</span>}{' '}
      {ALERT_WORDS[state] ?? visible(state)}, since <Time at={parseTime(since)} ago />
      {severity !== null && `, ${visible(severity)}`}.{' '}
      <span class="q2">
        <Prose of={summary ?? description ?? ''} />
      </span>
    </span>
  </li>
)
