/** The journey without a fault: the points on its way, and what stands after each step. Everything else is held against it. */
import { FLOW, STEPS } from './flow.ts'
import { readLedger, type Shown } from './ledger.ts'
import { dataIn, type Order } from './order.ts'
import { runChild } from './run-child.ts'
import { readTrail } from './trail.ts'
import type { Workshop } from './workshop.ts'

export interface Stage extends Shown {
  readonly step: string
  /** The audit trail up to here. */
  readonly audit: readonly string[]
}

export interface Reference {
  /** After each step, in order. */
  readonly stages: readonly Stage[]
  readonly points: readonly string[]
  /** Digest of the stranger's bytes. */
  readonly hand_edit: string
}

/** Throws when the journey does not come to its end, or leaves another audit trail than the flow says. */
export async function referenceRun(workshop: Workshop): Promise<Reference> {
  const folder = workshop.folder()
  const order: Order = { folder, steps: STEPS, fault: null, bug: null, manner: 'shown' }
  const ending = await runChild(order)
  if (ending.how !== 'ended') throw new Error(`the journey without a fault ${ending.how}: ${ending.said}`)
  const ledger = readLedger(folder)
  const shown = ledger.flatMap((line) => (line.kind === 'acknowledged' && line.shown ? [line.shown] : []))
  const stages = FLOW.map(({ name }, i) => ({ ...shown[i]!, step: name, audit: auditUpTo(i) }))
  const { audit: trail, undone } = readTrail(dataIn(folder))
  if (trail.join() !== stages.at(-1)!.audit.join()) throw new Error(`the audit trail is ${trail.join(', ')}`)
  if (undone !== 1) throw new Error(`the audit trail tells of ${undone} edits that were undone`)
  return {
    stages,
    points: ledger.flatMap((line) => (line.kind === 'ended' ? line.points : [])),
    hand_edit: ledger.flatMap((line) => (line.kind === 'hand-edited' ? [line.digest] : []))[0]!,
  }
}

const auditUpTo = (index: number): readonly string[] => FLOW.slice(0, index + 1).flatMap(({ audit }) => audit)
