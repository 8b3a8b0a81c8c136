/** Whose connections are counted together. */
import { expect, test } from 'vitest'
import { holderOf } from '../../../src/http/socket/connections.ts'

test.each([
  ['127.0.0.1', '127.0.0.0/8'],
  ['127.9.8.7', '127.0.0.0/8'],
  ['::ffff:127.0.0.2', '127.0.0.0/8'],
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
