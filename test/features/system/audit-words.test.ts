/** Who acted, as people call them and as the trail does; and the addresses that a report brought. */
import { expect, it } from 'vitest'
import { actorShown } from '../../../src/cli/text/actor-shown.ts'
import { actorsMeant, addressesIn } from '../../../src/features/system/audit-words.ts'

it.each([
  ['ci', ['ci', 'key:ci', 'sso:ci']],
  ['key:ci', ['key:ci']],
  ['sso:ana', ['sso:ana']],
  ['main', ['main', 'key:main', 'sso:main', 'key']],
  ['key:main', ['key:main', 'key']],
])('%s may be called %j', (word, meant) => {
  expect(actorsMeant(word)).toEqual(meant)
})

it('a key is shown as one, and whoever else acts as the trail has them', () => {
  expect(['key', 'key:ci', 'sso:ana', 'reconciler'].map(actorShown)).toEqual([
    'key main',
    'key ci',
    'sso:ana',
    'reconciler',
  ])
})

it('an address that was reported is shown with the one before it', () => {
  const addresses = [
    { type: 'A', before: null, after: '8.8.4.4' },
    { type: 'AAAA', before: '2001:db8::1', after: '2001:db8::2' },
  ]
  expect(addressesIn({ key: 'token:1', addresses })).toEqual([
    'A: none -> 8.8.4.4',
    'AAAA: 2001:db8::1 -> 2001:db8::2',
  ])
  expect(addressesIn({ addresses: 'damaged' })).toEqual([])
  expect(addressesIn({})).toEqual([])
})
