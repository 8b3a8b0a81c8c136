/** Who hears of a trouble and by which way, what is on its way to them, and the mail that it goes by. */
import { refresh, useResource } from '../../api/cache.ts'
import { now } from '../../api/clock.ts'
import type { EmailAliases, EmailHealth, Notifications } from '../../api/types.ts'
import { parseTime, parseTimeOr, untilText } from '../../model/ages.ts'
import { visible } from '../../model/visible.ts'
import { count, plain } from '../../model/words.ts'
import { Time } from '../../parts/age.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { FactList } from '../../parts/listing/facts.tsx'
import { NotSetUp } from '../../parts/listing/not-set-up.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'
import { Prose } from '../../parts/text/prose.tsx'

const NOTIFICATIONS = '/api/notifications'
const MAIL = '/api/email/health'
const SENDERS = '/api/email/aliases'

export function Messages() {
  const notifications = useResource<Notifications>(NOTIFICATIONS)
  return (
    <section class="gap2" aria-labelledby="messages">
      <h2 class="t" id="messages">
        Notifications
      </h2>
      <Resource of={notifications} what="The notifications" retry={() => void refresh(NOTIFICATIONS)}>
        {(all) =>
          all.configured ? (
            <Channels all={all} />
          ) : (
            <NotSetUp
              gives="Whoever runs it hears of what lasts, by mail or a webhook."
              setting="PLUMBLINE_NOTIFY_MAIL"
              line="PLUMBLINE_NOTIFY_MAIL=ops@example.com"
            />
          )
        }
      </Resource>
      <Mail />
    </section>
  )
}

function Channels({ all: { channels, open, owed } }: { readonly all: Notifications }) {
  return (
    <>
      <ul aria-label="Who hears of a trouble">
        {channels.map((one) => (
          <Channel key={one.name} of={one} />
        ))}
      </ul>
      <p class="q2">
        {open.length === 0 ? (
          'Nothing is wrong that anybody would hear of.'
        ) : (
          <>
            {count(open.length, 'trouble')} open: <a href="/">Overview</a> has what to do about each.
          </>
        )}
      </p>
      {owed.length > 0 && (
        <ul aria-label="On its way">
          {owed.map(({ id, channel, title, attempts, next_try_at, last_error }) => (
            <li key={id} class="why">
              <LampIcon lamp={last_error === null ? 'moving' : 'drift'} />
              <span>
                <b>{visible(title)}</b> to {visible(channel)},{' '}
                <span class="q2">
                  {count(attempts, 'attempt')}, again {untilText(parseTime(next_try_at), now.value)}.{' '}
                  {last_error !== null && <Prose of={last_error} />}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** One that failed last is wrong; one that was never used is not known to work. */
function Channel({
  of: { kind, target, last_sent_at, last_error, owed },
}: {
  readonly of: Notifications['channels'][number]
}) {
  const sent = parseTimeOr(last_sent_at)
  const lamp = last_error !== null ? 'bad' : sent === null ? 'unknown' : 'ok'
  return (
    <li class="why">
      <LampIcon lamp={lamp} />
      <span>
        <b>{visible(target)}</b> by {kind},{' '}
        <span class="q2">
          {sent === null ? (
            'nothing was sent yet'
          ) : (
            <>
              last sent <Time at={sent} ago />
            </>
          )}
          {owed > 0 && `, ${owed} on the way`}. {last_error !== null && <Prose of={last_error} />}
        </span>
      </span>
    </li>
  )
}

function Mail() {
  const health = useResource<EmailHealth>(MAIL)
  return (
    <>
      <h3 class="t gap2">Mail</h3>
      <Resource of={health} what="Whether mail could be sent" retry={() => void refresh(MAIL)}>
        {(found) =>
          found.configured ? (
            <>
              <MailFacts of={found} />
              <Senders />
            </>
          ) : (
            <NotSetUp
              gives="Invitations, notifications and what callers send go out by mail."
              setting="PLUMBLINE_MAIL_PROVIDER"
              line="PLUMBLINE_MAIL_PROVIDER=smtp"
            />
          )
        }
      </Resource>
    </>
  )
}

function MailFacts({
  of: { ok, provider, detail, token, budget, last_sent_at, last_unknown_at },
}: {
  readonly of: EmailHealth
}) {
  const sent = parseTimeOr(last_sent_at)
  const unknown = parseTimeOr(last_unknown_at)
  return (
    <>
      <p class="why">
        <LampIcon lamp={ok === null ? 'unknown' : ok ? 'ok' : 'bad'} />
        <span>
          {ok === null ? 'Not found out.' : ok ? 'Mail could be sent.' : 'Mail could not be sent.'}{' '}
          {detail !== null && (
            <span class="q2">
              <Prose of={detail} />
            </span>
          )}
        </span>
      </p>
      <FactList
        facts={[
          ['By', provider === null ? 'nobody' : provider],
          ['Last sent', sent === null ? 'nothing yet' : <Time key="s" at={sent} ago />],
          ['This minute', `${budget.minute.used} of ${budget.minute.limit}`],
          ['This day', `${budget.day.used} of ${budget.day.limit}`],
          ...(unknown === null ? [] : [['Outcome unknown', <Time key="u" at={unknown} ago />] as const]),
          ...(token === null
            ? []
            : [
                [
                  'Consent',
                  `${plain(token.state)}${token.reason === null ? '' : `: ${token.reason}`}`,
                ] as const,
              ]),
        ]}
      />
    </>
  )
}

function Senders() {
  const senders = useResource<EmailAliases>(SENDERS)
  return (
    <Resource of={senders} what="The senders" retry={() => void refresh(SENDERS)}>
      {(all) =>
        all.length === 0 ? (
          <Empty title="No sender is verified, so nothing is sent." />
        ) : (
          <ul aria-label="Verified senders">
            {all.map(({ address, name, is_default }) => (
              <li key={address}>
                <span class="mono">{visible(address)}</span>{' '}
                <span class="q2">
                  {[...(name === null ? [] : [visible(name)]), ...(is_default ? ['the usual one'] : [])].join(
                    ', ',
                  )}
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </Resource>
  )
}
