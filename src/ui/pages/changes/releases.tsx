/** What was released: number, age, who, why; two chosen are compared; one can be gone back to, through a plan. */
import { useSignal } from '@preact/signals'
import { queryOf, setQuery } from '../../address.ts'
import { refresh, useResource } from '../../api/cache.ts'
import type { Release, ReleaseDetail, ReleaseDiff } from '../../api/types.ts'
import { parseTime } from '../../model/ages.ts'
import { releaseText } from '../../model/text/release-words.ts'
import { visible } from '../../model/visible.ts'
import { actorName, componentWords, fieldName, fieldValue } from '../../model/words.ts'
import { Time } from '../../parts/age.tsx'
import { RestoreButton } from '../../parts/change/restore-button.tsx'
import { Diff } from '../../parts/diff.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { DomainLink } from '../../parts/name.tsx'
import { Resource } from '../../parts/panel.tsx'
import { ProxyNow } from './proxy-now.tsx'

const RELEASES = '/api/releases?limit=50'

export function Releases() {
  const releases = useResource<readonly Release[]>(RELEASES)
  const opened = useSignal<number | null>(null)
  const a = queryOf('a')
  const b = queryOf('b')
  const of = queryOf('domain')
  const pick = (number: string) => {
    if (a === number) setQuery({ a: b, b: null })
    else if (b === number) setQuery({ b: null })
    else if (a === null) setQuery({ a: number })
    else setQuery({ b: number })
  }
  return (
    <Resource of={releases} what="Releases" retry={() => void refresh(RELEASES)}>
      {(all) => (
        <>
          <ProxyNow />
          <p class="q2 flush acts gap2">
            Choose two to compare them.
            {of !== null && (
              <button type="button" class="chip" onClick={() => setQuery({ domain: null })}>
                only {visible(of)} ✕
              </button>
            )}
          </p>
          {a !== null && b !== null && <Compared a={Number(a)} b={Number(b)} of={of} />}
          <ul class="needs">
            {all.map((release) => (
              <li key={release.number}>
                <input
                  type="checkbox"
                  class="tick"
                  aria-label={`Compare release ${release.number}`}
                  checked={[a, b].includes(String(release.number))}
                  onChange={() => pick(String(release.number))}
                />
                <div>
                  <h2>
                    Release {release.number} {release === all[0] && <span class="tag ok">present</span>}{' '}
                    <span class="q s">
                      <Time at={parseTime(release.created_at)} ago />, {visible(actorName(release.actor))}
                    </span>
                  </h2>
                  <p>
                    {visible(releaseText(release))} {resultsText(release)}
                  </p>
                </div>
                <div class="acts">
                  <button
                    type="button"
                    class="btn"
                    aria-expanded={opened.value === release.number}
                    onClick={() => {
                      opened.value = opened.value === release.number ? null : release.number
                    }}
                  >
                    What moved
                  </button>
                  <RestoreButton number={release.number} />
                </div>
                {opened.value === release.number && <Moved number={release.number} />}
              </li>
            ))}
          </ul>
        </>
      )}
    </Resource>
  )
}

const MOVES = { add: ['ok', 'add'], update: ['pending', 'change'], remove: ['bad', 'remove'] } as const

/** The records of a release, each of which can be put back to it alone. */
function Moved({ number }: { readonly number: number }) {
  const url = `/api/releases/${number}`
  const detail = useResource<ReleaseDetail>(url)
  return (
    <div class="moved-rows">
      <Resource of={detail} what="What moved" retry={() => void refresh(url)}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p class="q2">It moved no record.</p>
          ) : (
            <ul>
              {rows.map(({ domain_id, domain, change, renamed_from }) => (
                <li key={domain_id} class="acts">
                  <span class={`tag ${MOVES[change][0]}`}>{MOVES[change][1]}</span>
                  <span>
                    <DomainLink name={domain} />
                    {renamed_from !== undefined && <span class="q"> was {visible(renamed_from)}</span>}
                  </span>
                  {change !== 'remove' && (
                    <span class="mla">
                      <RestoreButton number={number} record={{ domain_id, domain }} />
                    </span>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Resource>
    </div>
  )
}

const resultsText = ({ results }: Release): string =>
  Object.entries(results)
    .map(([key, outcome]) => {
      const { title, detail } = componentWords(key)
      return `${[title, visible(detail)].filter(Boolean).join(' ')}: ${outcome.replaceAll('_', ' ')}`
    })
    .join(' · ')

interface ComparedProps {
  readonly a: number
  readonly b: number
  /** Of this domain alone; null for all. */
  readonly of: string | null
}

function Compared({ a, b, of }: ComparedProps) {
  const [from, to] = a < b ? [a, b] : [b, a]
  const url = `/api/releases/${to}/diff?against=${from}`
  const diff = useResource<ReleaseDiff>(url)
  const fits = ({ domain }: { readonly domain: string }) => of === null || domain === of
  return (
    <Resource of={diff} what="The difference" retry={() => void refresh(url)}>
      {({ added, removed, changed, unified_diff, note }) => (
        <section class="box gapb" aria-label={`Release ${from} to ${to}`}>
          <div class="pad">
            <h2 class="t">
              Release {from} to {to}
            </h2>
            {added.filter(fits).map(({ domain }) => (
              <p key={domain}>
                <span class="tag ok">add</span> {visible(domain)}
              </p>
            ))}
            {removed.filter(fits).map((record) => (
              <p key={record.domain} class="acts">
                <span>
                  <span class="tag bad">remove</span> {visible(record.domain)}
                </span>
                <RestoreButton number={from} record={record} />
              </p>
            ))}
            {changed.filter(fits).map(({ domain_id, domain, fields }) => (
              <p key={domain} class="acts">
                <span>
                  <LampIcon lamp="pending" plain /> <b>{visible(domain)}</b>{' '}
                  {Object.entries(fields)
                    .map(([field, { before, after }]) =>
                      visible(
                        `${fieldName(field)} ${fieldValue(field, before)} → ${fieldValue(field, after)}`,
                      ),
                    )
                    .join(', ')}
                </span>
                <RestoreButton number={from} record={{ domain_id, domain }} />
              </p>
            ))}
            {note !== null && <p class="q2">{visible(note)}</p>}
            {[...added, ...removed, ...changed].filter(fits).length === 0 && (
              <p class="q2">{of === null ? 'No record differs.' : `${visible(of)} is the same in both.`}</p>
            )}
          </div>
          {of === null && unified_diff !== null && unified_diff !== '' && (
            <Diff unified={unified_diff} label="Lines of the routes file" />
          )}
        </section>
      )}
    </Resource>
  )
}
