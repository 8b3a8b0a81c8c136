/** The steps of an order: every (step, event) pair as the table draws it, every path, and what the authority says of it. */
import { describe, expect, it } from 'vitest'
import { getSimplePaths } from 'xstate/graph'
import type { AcmeOrder } from '../../../../../src/features/certificates/acme/port.ts'
import type { CertificateOrder } from '../../../../../src/features/certificates/order-records.ts'
import { type NextStep, nextStep } from '../../../../../src/features/certificates/issuing/steps/next-step.ts'
import {
  ORDER_EVENTS,
  type OrderEvent,
  orderMachine,
  resumedAt,
  stepAfter,
} from '../../../../../src/features/certificates/issuing/steps/order-steps.ts'
import { ORDER_STEPS, type OrderStep } from '../../../../../src/model/network/certificate.ts'

const AHEAD = { names_validated: 'validated', order_finalised: 'finalised', given_up: 'failed' } as const
const TABLE: Record<OrderStep, Partial<Record<OrderEvent, OrderStep>>> = {
  planned: { order_made: 'ordered', given_up: 'failed' },
  ordered: { records_presented: 'presented', ...AHEAD },
  presented: { records_seen: 'propagated', resumed: 'ordered', ...AHEAD },
  propagated: { challenges_answered: 'answered', ...AHEAD },
  answered: AHEAD,
  validated: { order_finalised: 'finalised', given_up: 'failed' },
  finalised: { certificate_stored: 'stored', given_up: 'failed' },
  stored: {},
  failed: {},
}

describe('an order', () => {
  const pairs = ORDER_STEPS.flatMap((step) =>
    ORDER_EVENTS.map((event) => [step, event, TABLE[step][event] ?? null] as const),
  )

  it.each(pairs)('that is %s and takes %s becomes %s', (step, event, next) => {
    if (next === null) expect(() => stepAfter(step, event)).toThrow(`An order that is ${step}`)
    else expect(stepAfter(step, event)).toBe(next)
  })

  it('is at each step a row can hold', () => {
    expect(Object.keys(orderMachine.states)).toEqual([...ORDER_STEPS])
  })

  it('is finalised before it is stored, and made before it is anything else, on every path', () => {
    const events = ORDER_EVENTS.map((type) => ({ type }))
    const paths = getSimplePaths(orderMachine, { events })
    const walks = paths.map(({ steps }) => steps.map(({ event }) => event.type as OrderEvent).slice(1))
    const stored = walks.filter((_walk, index) => paths[index]!.state.value === 'stored')
    // As far as the row had come when the authority turned out to be ahead: four steps, each straight to the end or by `validated`.
    expect(stored).toHaveLength(8)
    for (const walk of stored)
      expect([walk[0], ...walk.slice(-2)]).toEqual(['order_made', 'order_finalised', 'certificate_stored'])
    for (const walk of walks.filter(({ length }) => length > 1)) {
      expect(walk[0]).toBe('order_made')
      let step: OrderStep = 'planned'
      for (const event of walk) step = stepAfter(step, event)
    }
  })

  it('is taken up again where it stood, but for records that nobody knows to stand', () => {
    for (const step of ORDER_STEPS) expect(resumedAt(step)).toBe(step === 'presented' ? 'ordered' : step)
  })
})

const STATUSES: readonly AcmeOrder['status'][] = ['pending', 'ready', 'processing', 'valid', 'invalid']
const WITH_ORDER: readonly OrderStep[] = [
  'ordered',
  'presented',
  'propagated',
  'answered',
  'validated',
  'finalised',
]
const NOW = 1_700_000_000_000

/** What a move that goes well has done; null for a wait. */
function eventOf(move: NextStep): OrderEvent | null {
  switch (move.do) {
    case 'present':
      return 'records_presented'
    case 'await_records':
      return 'records_seen'
    case 'answer':
      return 'challenges_answered'
    case 'note':
      return move.step === 'validated' ? 'names_validated' : 'order_finalised'
    case 'finalise':
      return 'order_finalised'
    case 'download':
      return 'certificate_stored'
    case 'fail':
      return 'given_up'
    case 'await_validation':
    case 'await_issue':
      return null
  }
}

describe('whatever an authority says of an order', () => {
  const told = WITH_ORDER.flatMap((step) => STATUSES.map((status) => [step, status] as const))

  it.each(told)('that is %s (%s there), what is done leads to a step that may follow', (step, status) => {
    const row = { step, started_at: NOW, updated_at: NOW } as CertificateOrder
    const seen = { status, expires_at: null, error: null } as unknown as AcmeOrder
    const event = eventOf(nextStep(row, seen, NOW))
    if (event === null) expect(['answered', 'validated', 'finalised']).toContain(step)
    else expect(ORDER_STEPS).toContain(stepAfter(step, event))
  })
})
