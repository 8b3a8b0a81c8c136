/** What is chosen, and what can be done with all of it: one plan for many. */
import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import type { Change } from '../../api/plans.ts'
import { mayChange, whyNot } from '../../api/session.ts'
import type { DomainRow } from '../../model/domain-rows.ts'
import { MANY_ACTIONS, seenOf, type ManyAction } from '../../model/many-acts.ts'
import { count, number } from '../../model/words.ts'
import { ChangeDialog } from '../../parts/acts.tsx'
import { addKeys } from '../../parts/keys.ts'
import { Menu } from '../../parts/menu.tsx'
import { choose, chooseNone, chosen } from './choice.ts'
import { ManyDialog, type ManyAct } from './many.tsx'

interface Props {
  readonly rows: readonly DomainRow[]
  readonly fit: readonly DomainRow[]
}

/** `deploy` is the plan of what is saved. */
interface Doing {
  readonly act: ManyAction | 'deploy'
  readonly rows: readonly DomainRow[]
}

export function Strip({ rows, fit }: Props) {
  const doing = useSignal<Doing | null>(null)
  const asking = useSignal<ManyAct | null>(null)
  const own = chosen.value.size === 0 ? [] : rows.filter(({ id }) => chosen.value.has(id))
  const pending = own.filter((row) => row.pending)
  const start = (act: Doing['act'], of: readonly DomainRow[]) => {
    doing.value = { act, rows: of }
  }
  const planAll = () => {
    if (pending.length > 0) start('deploy', pending)
  }
  useLayoutEffect(() =>
    own.length === 0 ? undefined : addKeys([{ keys: 'p', label: 'Plan what is chosen', run: planAll }]),
  )
  const ask = (act: ManyAct) => () => {
    asking.value = act
  }
  const actions = (['activate', 'deactivate', 'discard', 'disable', 'delete'] as const).map((act) =>
    itemOf(act, own, start),
  )
  return (
    <>
      {own.length > 0 && (
        <div class="pick" role="region" aria-label="What is chosen">
          <b class="nw">{number(own.length)} chosen</b>
          {(
            [
              ['sign_in', 'Sign-in…'],
              ['tag', 'Tag…'],
            ] as const
          ).map(([act, title]) => (
            <button
              key={act}
              type="button"
              class="btn"
              disabled={!mayChange.value}
              title={whyNot.value ?? undefined}
              onClick={ask(act)}
            >
              {title}
            </button>
          ))}
          <Menu
            label="More"
            items={[{ title: 'Change one field…', run: ask('field'), why_not: whyNot.value }, ...actions]}
          >
            More…
          </Menu>
          <button
            type="button"
            class="btn first"
            disabled={pending.length === 0}
            title={pending.length === 0 ? 'None of what is chosen waits for a deploy.' : undefined}
            onClick={planAll}
          >
            Plan {number(pending.length)} {pending.length > 0 && <kbd>p</kbd>}
          </button>
        </div>
      )}
      {own.length > 0 && <ChoiceLine own={own} fit={fit} />}
      {asking.value !== null && (
        <ManyDialog
          act={asking.value}
          records={own.map(({ record }) => record)}
          tags={tagsOf(rows)}
          onClose={() => {
            asking.value = null
          }}
        />
      )}
      {doing.value !== null && (
        <DoingDialog
          doing={doing.value}
          onClose={() => {
            doing.value = null
          }}
        />
      )}
    </>
  )
}

/** An act is offered for those that it is for, and says why where that is none. */
function itemOf(
  act: ManyAction,
  own: readonly DomainRow[],
  start: (act: ManyAction, of: readonly DomainRow[]) => void,
) {
  const { title, danger, fits, none } = MANY_ACTIONS[act]
  const of = own.filter(fits)
  return {
    title: of.length === 0 ? title : `${title} ${number(of.length)}…`,
    danger,
    why_not: of.length === 0 ? none : whyNot.value,
    run: () => start(act, of),
  }
}

/** The rows are those of the press: what the act makes of them does not change what is shown of it. */
function DoingDialog({
  doing: { act, rows },
  onClose,
}: {
  readonly doing: Doing
  readonly onClose: () => void
}) {
  const only = useSignal<ReadonlySet<number> | null>(null)
  const left = rows.filter(({ id }) => only.value?.has(id) ?? true)
  const { title, danger } = act === 'deploy' ? { title: 'Deploy', danger: false } : MANY_ACTIONS[act]
  return (
    <ChangeDialog
      label={`${title} ${count(left.length, 'domain')}`}
      change={changeOf(act, left)}
      danger={danger}
      saves={act !== 'deploy'}
      onClose={onClose}
      without={(ids) => {
        only.value = new Set(ids)
      }}
    />
  )
}

const changeOf = (act: Doing['act'], rows: readonly DomainRow[]): Change =>
  act === 'deploy'
    ? { kind: 'plan', body: { domains: rows.map(({ id }) => id) } }
    : {
        kind: 'call',
        method: 'POST',
        path: '/api/domains/changes',
        body: { records: seenOf(rows.map(({ record }) => record)), action: act },
      }

/** All that fit are chosen by a sentence of its own, and what is out of sight is counted. */
function ChoiceLine({
  own,
  fit,
}: {
  readonly own: readonly DomainRow[]
  readonly fit: readonly DomainRow[]
}) {
  const shown = fit.filter(({ id }) => chosen.value.has(id)).length
  const hidden = own.length - shown
  return (
    <p class="s q2 chosen">
      {hidden > 0 &&
        `${number(hidden)} of what is chosen ${hidden === 1 ? 'does' : 'do'} not fit the filter. `}
      {shown < fit.length && (
        <button
          type="button"
          class="btn quiet"
          onClick={() =>
            choose(
              fit.map(({ id }) => id),
              true,
            )
          }
        >
          Choose all {number(fit.length)} that fit
        </button>
      )}
      <button type="button" class="btn quiet" onClick={chooseNone}>
        Choose none
      </button>
    </p>
  )
}

const tagsOf = (rows: readonly DomainRow[]): readonly string[] =>
  [...new Set(rows.flatMap(({ tags }) => tags))].toSorted()
