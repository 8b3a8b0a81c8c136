/** The summary of a domain: three editions of what moved, what happens next, history, and the live plan beside. */
import { useSignal } from '@preact/signals'
import { setQuery } from '../../address.ts'
import { useResource } from '../../api/cache.ts'
import { now } from '../../api/clock.ts'
import type { AuditEntry, Domain, ExplainedDomain, Overview } from '../../api/types.ts'
import { parseTimeOr, untilText } from '../../model/ages.ts'
import { driftCount } from '../../model/lamps.ts'
import { writesMore } from '../../model/text/writes-more.ts'
import { visible } from '../../model/visible.ts'
import { causeTitle, componentWords, plain } from '../../model/words.ts'
import { Acts } from '../../parts/acts.tsx'
import { ChangeBox } from '../../parts/change/change.tsx'
import { Hunks } from '../../parts/hunks.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { neverReleased, notLiveText, waitingText } from '../../model/text/edition-words.ts'
import { Resource } from '../../parts/panel.tsx'
import { Trail } from '../../parts/text/trail.tsx'
import { Editions } from './editions.tsx'
import { Activate } from './status-act.tsx'
import { Traffic } from './traffic.tsx'
import { Uptime } from './uptime.tsx'
import { Prose } from '../../parts/text/prose.tsx'

export function Summary({ record }: { readonly record: Domain }) {
  const explained = useResource<ExplainedDomain>(`/api/domains/${record.id}/explain`)
  return (
    <div class="pair">
      <Known record={record} />
      {record.status === 'active' ? (
        <LivePlan record={record} explained={explained.value} />
      ) : (
        <p class="q2">{notLiveText(record)}</p>
      )}
    </div>
  )
}

/** What is known of it: three editions, what differs, what happens next, and its history. */
export function Known({ record }: { readonly record: Domain }) {
  const all = useSignal(false)
  const explained = useResource<ExplainedDomain>(`/api/domains/${record.id}/explain`)
  return (
    <div>
      <Resource of={explained} what="What is known of it">
        {(value) => (
          <>
            <p class="q2 flush">
              <Prose of={value.summary} />
            </p>
            <Never record={record} explained={value} />
            <Editions record={record} explained={value} all={all} />
            <p class="s q2 gap">
              <button type="button" class="btn quiet" onClick={() => setQuery({ edit: '1' })}>
                Edit
              </button>
              <Acts acts={value.acts.filter(({ id }) => id === 'discard')} />
            </p>
            <Differences explained={value} record={record} />
            <Next explained={value} />
          </>
        )}
      </Resource>
      <Uptime id={record.id} />
      <Traffic id={record.id} />
      <ShortHistory record={record} />
    </div>
  )
}

interface KnownProps {
  readonly record: Domain
  readonly explained: ExplainedDomain
}

/** That nothing of it ever was live, and what begins it. */
function Never({ record, explained }: KnownProps) {
  const text = neverReleased(record, explained)
  if (text === null) return null
  return (
    <p class="acts">
      <b>{text}</b> <Activate record={record} />
    </p>
  )
}

interface LivePlanProps {
  readonly record: Domain
  readonly explained: ExplainedDomain | undefined
}

/** Made when the page opens, whenever the edition moves, and whenever something else is to happen with it: what was done is no plan. */
function LivePlan({ record, explained }: LivePlanProps) {
  const release = useResource<Overview>('/api/overview').value?.release?.release
  const will = explained?.components.map(({ key, engine }) => `${key} ${engine.will}`) ?? []
  const scope = useSignal<'this' | 'all'>('this')
  const change = { kind: 'plan', body: scope.value === 'this' ? { domain: record.id } : {} } as const
  return (
    <ChangeBox
      change={change}
      basis={[record.revision, record.status, release, ...will].join(' ')}
      act="Deploy"
      head={
        <span class="seg mla" role="group" aria-label="Scope">
          {(['this', 'all'] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={scope.value === one}
              onClick={() => {
                scope.value = one
              }}
            >
              {one}
            </button>
          ))}
        </span>
      }
    />
  )
}

function Differences({
  explained,
  record,
}: {
  readonly explained: ExplainedDomain
  readonly record: Domain
}) {
  const own = explained.components.flatMap(({ key, differences }) =>
    differences
      .filter(({ noise, cause }) => !noise && cause !== 'pending_deploy')
      .map((one) => ({ key, one })),
  )
  const rows = useResource<Overview>('/api/overview').value?.health.components ?? []
  if (own.length === 0) return null
  const allOf = (key: string) => {
    const row = rows.find(({ name }) => name === key)
    return row === undefined ? 0 : driftCount(row.causes)
  }
  return (
    <section class="gap2" aria-labelledby="d">
      <h2 class="t" id="d">
        What differs
      </h2>
      {own.map(({ key, one }) => (
        <div key={`${key} ${one.item}`} class="box flush">
          <p class="pad">
            <LampIcon lamp="drift" /> <b>{causeTitle(one.cause)}</b> {visible(one.item)}
            <br />
            <span class="q2">
              <Prose of={one.detail} />
            </span>
          </p>
          {one.hunks !== null && <Hunks hunks={one.hunks} label="What would be written" />}
          <p class="acts pad">
            <Acts acts={one.acts.filter(({ id }) => id !== 'look')} most={6} first about={record.domain} />
          </p>
          <More text={writesMore(one.acts, allOf(key))} />
        </div>
      ))}
    </section>
  )
}

const More = ({ text }: { readonly text: string | null }) =>
  text === null ? null : <p class="pad">{visible(text)}</p>

/** `will`, `because`, mode, guard, next attempt: as the engine says them. */
function Next({ explained }: { readonly explained: ExplainedDomain }) {
  const waiting = waitingText(explained)
  return (
    <section class="gap2" aria-labelledby="next">
      <h2 class="t" id="next">
        What happens next
      </h2>
      {waiting !== null && (
        <p>
          <LampIcon lamp="pending" plain /> {waiting}
        </p>
      )}
      {explained.components.map(({ key, engine }) => {
        const { title, detail } = componentWords(key)
        const at = parseTimeOr(engine.next_attempt_at)
        return (
          <p key={key} class="q2">
            <b>{detail === '' ? title : `${title} ${visible(detail)}`}</b>: {plain(engine.will)}.{' '}
            <Prose of={engine.because} />
            {engine.guard !== null && (
              <>
                {' '}
                <Prose of={engine.guard.message} />
              </>
            )}
            {at !== null && ` It looks again ${untilText(at, now.value)}.`}
            {engine.mode !== 'repair' && ` Mode: ${engine.mode}.`}
          </p>
        )
      })}
      {explained.not_published !== null && (
        <p class="s q2 gap">No DNS record: {visible(explained.not_published)}.</p>
      )}
      {explained.no_certificate !== null && (
        <p class="s q2 gap">Nobody obtains a certificate for it: {visible(explained.no_certificate)}.</p>
      )}
    </section>
  )
}

function ShortHistory({ record }: { readonly record: Domain }) {
  const trail = useResource<readonly AuditEntry[]>(`/api/audit?limit=5&domain_id=${record.id}`).value ?? []
  if (trail.length === 0) return null
  return (
    <section class="gap2" aria-labelledby="hh">
      <h2 class="t" id="hh">
        History{' '}
        <button type="button" class="btn quiet more" onClick={() => setQuery({ tab: 'history' })}>
          all
        </button>
      </h2>
      <Trail entries={trail} />
    </section>
  )
}
