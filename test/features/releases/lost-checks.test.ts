/** Which routes let in more than before, in words. */
import { expect, it } from 'vitest'
import type { Offer } from '../../../src/model/domain/rules.ts'
import type { Intent } from '../../../src/model/intent.ts'
import { lostChecks } from '../../../src/features/releases/restore/lost-checks.ts'
import { edition, off, row } from './rows.ts'

const OFFER: Pick<Offer, 'middlewares'> = {
  middlewares: new Map([
    ['list', { unfit_for: {}, changes_path: false, check: 'IP allow list' }],
    ['users', { unfit_for: {}, changes_path: false, check: 'password' }],
    ['no-index', { unfit_for: {}, changes_path: false }],
  ]),
}
const asking = (...extra_middlewares: readonly string[]) => ({ middleware_config: { extra_middlewares } })

const LOST = 'a.example.com loses a check: '
const OPENED = 'a.example.com is opened: it was not reachable, and will be '
const CASES: readonly (readonly [string, Intent, Intent, readonly string[]])[] = [
  ['nothing', edition(row(1, 'a')), edition(row(1, 'a', { backend_port: 9 })), []],
  [
    'sign-in',
    edition(row(1, 'a')),
    edition(row(1, 'a', { auth_required: false })),
    ['sign-in (auth_required).'],
  ],
  [
    'sign-in of TCP',
    edition(row(1, 'a')),
    edition(row(1, 'a', { protocol: 'tcp' })),
    ['sign-in (auth_required).'],
  ],
  [
    'list and password',
    edition(row(1, 'a', asking('list', 'no-index', 'users'))),
    edition(row(1, 'a', asking())),
    ['IP allow list (list), password (users).'],
  ],
  [
    'what nobody knows',
    edition(row(1, 'a', asking('forgotten'))),
    edition(row(1, 'a', asking())),
    ['unknown middleware (forgotten).'],
  ],
  ['what is no check', edition(row(1, 'a', asking('no-index'))), edition(row(1, 'a', asking())), []],
  ['more checks', edition(row(1, 'a', asking())), edition(row(1, 'a', asking('list'))), []],
  [
    'private addresses',
    edition(row(1, 'a', { service_type: 'internal' })),
    edition(row(1, 'a')),
    ['IP allow list (service_type internal).'],
  ],
  [
    'by another record of the name',
    edition(row(1, 'a')),
    edition(row(9, 'a', { auth_required: false })),
    ['sign-in (auth_required).'],
  ],
  ['off line', edition(row(1, 'a')), edition(off(row(1, 'a', { auth_required: false }))), []],
]

it.each(CASES)('%s', (_, before, after, lost) => {
  expect(lostChecks(before, after, OFFER)).toEqual(lost.map((words) => `${LOST}${words}`))
})

it('what nobody reached is opened', () => {
  const before = edition(off(row(1, 'a')))
  expect(lostChecks(before, edition(row(1, 'a')), OFFER)).toEqual([
    `${OPENED}behind sign-in (auth_required).`,
  ])
  const bare = edition(row(1, 'a', { auth_required: false }))
  expect(lostChecks(before, bare, OFFER)).toEqual([`${OPENED}without any check.`])
})
