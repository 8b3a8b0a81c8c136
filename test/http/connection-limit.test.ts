/** Whose connections are counted together. */
import { describe, expect, test } from 'vitest'
import { connectionLimit, holderOf } from '../../src/http/connection-limit.ts'

describe('one holder', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:10.0.0.7', '10.0.0.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ])('%s is %s', (address, holder) => {
    expect(holderOf(address)).toBe(holder)
  })
})

test('a share is given back, and exempt addresses have none', () => {
  const limit = connectionLimit(2, (address) => address === '10.0.0.1')
  expect(['a', 'b', 'c'].map(() => limit.enter('2001:db8::1'))).toEqual([true, true, false])
  expect(limit.enter('2001:db8:0:1::1')).toBe(true)
  limit.leave('2001:db8::2')
  expect(limit.enter('2001:db8::3')).toBe(true)
  expect(Array.from({ length: 9 }, () => limit.enter('::ffff:10.0.0.1'))).not.toContain(false)
})
