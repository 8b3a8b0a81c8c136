/** A plan as it is read: what it does, the lines that would be written, what stands in its way. */
import type { Plan } from '../../api/types.ts'
import { planLines, rowsText, warningsBeside } from '../../model/plan-words.ts'
import { visible } from '../../model/visible.ts'
import { count, guardTitle, listed } from '../../model/words.ts'
import { Diff } from '../diff.tsx'
import { LampIcon } from '../lamp.tsx'
import { Prose } from '../text/prose.tsx'

const TAGS = { add: 'ok', change: 'pending', remove: 'bad', keep: 'off' } as const

const MAX_LINES = 30

interface Props {
  readonly plan: Plan
  readonly saves?: boolean
}

export function PlanBody({ plan, saves = false }: Props) {
  const lines = planLines(plan)
  const isIdle = lines.length === 0 && plan.refused.length === 0 && plan.guards.length === 0
  const isSaid = isIdle || lines.length > 0 || plan.rows.length > 0
  return (
    <>
      {isSaid && (
        <section>
          {plan.rows.length > 0 && <p class="q2 flush">{visible(rowsText(plan.rows))}</p>}
          {isIdle && (
            <p class="q2">
              {saves
                ? 'Only the record is written; nothing of it is deployed.'
                : 'Nothing to do: what is there is what is saved.'}
            </p>
          )}
          <ul class="acts-list">
            {lines.slice(0, MAX_LINES).map(({ verb, what, detail }) => (
              <li key={`${verb} ${what}`}>
                <span class={`tag ${TAGS[verb]}`}>{verb}</span>
                <span>
                  {visible(what)} <span class="q">{visible(detail)}</span>
                </span>
              </li>
            ))}
          </ul>
          {lines.length > MAX_LINES && <p class="s q">and {count(lines.length - MAX_LINES, 'line')} more</p>}
        </section>
      )}
      <InTheWay plan={plan} />
      {plan.unified_diff !== null && plan.unified_diff !== '' && (
        <Diff unified={plan.unified_diff} label="What would be written" />
      )}
    </>
  )
}

/** How much is to be read before the press, for the line beside its button; null for nothing. */
export function beforeText(plan: Plan): string | null {
  const { guards, refused, complete } = plan
  const warnings = warningsBeside(plan)
  const parts = [
    ...(guards.length === 0 ? [] : [count(guards.length, 'guard')]),
    ...(refused.length === 0 ? [] : [`${count(refused.length, 'domain')} in the way`]),
    ...(warnings.length === 0 ? [] : [count(warnings.length, 'warning')]),
    ...(complete ? [] : ['not all could be read']),
  ]
  return parts.length === 0 ? null : `Above: ${parts.join(', ')}.`
}

/** Above the lines, however many there are: it is read before the press. */
function InTheWay({ plan }: { readonly plan: Plan }) {
  const { guards, refused, left, complete } = plan
  const warnings = warningsBeside(plan)
  if (guards.length + refused.length + left.length + warnings.length === 0 && complete) return null
  return (
    <section>
      {guards.map(({ rule, message }) => (
        <p key={rule} class="why">
          <LampIcon lamp="bad" />
          <span>
            <b class="c-bad">{guardTitle(rule)}</b> <Prose of={message} />
          </span>
        </p>
      ))}
      {refused.map(({ domain, message }) => (
        <p key={domain} class="why">
          <LampIcon lamp="drift" />
          <span>
            <b>{visible(domain)} stands in the way.</b> <Prose of={message} />
          </span>
        </p>
      ))}
      {left.map(({ key, mode, reason, differences }) => (
        <p key={key} class="s q2">
          {visible(key)} is left alone ({count(differences, 'difference')}): mode {mode},{' '}
          <Prose of={reason} />
        </p>
      ))}
      {warnings.map((warning) => (
        <p key={warning} class="why note">
          <LampIcon lamp="drift" />
          <span>
            <Prose of={warning} />
          </span>
        </p>
      ))}
      {!complete && <p class="s c-unknown">Not all of what is there could be read, so nothing is deleted.</p>}
    </section>
  )
}

/** "admin, api and 3 more", for a button. */
export const namesOf = (rows: readonly { readonly domain: string }[]): string =>
  listed(rows.map(({ domain }) => visible(domain)))
