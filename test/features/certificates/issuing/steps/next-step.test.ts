/** What is done next, for every state of the authority's order at every step of ours. */
import { describe, expect, test } from 'vitest'
import type { AcmeOrder } from '../../../../../src/features/certificates/acme/port.ts'
import type { CertificateOrder } from '../../../../../src/features/certificates/order-records.ts'
import type { OrderStep } from '../../../../../src/model/network/certificate.ts'
import { isDone, nextStep } from '../../../../../src/features/certificates/issuing/steps/next-step.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 6, 22)

const ROW: CertificateOrder = {
  id: 'order-1',
  name: 'app.example.com',
  names: ['app.example.com'],
  directory: 'https://ca.test/directory',
  rehearsal: false,
  replaces: null,
  step: 'ordered',
  order_url: 'https://ca.test/order/1',
  challenges: [],
  reason: 'there is none yet',
  started_at: NOW - MINUTE,
  updated_at: NOW - MINUTE,
}
const SEEN: AcmeOrder = {
  url: 'https://ca.test/order/1',
  status: 'pending',
  names: ROW.names,
  expires_at: NOW + DAY,
  authorization_urls: [],
  finalize_url: 'https://ca.test/order/1/finalize',
  certificate_url: null,
  error: null,
}

const WALKED = ['ordered', 'presented', 'propagated', 'answered', 'validated', 'finalised'] as const

test.each<[AcmeOrder['status'], readonly string[]]>([
  ['pending', ['present', 'await_records', 'answer', ...Array<string>(3).fill('await_validation')]],
  ['ready', [...Array<string>(4).fill('note validated'), 'finalise', 'await_issue']],
  ['processing', [...Array<string>(5).fill('note finalised'), 'await_issue']],
  ['valid', [...Array<string>(5).fill('note finalised'), 'download']],
  ['invalid', Array<string>(6).fill('fail')],
])('%s', (status, moves) => {
  const found = WALKED.map((step) => {
    const move = nextStep({ ...ROW, step }, { ...SEEN, status }, NOW)
    return move.do === 'note' ? `note ${move.step}` : move.do
  })
  expect(found).toEqual(moves)
})

const whyAt = (row: Partial<CertificateOrder>, seen: Partial<AcmeOrder>, now = NOW): string | null => {
  const move = nextStep({ ...ROW, ...row }, { ...SEEN, ...seen }, now)
  return move.do === 'fail' ? move.why : null
}

describe('an order is given up', () => {
  test.each<[string, Partial<CertificateOrder>, Partial<AcmeOrder>, RegExp | null]>([
    ['when the authority says so, in its words', {}, { status: 'invalid', error: 'caa' }, /invalid: caa\./],
    ['when it ended', {}, { expires_at: NOW }, /ended at 2026-07-22/],
    ['ready, when it ended', { step: 'validated' }, { status: 'ready', expires_at: NOW }, /ended at/],
    ['not while it lasts', {}, { expires_at: NOW + 1 }, null],
    ['where it has no end, after a day', { started_at: NOW - DAY }, { expires_at: null }, /still not done/],
    ['not after less', { started_at: NOW - DAY + 1 }, { expires_at: null }, null],
    ['after an hour of validating', { step: 'answered', updated_at: NOW - HOUR }, {}, /validating the names/],
    ['not after less', { step: 'answered', updated_at: NOW - HOUR + 1 }, {}, null],
    [
      'after an hour of issuing',
      { step: 'finalised', updated_at: NOW - HOUR },
      { status: 'processing' },
      /issuing the certificate/,
    ],
    [
      'never once there is a certificate',
      { step: 'finalised', started_at: 0, updated_at: 0 },
      { status: 'valid', expires_at: 0 },
      null,
    ],
    [
      'not because the clock was set back',
      { started_at: NOW + 40 * DAY, updated_at: NOW + 40 * DAY },
      {},
      null,
    ],
  ])('%s', (_what, row, seen, why) => {
    if (why === null) expect(whyAt(row, seen)).toBeNull()
    else expect(whyAt(row, seen)).toMatch(why)
  })
})

test('done is stored or failed; a rehearsal when it is validated', () => {
  const steps: readonly OrderStep[] = ['planned', ...WALKED, 'stored', 'failed']
  expect(steps.filter((step) => isDone({ ...ROW, step }))).toEqual(['stored', 'failed'])
  const rehearsed = steps.filter((step) => isDone({ ...ROW, step, rehearsal: true }))
  expect(rehearsed).toEqual(['validated', 'stored', 'failed'])
})
