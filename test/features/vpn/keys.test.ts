/** Keys of WireGuard: what `wg` takes for one, their spellings in paths, and the public half of a private one. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isAllZero, isKey, keyFrom, publicKeyOf, urlSpelling } from '../../../src/features/vpn/model/key.ts'
import { byTier } from '../../kit/tier.ts'
import { runTool } from '../../peers/peer.ts'
import { describePeers } from '../../peers/peers.ts'

const key = () => randomBytes(32).toString('base64')

describe('a key', () => {
  it.each([
    ['43 characters', 'A'.repeat(42) + '='],
    ['45 characters', 'A'.repeat(44) + '='],
    ['a last character with bits that say nothing', 'A'.repeat(42) + 'B='],
    ['a newline', 'A'.repeat(42) + 'A=\n'],
    ['another alphabet', 'A'.repeat(41) + '-A='],
    ['no padding', 'A'.repeat(44)],
  ])('with %s is none', (_, text) => {
    expect(isKey(text)).toBe(false)
  })

  it('of zeros has the form of one and is found out', () => {
    expect([isKey('A'.repeat(43) + '='), isAllZero('A'.repeat(43) + '=')]).toEqual([true, true])
  })

  it('is the same in every spelling', () => {
    for (let round = 0; round < 200; round++) {
      const one = key()
      const decoded = decodeURIComponent(encodeURIComponent(one))
      for (const spelling of [one, decoded, urlSpelling(one), `${urlSpelling(one)}=`])
        expect(keyFrom(spelling), spelling).toBe(one)
    }
    expect(['', 'x', '../etc', `${'A'.repeat(60)}=`].map(keyFrom)).toEqual([null, null, null, null])
  })
})

describePeers(['wg'], 'the public half of a private key', () => {
  it('is the one that wg makes', async () => {
    for (let round = 0; round < byTier(5, 40); round++) {
      const private_key = key()
      const made = await runTool('wg', ['pubkey'], private_key)
      expect(publicKeyOf(private_key)).toBe(made.trim())
    }
  })
})
