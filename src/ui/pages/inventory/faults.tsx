/** What collides, and what nobody stands behind any more: each with why, and what would help. */
import { refresh, useResource } from '../../api/cache.ts'
import type { Conflicts, Orphans } from '../../api/companions/inventory.ts'
import { parseTimeOr } from '../../model/ages.ts'
import { conflictLines } from '../../model/looked-at/inventory.ts'
import { visible } from '../../model/visible.ts'
import { number, plain } from '../../model/words.ts'
import { Time } from '../../parts/age.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'

/** More are counted. */
const MAX_LINES = 200

const CONFLICTS = '/companions/inventory/api/conflicts'

export function ConflictList() {
  const conflicts = useResource<Conflicts>(CONFLICTS)
  return (
    <Resource of={conflicts} what="The conflicts" retry={() => void refresh(CONFLICTS)}>
      {(all) => {
        const lines = conflictLines(all)
        return (
          <>
            {lines.length === 0 && <Nothing ok={all.ok} what="Nothing collides." />}
            <ul class="gap">
              {lines.slice(0, MAX_LINES).map(({ key, lamp, title, says }) => (
                <li key={key} class="why">
                  <LampIcon lamp={lamp} />
                  <span>
                    <b>{visible(title)}</b> <span class="q2">{visible(says)}</span>
                  </span>
                </li>
              ))}
            </ul>
            <Rest total={lines.length} />
          </>
        )
      }}
    </Resource>
  )
}

const ORPHANS = '/companions/inventory/api/orphans'

export function OrphanList() {
  const orphans = useResource<Orphans>(ORPHANS)
  return (
    <Resource of={orphans} what="The orphans" retry={() => void refresh(ORPHANS)}>
      {(all) => (
        <>
          {all.orphans.length === 0 && <Nothing ok={all.ok} what="Somebody stands behind everything." />}
          <ul class="gap">
            {all.unknown_kinds.map(({ kind, why }) => (
              <li key={kind} class="why">
                <LampIcon lamp="unknown" />
                <span>
                  {plain(kind)}: not found out. <span class="q2">{visible(why)}</span>
                </span>
              </li>
            ))}
            {all.orphans.slice(0, MAX_LINES).map((orphan) => (
              <OrphanLine key={`${orphan.kind} ${orphan.id}`} of={orphan} />
            ))}
          </ul>
          <Rest total={all.orphans.length} />
        </>
      )}
    </Resource>
  )
}

function OrphanLine({ of: { kind, name, since, why, helps } }: { readonly of: Orphans['orphans'][number] }) {
  const at = parseTimeOr(since)
  return (
    <li class="why">
      <LampIcon lamp="drift" />
      <span>
        <b>{visible(name)}</b> {plain(kind)}{' '}
        <span class="q2">
          {visible(why)} {visible(helps)} {at !== null && <Time at={at} ago />}
        </span>
      </span>
    </li>
  )
}

/** That there is none is only said where everything was seen. */
const Nothing = ({ ok, what }: { readonly ok: boolean | null; readonly what: string }) => (
  <Empty
    title={ok === true ? what : 'None was found, and not everything could be seen.'}
    mark={ok === true}
  />
)

const Rest = ({ total }: { readonly total: number }) =>
  total <= MAX_LINES ? null : <p class="s q">and {number(total - MAX_LINES)} more</p>
