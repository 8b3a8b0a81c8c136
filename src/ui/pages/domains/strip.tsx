/** What is chosen, and what can be done with all of it: one plan for many. */
import { useSignal } from '@preact/signals'
import type { Change } from '../../api/plans.ts'
import type { DomainRow } from '../../model/domain-rows.ts'
import { count, number } from '../../model/words.ts'
import { ChangeDialog } from '../../parts/acts.tsx'
import { choose, chooseNone, chosen } from './choice.ts'

interface Props {
  readonly rows: readonly DomainRow[]
  readonly fit: readonly DomainRow[]
}

interface Doing {
  readonly label: string
  readonly change: Change
}

export function Strip({ rows, fit }: Props) {
  const doing = useSignal<Doing | null>(null)
  const own = rows.filter(({ id }) => chosen.value.has(id))
  if (own.length === 0) return null
  const pending = own.filter((row) => row.pending)
  const unchosen = fit.filter(({ id }) => !chosen.value.has(id))
  const plan = (ids: readonly number[]) => {
    doing.value = {
      label: `Deploy ${count(ids.length, 'domain')}`,
      change: { kind: 'plan', body: { domains: ids } },
    }
  }
  return (
    <div class="pick" role="region" aria-label="What is chosen">
      <b class="nw">{number(own.length)} chosen</b>
      {unchosen.length > 0 && (
        <button
          type="button"
          class="btn wide"
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
      <button type="button" class="btn" onClick={chooseNone}>
        None
      </button>
      <button
        type="button"
        class="btn first"
        disabled={pending.length === 0}
        title={pending.length === 0 ? 'None of what is chosen waits for a deploy.' : undefined}
        onClick={() => plan(pending.map(({ id }) => id))}
      >
        Plan {number(pending.length)}
      </button>
      {doing.value !== null && (
        <ChangeDialog
          label={doing.value.label}
          change={doing.value.change}
          onClose={() => {
            doing.value = null
          }}
          without={plan}
        />
      )}
    </div>
  )
}
