/** A token that is rotated names when the old one ends, and no old one where there is none. One that is revoked has ended for good. */
import { expect, it } from 'vitest'
import { endedDigest, hasEnded, hasEndedForGood } from '../../src/kernel/issued-secret.ts'
import {
  type IssuedToken,
  issueToken,
  revokeTokens,
  rotateTokens,
  type TokenRows,
} from '../../src/kernel/issued-tokens.ts'
import { GRACE_MS } from '../../src/kernel/quarterly.ts'

const HOUR = 3_600_000

function rowsIn(all: IssuedToken[]): TokenRows {
  const change = (id: string, changed: (token: IssuedToken) => Partial<IssuedToken>) => {
    const at = all.findIndex((token) => token.id === id)
    all[at] = { ...all[at]!, ...changed(all[at]!) }
    return Promise.resolve()
  }
  return {
    all: () => Promise.resolve([...all]),
    add: (token) => Promise.resolve(void all.push(token)),
    limit: (id, expires_at) => change(id, () => ({ expires_at })),
    end: (id, expires_at) => change(id, ({ digest }) => ({ expires_at, digest: endedDigest(digest) })),
    forgetEnded: () => Promise.resolve(),
  }
}

it('ends the old one after its grace, and says nothing of one that has ended already', async () => {
  const all: IssuedToken[] = []
  const rows = rowsIn(all)
  await issueToken(rows, 0)
  expect((await rotateTokens(rows, 1000)).rest).toBe('; the old one ends at 1970-01-02T00:00:01.000Z')
  expect(all.map(({ expires_at }) => expires_at)).toEqual([1000 + GRACE_MS, null])
  expect(await revokeTokens(rows, 2000)).toBe(2)
  expect((await rotateTokens(rows, 3000)).rest).toBe('')
})

it('a revoked one has ended at every time of the clock, and is neither rotated nor revoked again', async () => {
  const all: IssuedToken[] = []
  const rows = rowsIn(all)
  await issueToken(rows, 90 * HOUR)
  expect(await revokeTokens(rows, 100 * HOUR)).toBe(1)
  const [revoked] = all
  for (const now of [0, 98 * HOUR, 100 * HOUR]) expect(hasEnded(revoked!, now)).toBe(true)
  expect(await revokeTokens(rows, 98 * HOUR)).toBe(0)
  expect((await rotateTokens(rows, 50 * HOUR)).rest).toBe('')
  expect(all[0]).toEqual(revoked)
})

it('a revocation ends for good also what had come to its end by the clock, at the time of that end', async () => {
  const all: IssuedToken[] = []
  const rows = rowsIn(all)
  await issueToken(rows, 0)
  await rotateTokens(rows, 0)
  expect(await revokeTokens(rows, GRACE_MS + HOUR)).toBe(1)
  expect(all.map(({ expires_at }) => expires_at)).toEqual([GRACE_MS, GRACE_MS + HOUR])
  expect(all.every(hasEndedForGood)).toBe(true)
})

it('what stands for an ended digest has the form of one, tells one from the other, and stays the same', () => {
  const [one, other] = [endedDigest('ab'.repeat(32)), endedDigest('cd'.repeat(32))]
  expect(one).toMatch(/^[0-9a-f]{64}$/)
  expect(one).not.toBe(other)
  expect(endedDigest(one)).toBe(one)
})
