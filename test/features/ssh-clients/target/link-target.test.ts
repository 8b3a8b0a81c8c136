/** Which keys it would let in again to put `authorized_keys` back in place of a link. */
import { expect, it } from 'vitest'
import { blockOf } from '../../../../src/features/ssh-clients/model/block.ts'
import { readLine } from '../../../../src/features/ssh-clients/model/line.ts'
import { lackedBehind } from '../../../../src/features/ssh-clients/target/gateway-state.ts'
import { ED25519, OTHER } from '../../../model/ssh/keys.ts'

const FOREIGN = `${OTHER} carl\n`
const OURS = blockOf([`restrict ${ED25519} alice`])
const CARL = readLine(FOREIGN.trim())!.fingerprint

it.each<[string, string, readonly string[]]>([
  ['the same keys', FOREIGN + OURS, []],
  ['in another order, with another name', `${OURS}${OTHER} karl\n`, []],
  ['a key less that is not ours', OURS, [CARL]],
  ['nothing', '', [CARL]],
  ['one that has got options', `restrict ${FOREIGN}${OURS}`, [CARL]],
  ['a key less that is ours: that is undone anyway', FOREIGN, []],
  ['one of ours without its options, and one less', `${ED25519} alice\n`, []],
])('behind the link: %s', (_, behind, lacked) => {
  expect(lackedBehind(behind, FOREIGN + OURS)).toEqual(lacked)
})

it('a key more, and one less', () => {
  expect(lackedBehind(FOREIGN, blockOf([`restrict ${ED25519} alice`]))).toEqual([])
})
