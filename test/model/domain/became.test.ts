/** What a change makes of a record beside what it releases and saves of it. */
import { expect, it } from 'vitest'
import { becameOf, deleted, wholeBecameOf } from '../../../src/model/domain/became.ts'
import { type DomainRecord, fieldsOf, type Status } from '../../../src/model/domain/record.ts'
import { someFields } from '../../fixtures.ts'

const domain = 'app.example.com'
const being = (status: Status, note: string | null = null): DomainRecord => ({
  ...someFields({ domain, note }),
  id: 1,
  status,
  status_reason: null,
  revision: 1,
  created_at: 1,
  updated_at: 1,
  activated_at: null,
})
const fields = fieldsOf(being('active'))

it.each<[from: Status, to: Status, became: readonly object[]]>([
  ['active', 'active', []],
  ['active', 'inactive', [{ domain, status: 'inactive' }]],
  ['inactive', 'disabled', [{ domain, status: 'disabled' }]],
  ['inactive', 'active', [{ domain, status: 'active' }]],
  // The reconciler moves between these two by itself.
  ['error', 'active', []],
  ['error', 'inactive', [{ domain, status: 'inactive' }]],
  ['inactive', 'error', [{ domain, status: 'active' }]],
])('a record that was %s and is %s', (from, to, became) => {
  expect(becameOf(being(from), being(to))).toEqual(became)
  expect(wholeBecameOf(being(from), being(to))).toEqual(became)
})

it('values count where the change brings the record to what somebody else says', () => {
  const edited = being('active', 'of before')
  expect(becameOf(edited, being('active'))).toEqual([])
  expect(wholeBecameOf(edited, being('active'))).toEqual([{ domain, status: 'active', fields }])
  expect(wholeBecameOf(null, being('inactive'))).toEqual([{ domain, status: 'inactive', fields }])
})

it('a deleted record is told by its name', () => {
  expect(deleted(domain)).toEqual([{ domain, status: 'deleted' }])
})
