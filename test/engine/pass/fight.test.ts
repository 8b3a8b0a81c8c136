/** When a fight begins, how long it goes on, and what keeps it going. */
import { expect, it } from 'vitest'
import {
  changeLeft,
  fightAmong,
  fightOver,
  MAX_REVERTS,
  REVERTS_WITHIN_MS,
} from '../../../src/engine/pass/fight.ts'

const HOUR = REVERTS_WITHIN_MS
const MINUTE = HOUR / 60

const at = (minutes: readonly number[], observed = 'a') =>
  minutes.map((minute) => ({ key: 'k', observed, at: minute * MINUTE }))

it.each<[readonly number[], number, number | null]>([
  [[], 0, null],
  [[0, 1], 2, null],
  [[0, 1, 2], 2, 62],
  [[0, 1, 2], 61.9, 62],
  [[0, 1, 2], 62, null],
  // Each of them keeps it going, however seldom they come.
  [[0, 1, 2, 50, 105], 160, 165],
  [[0, 1, 2, 62], 63, null],
  [[0, 1, 2, 62, 63, 64], 65, 124],
  // What lies ahead is from before the clock was set back.
  [[100, 101, 102], 1, null],
  [[0, 1, 2, 500], 3, 62],
  // Never three within the hour.
  [[0, 30, 60, 90, 120], 121, null],
  [[0, 30, 59.9], 60, 119.9],
])('put back in the minutes %j, seen in minute %d: until %d', (minutes, now, until) => {
  const fight = fightAmong(at(minutes), now * MINUTE)
  expect(fight === null ? null : fight.until / MINUTE).toBe(until)
  expect(fightOver(at(minutes), 'a', now * MINUTE)).toEqual(fight)
  expect(fightOver(at(minutes), 'b', now * MINUTE)).toBeNull()
})

it('what was left where it is counts for how long, and is kept once for each change', () => {
  const three = at([0, 1, 2])
  const left = changeLeft(three, { key: 'k', observed: 'a', at: 40 * MINUTE })!
  expect(fightOver([...three, left], 'a', 99 * MINUTE)).toEqual({ times: MAX_REVERTS, until: 100 * MINUTE })
  expect(changeLeft([...three, left], { key: 'k', observed: 'a', at: 41 * MINUTE })).toBeNull()
  const other = at([45], 'b')
  expect(changeLeft([...three, left, ...other], { key: 'k', observed: 'a', at: 46 * MINUTE })).not.toBeNull()
  expect(changeLeft([], { key: 'k', observed: 'a', at: 0 })).toMatchObject({ key: 'k', at: 0 })
  expect(fightOver([left, left, left], 'a', 41 * MINUTE)).toBeNull()
})
