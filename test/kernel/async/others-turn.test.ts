/** Turns of the event loop that others have between two pieces of work. */
import { expect, it } from 'vitest'
import { othersTurn } from '../../../src/kernel/async/others-turn.ts'

async function turnsOf(work: () => Promise<void>): Promise<number> {
  let turns = 0
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  await work()
  clearImmediate(next)
  return turns
}

it('others have as many turns as a new connection needs to be accepted, read and answered', async () => {
  expect(await turnsOf(() => othersTurn())).toBe(2)
  expect(await turnsOf(() => othersTurn(501))).toBe(2)
})

it('after work over few items nobody waits', async () => {
  expect(await turnsOf(() => othersTurn(500))).toBe(0)
})
