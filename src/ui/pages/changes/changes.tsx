/** Changes: what is saved and waits, what was released, and who did what. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { queryOf, setQuery } from '../../address.ts'
import { refresh, useResource } from '../../api/cache.ts'
import type { AuditEntry, Domain, Lamps } from '../../api/types.ts'
import { parseTime } from '../../model/ages.ts'
import { auditText } from '../../model/audit-words.ts'
import { lampRows } from '../../api/lamps.ts'
import { visible } from '../../model/visible.ts'
import { count } from '../../model/words.ts'
import { ChangeBox } from '../../parts/change/change.tsx'
import { Time } from '../../parts/age.tsx'
import { addKeys } from '../../parts/keys.ts'
import { LampIcon } from '../../parts/lamp.tsx'
import { DomainLink } from '../../parts/name.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'
import { Releases } from './releases.tsx'

const PARTS = [
  ['saved', 'Saved'],
  ['releases', 'Releases'],
  ['audit', 'Audit'],
] as const

export function Changes() {
  const part = PARTS.find(([one]) => one === queryOf('part'))?.[0] ?? 'saved'
  useEffect(() => {
    const step = (by: number) => {
      const at = PARTS.findIndex(([one]) => one === part)
      setQuery({ part: PARTS[(at + by + PARTS.length) % PARTS.length]![0] })
    }
    return addKeys([
      { keys: '[', label: 'Tab before', run: () => step(-1) },
      { keys: ']', label: 'Next tab', run: () => step(1) },
    ])
  }, [part])
  return (
    <>
      <h1>Changes</h1>
      <nav class="tabrow gap" aria-label="Parts">
        {PARTS.map(([one, title]) => (
          <a key={one} href={`/changes?part=${one}`} aria-current={one === part ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      {part === 'saved' && <Saved />}
      {part === 'releases' && <Releases />}
      {part === 'audit' && <Audit />}
    </>
  )
}

/** Domains that wait, and one plan for all of them. */
function Saved() {
  const lamps = useResource<Lamps>('/api/domains/lamps')
  const domains = useResource<readonly Domain[]>('/api/domains').value ?? []
  return (
    <Resource of={lamps} what="What is saved" retry={() => void refresh('/api/domains/lamps')}>
      {(table) => {
        const known = lampRows(table)
        const waiting = domains.filter(({ id }) => known.get(id)?.pending === true)
        return (
          <div class="pair">
            <div>
              {waiting.length === 0 ? (
                <Empty title="Nothing is saved that is not deployed." />
              ) : (
                <ul class="needs">
                  {waiting.map(({ id, domain, updated_at }) => (
                    <li key={id}>
                      <LampIcon lamp="pending" />
                      <div>
                        <DomainLink name={domain} />
                      </div>
                      <span class="s q">
                        saved <Time at={parseTime(updated_at)} ago />
                      </span>
                    </li>
                  ))}
                </ul>
              )}
            </div>
            <PlanOfSaved waiting={waiting} />
          </div>
        )
      }}
    </Resource>
  )
}

/** Of all, until something stands in the way and is taken out. */
function PlanOfSaved({ waiting }: { readonly waiting: readonly Domain[] }) {
  const only = useSignal<readonly number[] | null>(null)
  const basis = waiting.map(({ id, revision }) => `${id}:${revision}`).join()
  const title =
    only.value === null ? 'Plan of all that is saved' : `Plan of ${count(only.value.length, 'domain')}`
  return (
    <div>
      <ChangeBox
        title={title}
        change={{ kind: 'plan', body: only.value === null ? {} : { domains: only.value } }}
        basis={basis}
        act="Deploy"
        without={(ids) => {
          only.value = ids
        }}
      />
      {only.value !== null && (
        <p class="acts gap">
          <button
            type="button"
            class="btn"
            onClick={() => {
              only.value = null
            }}
          >
            Plan all that is saved
          </button>
          <span class="s q2">What was taken out stays saved and waits.</span>
        </p>
      )}
    </div>
  )
}

const MAX_ENTRIES = 100

function Audit() {
  const actor = useSignal(queryOf('actor') ?? '')
  const domain = useSignal(queryOf('domain') ?? '')
  const words = new URLSearchParams({ limit: String(MAX_ENTRIES) })
  if (actor.value.trim() !== '') words.set('actor', actor.value.trim())
  if (domain.value.trim() !== '') words.set('domain', domain.value.trim())
  const url = `/api/audit?${words.toString()}`
  const trail = useResource<readonly AuditEntry[]>(url)
  return (
    <>
      <div class="tools">
        <Filter label="Who" of={actor} />
        <Filter label="Domain" of={domain} />
      </div>
      <Resource of={trail} what="The audit trail" retry={() => void refresh(url)}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="No entry fits." />
          ) : (
            <table>
              <thead>
                <tr>
                  <th>When</th>
                  <th>What</th>
                  <th>Request</th>
                </tr>
              </thead>
              <tbody>
                {entries.map((entry) => (
                  <tr key={entry.id}>
                    <td class="s q nw">
                      <Time at={parseTime(entry.at)} />
                    </td>
                    <td>{visible(auditText(entry))}</td>
                    <td class="s q mono">{entry.request_id.slice(0, 8)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Resource>
    </>
  )
}

const Filter = ({ label, of }: { readonly label: string; readonly of: { value: string } }) => (
  <label class="input">
    <span class="q">{label}</span>
    <input
      value={of.value}
      autocomplete="off"
      onChange={(event) => {
        of.value = event.currentTarget.value
      }}
    />
  </label>
)
