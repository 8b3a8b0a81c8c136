/** What is saved and waits: which fields of which domain, by whom, and one plan of all or of what is chosen. */
import { useSignal } from '@preact/signals'
import { refresh, useResource } from '../../api/cache.ts'
import { lampRows } from '../../api/lamps.ts'
import { whyNot } from '../../api/session.ts'
import type { AuditEntry, Domain, DomainEditions, Lamps } from '../../api/types.ts'
import { parseTime } from '../../model/ages.ts'
import { visible } from '../../model/visible.ts'
import { planTitle } from '../../model/plan-words.ts'
import { actorName, fieldName, fieldValue, number } from '../../model/words.ts'
import { startChange } from '../../parts/acts.tsx'
import { Time } from '../../parts/age.tsx'
import { ChangeBox } from '../../parts/change/change.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { DomainLink } from '../../parts/name.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'

/** Of more than that the fields are not asked for, one by one. */
const MAX_EXPLAINED = 30
const TRAIL = '/api/audit?limit=200&action=update'

/** Domains that wait, and one plan for all of them. */
export function Saved() {
  const lamps = useResource<Lamps>('/api/domains/lamps')
  const domains = useResource<readonly Domain[]>('/api/domains').value ?? []
  const trail = useResource<readonly AuditEntry[]>(TRAIL).value ?? []
  const only = useSignal<ReadonlySet<number> | null>(null)
  return (
    <Resource of={lamps} what="What is saved" retry={() => void refresh('/api/domains/lamps')}>
      {(table) => {
        const known = lampRows(table)
        const waiting = domains.filter(({ id }) => known.get(id)?.pending === true)
        const isChosen = ({ id }: Domain) => only.value?.has(id) ?? true
        const toggle = (id: number) => {
          const next = new Set(waiting.filter(isChosen).map((one) => one.id))
          if (!next.delete(id)) next.add(id)
          only.value = next.size === waiting.length ? null : next
        }
        return (
          <div class="pair">
            <div>
              {waiting.length === 0 ? (
                <Empty title="Nothing is saved that is not deployed." />
              ) : (
                <ul class="needs">
                  {waiting.map((record, at) => (
                    <SavedRow
                      key={record.id}
                      record={record}
                      actor={actorOf(record, trail)}
                      explained={at < MAX_EXPLAINED}
                      chosen={isChosen(record)}
                      onToggle={() => toggle(record.id)}
                    />
                  ))}
                </ul>
              )}
            </div>
            <PlanOfSaved
              waiting={waiting}
              chosen={only.value === null ? null : [...only.value]}
              onOnly={(ids) => {
                only.value = ids === null ? null : new Set(ids)
              }}
            />
          </div>
        )
      }}
    </Resource>
  )
}

/** Who saved the revision that waits; null where the trail that was read does not go back so far. */
const actorOf = ({ id, revision }: Domain, trail: readonly AuditEntry[]): string | null =>
  trail.find(({ domain_id, revision_after }) => domain_id === id && revision_after === revision)?.actor ??
  null

interface RowProps {
  readonly record: Domain
  readonly actor: string | null
  readonly explained: boolean
  readonly chosen: boolean
  readonly onToggle: () => void
}

function SavedRow({ record, actor, explained, chosen, onToggle }: RowProps) {
  const { id, domain, updated_at } = record
  return (
    <li>
      <LampIcon lamp="pending" />
      <div>
        <h2>
          <DomainLink name={domain} />
        </h2>
        {explained && <MovedFields id={id} />}
        <p class="s">
          saved <Time at={parseTime(updated_at)} ago />
          {actor !== null && ` by ${visible(actorName(actor))}`}
        </p>
      </div>
      <div class="acts">
        <button
          type="button"
          class="btn"
          disabled={whyNot.value !== null}
          title={whyNot.value ?? undefined}
          onClick={() =>
            startChange({
              label: `Give up what is saved of ${visible(domain)}`,
              change: { kind: 'call', method: 'POST', path: `/api/domains/${id}/discard` },
              saves: true,
            })
          }
        >
          Give up…
        </button>
        <input
          type="checkbox"
          class="tick inl"
          aria-label={`Plan ${visible(domain)}`}
          checked={chosen}
          onChange={onToggle}
        />
      </div>
    </li>
  )
}

/** "Port 3000 → 3001": what was released, and what is saved in its place. */
function MovedFields({ id }: { readonly id: number }) {
  const editions = useResource<DomainEditions>(`/api/domains/${id}/editions`).value
  if (editions === undefined) return null
  const { saved, released, moved } = editions
  if (released === null) return <p>not released before</p>
  return (
    <>
      {moved.map((field) => (
        <p key={field}>
          {fieldName(field)} {visible(fieldValue(field, released[field as keyof typeof released]))}{' '}
          <span class="c-pending">→</span>{' '}
          <span class="mark">{visible(fieldValue(field, saved[field as keyof typeof saved]))}</span>
        </p>
      ))}
    </>
  )
}

interface PlanProps {
  readonly waiting: readonly Domain[]
  /** Null for all. */
  readonly chosen: readonly number[] | null
  readonly onOnly: (ids: readonly number[] | null) => void
}

/** Of all, until some are taken out: by their tick, or because they stand in the way. */
function PlanOfSaved({ waiting, chosen, onOnly }: PlanProps) {
  const basis = waiting.map(({ id, revision }) => `${id}:${revision}`).join()
  const made = planTitle(waiting.length, chosen)
  // What was applied keeps its title while its proof stands, though nothing waits any more.
  const applied = useSignal<string | null>(null)
  const title = waiting.length === 0 ? (applied.value ?? made) : made
  if (chosen?.length === 0)
    return (
      <Empty title="None is chosen.">
        <button type="button" class="btn" onClick={() => onOnly(null)}>
          Plan all {number(waiting.length)}
        </button>
      </Empty>
    )
  return (
    <div>
      <ChangeBox
        title={title}
        change={{ kind: 'plan', body: chosen === null ? {} : { domains: chosen } }}
        basis={basis}
        act="Deploy"
        without={onOnly}
        onDone={() => {
          applied.value = title
        }}
      />
      {chosen !== null && (
        <p class="acts gap">
          <button type="button" class="btn" onClick={() => onOnly(null)}>
            Plan all that is saved
          </button>
          <span class="s q2">What was taken out stays saved and waits.</span>
        </p>
      )}
    </div>
  )
}
