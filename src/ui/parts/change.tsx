/** A change beside the page: its plan, one press, its steps, its proof. There is no other way to change something. */
import { useSignal, type Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { invalidate } from '../api/cache.ts'
import { daemonTime, now } from '../api/clock.ts'
import { codeOf, type Fault } from '../api/fault.ts'
import { applyPlan, follow, isOperation, makePlan, type Change, type Planned } from '../api/plans.ts'
import { mayChange, whyNot } from '../api/session.ts'
import type { Operation } from '../api/types.ts'
import { agoText, leftText } from '../model/ages.ts'
import { isResult, progressLines, proofLines, type StepLine } from '../model/plan-words.ts'
import { addKeys } from './keys.ts'
import { othersOf, PlanOthers } from './others.tsx'
import { FaultLine } from './panel.tsx'
import { PlanBody } from './plan.tsx'
import { Steps } from './steps.tsx'

type Stage =
  | { readonly kind: 'planning' }
  | { readonly kind: 'refused'; readonly fault: Fault }
  | { readonly kind: 'planned'; readonly planned: Planned; readonly note: string | null }
  | { readonly kind: 'applying'; readonly operation: Operation | null }
  | {
      readonly kind: 'done'
      readonly steps: readonly StepLine[]
      readonly message: string
      readonly at: number
    }
  | { readonly kind: 'failed'; readonly fault: Fault; readonly steps: readonly StepLine[] }

export type StageKind = Stage['kind']

interface Props {
  readonly title?: string
  /** Made again whenever this text changes: the change itself and what it rests on. */
  readonly change: Change
  readonly basis?: string
  readonly act: string
  readonly danger?: boolean
  readonly head?: ComponentChildren
  readonly extra?: ComponentChildren
  readonly onDone?: (body: unknown) => void
  /** Why it cannot be planned, for the fields that it names; null once it can. */
  readonly onRefused?: (fault: Fault | null) => void
  readonly onStage?: (stage: StageKind) => void
  /** Without the rows that are refused; absent where that cannot be. */
  readonly without?: (ids: readonly number[]) => void
}

export function ChangeBox(props: Props) {
  const { title = 'Plan', change, basis = '', head } = props
  const stage = useSignal<Stage>({ kind: 'planning' })
  const key = JSON.stringify(change) + basis
  useEffect(() => {
    let current = true
    void plan(change, stage, () => current)
    return () => {
      current = false
    }
  }, [key])
  useEffect(() => {
    const { value } = stage
    props.onStage?.(value.kind)
    if (value.kind === 'refused') props.onRefused?.(value.fault)
    if (value.kind === 'planned') props.onRefused?.(null)
  }, [stage.value])
  const again = () => {
    stage.value = { kind: 'planning' }
    void plan(change, stage, () => true)
  }
  return (
    <section class="plan box" aria-label={title} aria-busy={stage.value.kind === 'planning'}>
      <header>
        <h2 class="head2">{title}</h2>
        <PlanAge stage={stage.value} />
        {head}
      </header>
      <StageBody {...props} stage={stage} again={again} />
    </section>
  )
}

async function plan(
  change: Change,
  stage: Signal<Stage>,
  isCurrent: () => boolean,
  note: string | null = null,
) {
  const { kind } = stage.peek()
  if (kind === 'applying' || (kind === 'done' && note === null)) return
  const answer = await makePlan(change, daemonTime)
  if (!isCurrent()) return
  stage.value = answer.ok
    ? { kind: 'planned', planned: answer.body, note }
    : { kind: 'refused', fault: answer.fault }
}

function PlanAge({ stage }: { readonly stage: Stage }) {
  if (stage.kind === 'planning') return <span class="s q">being made</span>
  if (stage.kind !== 'planned') return null
  const { made_at, expires_at, plan: made } = stage.planned
  return (
    <span class="s q">
      made {agoText(made_at, now.value)}
      {expires_at !== null && ` · good for ${leftText(expires_at, now.value)}`} ·{' '}
      <span class="mono">{made.hash.slice(0, 8)}</span>
    </span>
  )
}

interface BodyProps extends Props {
  readonly stage: Signal<Stage>
  readonly again: () => void
}

function StageBody(props: BodyProps) {
  const { stage, again } = props
  const at = stage.value
  switch (at.kind) {
    case 'planning':
      return (
        <section aria-hidden="true" class="q2">
          …
        </section>
      )
    case 'refused':
      return (
        <section>
          <FaultLine fault={at.fault} />
          <p class="acts gap">
            <button type="button" class="btn" onClick={again}>
              Plan again
            </button>
            <PlanOthers ids={othersOf(props.change, at.fault)} without={props.without} />
          </p>
        </section>
      )
    case 'planned':
      return <PlannedBody {...props} planned={at.planned} note={at.note} />
    case 'applying':
      return (
        <section class="box-in" aria-live="polite">
          <h3 class="t">Under way</h3>
          <Steps steps={progressLines(at.operation)} />
          <p class="s q2 gap">You may leave; it goes on and is shown on Overview.</p>
        </section>
      )
    case 'done':
      return (
        <section class="proof" aria-live="polite">
          <h3 class="t">Proof</h3>
          <p class="q2 flush">{at.message}</p>
          <Steps steps={at.steps} />
          {props.extra}
        </section>
      )
    case 'failed':
      return (
        <section aria-live="polite">
          <Steps steps={at.steps} />
          <FaultLine fault={at.fault} />
          <p class="acts gap">
            <button type="button" class="btn" onClick={again}>
              Plan again
            </button>
          </p>
        </section>
      )
  }
}

interface PlannedProps extends BodyProps {
  readonly planned: Planned
  readonly note: string | null
}

const SIGNS = 8

function PlannedBody({
  planned,
  note,
  change,
  stage,
  act,
  danger = false,
  without,
  onDone,
  again,
}: PlannedProps) {
  const typed = useSignal('')
  const { plan: made, expires_at } = planned
  const over = expires_at !== null && expires_at <= now.value
  const asks = made.guards.length > 0 && made.guards.every(({ confirmable }) => confirmable)
  const blocked = made.guards.some(({ confirmable }) => !confirmable) || made.refused.length > 0
  const confirmed = !asks || typed.value === made.hash.slice(0, SIGNS)
  const idle = made.actions.length === 0 && made.rows.length === 0
  const ready = mayChange.value && !over && !blocked && confirmed && (made.applyable || asks)
  const apply = () => {
    if (ready && !idle) void run(change, planned, asks ? made.hash : null, stage, onDone)
  }
  useEffect(() => addKeys([{ keys: 'mod+enter', label: act, run: apply }]))
  const kept = made.rows.filter(({ domain_id }) => made.refused.every((one) => one.domain_id !== domain_id))
  return (
    <>
      {note !== null && (
        <section role="status" class="c-pending">
          {note}
        </section>
      )}
      <PlanBody plan={made} />
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
              {act} <kbd>⌘⏎</kbd>
            </button>
          )
        )}
        {made.refused.length > 0 && (
          <PlanOthers ids={kept.map(({ domain_id }) => domain_id)} without={without} />
        )}
        {over && <span class="s q">This plan is too old to be applied.</span>}
        {whyNot.value !== null && <span class="s q2">{whyNot.value}</span>}
      </footer>
    </>
  )
}

async function run(
  change: Change,
  planned: Planned,
  confirm: string | null,
  stage: Signal<Stage>,
  onDone: ((body: unknown) => void) | undefined,
): Promise<void> {
  stage.value = { kind: 'applying', operation: null }
  const first = await applyPlan(change, planned, confirm)
  if (!first.ok) {
    failed(change, stage, first.fault, null)
    return
  }
  const outcome = isOperation(first.body)
    ? await follow(first.body, (operation) => {
        stage.value = { kind: 'applying', operation }
      })
    : ({ kind: 'done', body: first.body, operation: null } as const)
  invalidate('all')
  if (outcome.kind === 'failed') {
    failed(change, stage, outcome.fault, outcome.operation)
    return
  }
  const steps = isResult(outcome.body) ? proofLines(outcome.body) : []
  stage.value = { kind: 'done', steps, message: messageOf(outcome.body), at: daemonTime() }
  onDone?.(outcome.body)
}

/** What is there has moved since the plan was made: the new plan is shown, and says so. */
function failed(change: Change, stage: Signal<Stage>, fault: Fault, operation: Operation | null): void {
  if (codeOf(fault) === 'conflict' || codeOf(fault) === 'revision_mismatch') {
    stage.value = { kind: 'planning' }
    void plan(change, stage, () => true, `Nothing was done: ${detailOf(fault)} This is the new plan.`)
    return
  }
  stage.value = { kind: 'failed', fault, steps: progressLines(operation) }
}

const detailOf = (fault: Fault): string => (fault.kind === 'problem' ? fault.problem.detail : '')

const messageOf = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : 'Done.'
