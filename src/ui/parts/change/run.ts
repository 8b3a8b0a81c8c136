/** The stages of a change: planned, refused, under way, proven; and what leads from one to the next. */
import type { Signal } from '@preact/signals'
import { invalidate } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import { daemonTime } from '../../api/clock.ts'
import { codeOf, type Fault } from '../../api/fault.ts'
import { applyPlan, follow, isOperation, makePlan, type Change, type Planned } from '../../api/plans.ts'
import { staleBy } from '../../api/stale-by.ts'
import type { Operation } from '../../api/types.ts'
import { isResult, progressLines, proofSteps, resultText, type StepLine } from '../../model/plan-words.ts'

export type Stage =
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

export async function plan(
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

export async function run(
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
  const steps = proofSteps(outcome.body, planned.plan.rows.length === 0)
  if (isResult(outcome.body)) void lookAgain()
  stage.value = { kind: 'done', steps, message: messageOf(outcome.body), at: daemonTime() }
  onDone?.(outcome.body)
}

/** What follows from a part that was written is looked at less often than the part: it would be shown as it was before. */
async function lookAgain(): Promise<void> {
  const answer = await call({ path: '/api/control-plane/health?probe=true' })
  if (answer.ok) invalidate(staleBy('repaired'))
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
  typeof body === 'object' && body !== null && 'message' in body ? resultText(String(body.message)) : 'Done.'
