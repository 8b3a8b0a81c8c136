/** A token that is rotated names when the old one ends, and no old one where there is none. */
import { expect, it } from 'vitest'
import { type IssuedToken, issueToken, revokeTokens, rotateTokens } from '../../src/kernel/issued-tokens.ts'
import { GRACE_MS } from '../../src/kernel/quarterly.ts'

it('ends the old one after its grace, and says nothing of one that has ended already', async () => {
  const all: IssuedToken[] = []
  const rows = {
    all: () => Promise.resolve(all),
    add: (token: IssuedToken) => Promise.resolve(void all.push(token)),
    end: (id: string, expires_at: number) => {
      const at = all.findIndex((token) => token.id === id)
      all[at] = { ...all[at]!, expires_at }
      return Promise.resolve()
    },
    forgetEnded: () => Promise.resolve(),
  }
  await issueToken(rows, 0)
  expect((await rotateTokens(rows, 1000)).rest).toBe('; the old one ends at 1970-01-02T00:00:01.000Z')
  expect(all.map(({ expires_at }) => expires_at)).toEqual([1000 + GRACE_MS, null])
  expect(await revokeTokens(rows, 2000)).toBe(2)
  expect((await rotateTokens(rows, 3000)).rest).toBe('')
})
