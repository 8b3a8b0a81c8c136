/**
 * The life of a certificate order as one table: which step follows what has happened. Each state stands in the order's row.
 * What is done at a step is decided by `next-step.ts`, from what the authority says of the order.
 *
 *   planned ─ ordered ─ presented ─ propagated ─ answered ─ validated ─ finalised ─ stored
 *
 * An authority may be further than the row: it knows proven names already, or a crash came before the row. So `validated`
 * and `finalised` follow each earlier step at which there is an order. After a pause nobody knows whether the TXT records
 * still stand, so `presented` is walked once more. A certificate that is stored is not given up.
 */
import { createMachine } from 'xstate'
import { Failure } from '../../../../kernel/failure.ts'
import { nextState } from '../../../../kernel/state-machine.ts'
import type { OrderStep } from '../../../../model/network/certificate.ts'

export const ORDER_EVENTS = [
  'order_made',
  'records_presented',
  'records_seen',
  'challenges_answered',
  'names_validated',
  'order_finalised',
  'certificate_stored',
  'given_up',
  'resumed',
] as const
export type OrderEvent = (typeof ORDER_EVENTS)[number]

const AHEAD = { names_validated: 'validated', order_finalised: 'finalised', given_up: 'failed' } as const

export const orderMachine = createMachine({
  id: 'certificate order',
  initial: 'planned',
  states: {
    planned: { on: { order_made: 'ordered', given_up: 'failed' } },
    ordered: { on: { records_presented: 'presented', ...AHEAD } },
    presented: { on: { records_seen: 'propagated', resumed: 'ordered', ...AHEAD } },
    propagated: { on: { challenges_answered: 'answered', ...AHEAD } },
    answered: { on: AHEAD },
    validated: { on: { order_finalised: 'finalised', given_up: 'failed' } },
    finalised: { on: { certificate_stored: 'stored', given_up: 'failed' } },
    stored: { type: 'final' },
    failed: { type: 'final' },
  },
} as const)

/** Throws `internal` for what cannot follow. Pure. */
export function stepAfter(step: OrderStep, event: OrderEvent): OrderStep {
  const next = nextState(orderMachine, step, event)
  if (next === null) throw new Failure('internal', `An order that is ${step} cannot take "${event}".`)
  return next
}

/** The step at which an order is taken up again. */
export const resumedAt = (step: OrderStep): OrderStep => nextState(orderMachine, step, 'resumed') ?? step
