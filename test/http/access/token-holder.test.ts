/** Whose a presented token is, and what follows where it is nobody's. */
import { expect, it } from 'vitest'
import { type PresentedToken, tokenHolder } from '../../../src/http/access/token-holder.ts'
import { WrongKeys } from '../../../src/http/access/wrong-keys.ts'
import { secretDigest } from '../../../src/kernel/issued-secret.ts'
import { Secret } from '../../../src/kernel/secret.ts'
import { handClock } from '../../fakes/hand-clock.ts'

interface Token {
  readonly digest: string
  readonly expires_at: number | null
}

const MINUTE = 60_000
const NETWORK = '10.1.1.5'
const WRONG = { code: 'wrong_key', message: 'The token is wrong, or it has ended.' }

function door() {
  const clock = handClock()
  const wrong_keys = new WrongKeys(clock)
  const tokenOf = (text: string, expires_at: number | null): Token => ({
    digest: secretDigest(new Secret(text)),
    expires_at,
  })
  const lasting = tokenOf('lasting', null)
  const nearly = tokenOf('nearly', clock.now() + 1)
  const over = tokenOf('over', clock.now())
  const ended: Token[] = []
  const byDigest = async (digest: string) =>
    [lasting, nearly, over].find((token) => token.digest === digest) ?? null
  const end = async (token: Token) => void ended.push(token)
  const ask = (text: string | null, who: PresentedToken['class'] = 'public') =>
    tokenHolder(
      { credential: text === null ? null : new Secret(text), class: who, holder: NETWORK },
      { clock, wrong_keys, byDigest, end },
    )
  const guess = async (most: number) => {
    for (let i = 0; i < most; i++) await expect(ask('guess')).rejects.toMatchObject(WRONG)
  }
  return { ask, guess, clock, wrong_keys, lasting, nearly, ended }
}

it('is its holder’s for as long as it lasts, and nothing is ended', async () => {
  const { ask, lasting, nearly, ended } = door()
  expect([await ask('lasting'), await ask('nearly'), ended]).toEqual([lasting, nearly, []])
})

it('opens also where the API key came with it, and also after wrong ones of that network', async () => {
  const { ask, guess, lasting } = door()
  expect(await ask('lasting', 'key')).toEqual(lasting)
  await guess(10)
  expect(await ask('lasting')).toEqual(lasting)
})

it('that has come to its end is ended for good, and is a wrong one', async () => {
  const { ask, ended, clock, nearly } = door()
  clock.pass(1)
  await expect(ask('nearly')).rejects.toMatchObject(WRONG)
  expect(ended).toEqual([nearly])
})

it('of nobody is a wrong one, and so is none', async () => {
  const { ask, ended } = door()
  for (const text of ['guess', '', null]) await expect(ask(text)).rejects.toMatchObject(WRONG)
  expect(ended).toEqual([])
})

it('is not asked for by whoever has the API key, which counts as shown', async () => {
  const { ask, guess, wrong_keys } = door()
  await guess(10)
  expect(wrong_keys.shut(NETWORK)).toBe(MINUTE)
  for (const text of ['the key', 'over', null]) expect(await ask(text, 'key')).toBeNull()
  expect(wrong_keys.shut(NETWORK)).toBe(0)
})

it('is not said to be wrong the eleventh time in a minute, but when to come again', async () => {
  const { ask, guess, clock } = door()
  await guess(10)
  clock.pass(1_000)
  const wait = (retry_after_ms: number) => ({ code: 'rate_limited', details: { retry_after_ms } })
  await expect(ask('guess')).rejects.toMatchObject(wait(MINUTE - 1_000))
  clock.pass(MINUTE - 1_001)
  // Who is told to wait has not tried.
  await expect(ask('guess')).rejects.toMatchObject(wait(1))
  clock.pass(1)
  await guess(1)
})

it('is a guess that counts where the network has shown the key, and waits all the same', async () => {
  const { ask, guess, wrong_keys } = door()
  await ask(null, 'key')
  await guess(10)
  expect(wrong_keys.shut(NETWORK)).toBe(0)
  await expect(ask('guess')).rejects.toMatchObject({
    code: 'rate_limited',
    details: { retry_after_ms: MINUTE },
  })
})
