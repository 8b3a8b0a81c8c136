/** The text format: what a reader would refuse never comes out. */
import { expect, it } from 'vitest'
import { exposition } from '../../../src/features/network/exposition.ts'
import { isKnownMac, isRandomized, parseKnownMac } from '../../../src/features/network/known-macs.ts'
import { Wrong } from '../../../src/config/kinds/refine.ts'

it('labels are escaped, what is unknown is absent, and a series stands once', () => {
  const samples = [
    { labels: { name: 'a"b\\c\nd' }, value: 1 },
    { labels: { name: 'a"b\\c\nd' }, value: 2 },
    { labels: { name: 'dark' }, value: null },
  ]
  const family = { name: 'x', type: 'gauge', help: 'Help.', samples } as const
  const none = { name: 'y', type: 'gauge', help: 'Help.', samples: [] } as const
  expect(exposition([family, none])).toBe('# HELP x Help.\n# TYPE x gauge\nx{name="a\\"b\\\\c\\nd"} 1\n')
})

it('a MAC is known whole or by whole octets', () => {
  expect(parseKnownMac('BC-24-11')).toBe('bc:24:11')
  expect(parseKnownMac('bc:24:1')).toBeInstanceOf(Wrong)
  expect(parseKnownMac('00:11:22:33:44:55:66')).toBeInstanceOf(Wrong)
  expect(isKnownMac(['bc:24:11'], 'bc:24:11:00:00:01')).toBe(true)
  expect(isKnownMac(['bc:24:1'], 'bc:24:11:00:00:01')).toBe(false)
  expect(
    ['02', '06', '0a', '0e', '00', '04', 'bc'].map((first) => isRandomized(`${first}:00:00:00:00:00`)),
  ).toEqual([true, true, true, true, false, false, false])
})
