/** The process itself: what it repeats and when, its backups, and what an examination of the installation finds. */
import { useSignal } from '@preact/signals'
import { refresh, useResource } from '../../api/cache.ts'
import { now } from '../../api/clock.ts'
import type { Examination, SystemStatus } from '../../api/types.ts'
import { parseTime, parseTimeOr, untilText } from '../../model/ages.ts'
import type { Lamp } from '../../model/lamps.ts'
import { bytesText } from '../../model/looked-at/vpn.ts'
import { visible } from '../../model/visible.ts'
import { componentWords, plain } from '../../model/words.ts'
import { Time } from '../../parts/age.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { FactList } from '../../parts/listing/facts.tsx'
import { Resource } from '../../parts/panel.tsx'
import { Prose } from '../../parts/text/prose.tsx'

const STATUS = '/api/system'

export function Process() {
  const status = useResource<SystemStatus>(STATUS)
  return (
    <section class="gap2" aria-labelledby="process">
      <h2 class="t" id="process">
        The process
      </h2>
      <Resource of={status} what="The process" retry={() => void refresh(STATUS)}>
        {({ started_at, memory_bytes, event_loop, node, backups, loops }) => (
          <>
            <FactList
              facts={[
                ['Runs since', <Time key="s" at={parseTime(started_at)} ago />],
                ['Memory', `${bytesText(memory_bytes)}, Node ${node}`],
                ['Delay', `${Math.round(event_loop.delay_ms)} ms`],
                ['Newest backup', <Backup key="b" of={backups} />],
                ['A restore was tried', <Restore key="r" of={backups} />],
              ]}
            />
            <Loops of={loops} />
          </>
        )}
      </Resource>
      <Doctor />
    </section>
  )
}

type Backups = Pick<SystemStatus['backups'], 'newest' | 'restore_tested'>

const Backup = ({ of: { newest } }: { readonly of: Backups }) =>
  newest === null ? (
    <>
      <LampIcon lamp="bad" /> there is none
    </>
  ) : (
    <>
      <Time at={parseTime(newest.at)} ago /> <span class="q2 mono">{visible(newest.path)}</span>{' '}
      {bytesText(newest.bytes)}
    </>
  )

const Restore = ({ of: { restore_tested } }: { readonly of: Backups }) =>
  restore_tested === null ? (
    <>
      <LampIcon lamp="unknown" /> not yet
    </>
  ) : (
    <>
      <LampIcon lamp={restore_tested.ok ? 'ok' : 'bad'} /> <Time at={parseTime(restore_tested.at)} ago />
    </>
  )

/** What is kept true differs; what is watched is wrong. */
function loopLamp(kind: SystemStatus['loops'][number]['kind'], ok: boolean | null): Lamp {
  if (ok === null) return 'unknown'
  if (ok) return 'ok'
  return kind === 'kept' ? 'drift' : 'bad'
}

const Loops = ({ of }: { readonly of: SystemStatus['loops'] }) => (
  <ul aria-label="What it repeats">
    {of.map(({ name, kind, ok, message, last_run_at, next_run_at, failures }) => {
      const { title, detail } = componentWords(name)
      const last = parseTimeOr(last_run_at)
      const next = parseTimeOr(next_run_at)
      return (
        <li key={name} class="why">
          <LampIcon lamp={loopLamp(kind, ok)} />
          <span>
            <b>{title}</b> {detail !== '' && `${visible(detail)} `}
            <span class="q2">
              <Prose of={message} />
            </span>{' '}
            <span class="s q">
              {last === null ? 'has not run yet' : <Time at={last} ago />}
              {failures !== null &&
                failures > 0 &&
                `, failed ${failures === 1 ? 'once' : `${failures} times`} in a row`}
              {next !== null && `, again ${untilText(next, now.value)}`}
            </span>
          </span>
        </li>
      )
    })}
  </ul>
)

const DOCTOR = '/api/system/doctor'
const STATES = { good: 'ok', warning: 'drift', bad: 'bad' } as const

/** Asked for by a press: it looks at files, keys and backups anew. */
function Doctor() {
  const asked = useSignal(false)
  const found = useResource<Examination>(asked.value ? DOCTOR : '')
  return (
    <>
      <p class="acts gap">
        <button
          type="button"
          class="btn"
          onClick={() => {
            if (asked.value) void refresh(DOCTOR)
            asked.value = true
          }}
        >
          Examine the installation
        </button>
      </p>
      {asked.value && (
        <Resource of={found} what="The examination" retry={() => void refresh(DOCTOR)}>
          {({ findings }) => (
            <ul aria-label="Findings">
              {findings.map(({ check, state, detail, remedy }) => (
                <li key={`${check} ${detail}`} class="why">
                  <LampIcon lamp={STATES[state]} />
                  <span>
                    <b>{plain(check)}</b> {visible(detail)}{' '}
                    {remedy !== null && <span class="q2">{visible(remedy)}</span>}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Resource>
      )}
    </>
  )
}
