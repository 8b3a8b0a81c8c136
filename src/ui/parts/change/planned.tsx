/** A plan that was made: what it does, what stands in its way, and the press that applies exactly it. */
import { useSignal, type Signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { now } from '../../api/clock.ts'
import type { Change, Planned } from '../../api/plans.ts'
import { mayChange, whyNot } from '../../api/session.ts'
import { commandOf } from '../../model/text/command-words.ts'
import { copyText } from '../copy.tsx'
import { addKeys, MOD_ENTER } from '../keys.ts'
import { PlanOthers } from './others.tsx'
import { beforeText, PlanBody } from './plan.tsx'
import { run, type Stage } from './run.ts'
import { Prose } from '../text/prose.tsx'

interface Props {
  readonly change: Change
  readonly act: string
  readonly danger?: boolean
  readonly saves?: boolean
  readonly without?: ((ids: readonly number[]) => void) | undefined
  readonly onDone?: ((body: unknown) => void) | undefined
  readonly stage: Signal<Stage>
  readonly again: () => void
  readonly planned: Planned
  readonly note: string | null
  readonly isOf: boolean
}

const SIGNS = 8

export function PlannedBody({
  planned,
  note,
  change,
  stage,
  act,
  danger = false,
  saves = false,
  without,
  onDone,
  again,
  isOf,
}: Props) {
  const typed = useSignal('')
  const { plan: made, expires_at } = planned
  const over = expires_at !== null && expires_at <= now.value
  const asks = made.guards.length > 0 && made.guards.every(({ confirmable }) => confirmable)
  const blocked = made.guards.some(({ confirmable }) => !confirmable) || made.refused.length > 0
  const confirmed = !asks || typed.value === made.hash.slice(0, SIGNS)
  const idle = !saves && made.actions.length === 0 && made.rows.length === 0
  // Until the plan of what was chosen last is there, the one before it cannot be applied.
  const ready = isOf && mayChange.value && !over && !blocked && confirmed && (made.applyable || asks)
  const apply = () => {
    if (ready && !idle) void run(change, planned, asks ? made.hash : null, stage, onDone)
  }
  useLayoutEffect(() => addKeys([{ keys: 'mod+enter', label: act, run: apply }]))
  const before = beforeText(made)
  const own = change.kind === 'call' ? commandOf(change, made.hash) : null
  const command = planned.id === null ? own : `plumbline apply ${planned.id}`
  const kept = made.rows.filter(({ domain_id }) => made.refused.every((one) => one.domain_id !== domain_id))
  const others = made.refused.length > 0 && kept.length > 0 && without !== undefined
  const hasFoot = over || !idle || others || whyNot.value !== null
  return (
    <>
      {note !== null && (
        <section role="status" class="c-pending">
          {note}
        </section>
      )}
      {planned.notes.length > 0 && (
        <section>
          {planned.notes.map((one) => (
            <p key={one} class="s q2 note">
              <Prose of={one} />
            </p>
          ))}
        </section>
      )}
      <PlanBody plan={made} saves={saves} />
      {asks && (
        <section>
          <label class="field flat">
            <b class="s">
              Type <span class="mono">{made.hash.slice(0, SIGNS)}</span> to let exactly this plan through,
              once
            </b>
            <span class="input">
              <input
                class="mono"
                value={typed.value}
                onInput={(event) => {
                  typed.value = event.currentTarget.value.trim()
                }}
              />
            </span>
          </label>
        </section>
      )}
      {hasFoot && (
        <footer class="acts">
          {over ? (
            <button type="button" class="btn first" onClick={again}>
              Plan again
            </button>
          ) : (
            !idle && (
              <button
                type="button"
                class={danger ? 'btn danger' : 'btn first'}
                disabled={!ready}
                onClick={apply}
              >
                {act} <kbd>{MOD_ENTER}</kbd>
              </button>
            )
          )}
          {command !== null && !over && !idle && <CopyCommand command={command} />}
          {made.refused.length > 0 && (
            <PlanOthers ids={kept.map(({ domain_id }) => domain_id)} without={without} />
          )}
          {before !== null && !over && !idle && <span class="s q2">{before}</span>}
          {over && <span class="s q">This plan is too old to be applied.</span>}
          {whyNot.value !== null && <span class="s q2">{whyNot.value}</span>}
        </footer>
      )}
    </>
  )
}

/** The same press from a terminal: a kept plan by its id, a call with the hash of its plan. */
function CopyCommand({ command }: { readonly command: string }) {
  const done = useSignal(false)
  const copy = async () => {
    done.value = await copyText(command)
  }
  return (
    <button type="button" class="btn" onClick={() => void copy()}>
      {done.value ? 'Copied' : 'Copy as command'}
    </button>
  )
}
