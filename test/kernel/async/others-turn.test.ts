/** Turns of the event loop that others have between two pieces of work. */
import { expect, it } from 'vitest'
import { inPieces } from '../../../src/kernel/async/in-pieces.ts'
import { othersTurn } from '../../../src/kernel/async/others-turn.ts'
import { turnsOf } from '../../kit/turns.ts'

it('others have as many turns as a new connection needs to be accepted, read and answered', async () => {
  expect(await turnsOf(() => othersTurn())).toBe(2)
  expect(await turnsOf(() => othersTurn(501))).toBe(2)
})

it('after work over few items nobody waits', async () => {
  expect(await turnsOf(() => othersTurn(500))).toBe(0)
})

it('work over many items is done in their order, with turns for others after each 500', async () => {
  const items = Array.from({ length: 1501 }, (_, i) => i)
  const seen: number[] = []
  expect(await turnsOf(() => inPieces(items, (item) => seen.push(item)))).toBe(3 * 2)
  expect(seen).toEqual(items)
})
