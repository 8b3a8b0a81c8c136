/** The sample that the fast tier takes: no kind is left out, and the ends are always in it. */
import { describe, expect, it } from 'vitest'
import { spread } from './sweep.ts'

const NUMBERS = Array.from({ length: 17 }, (_, i) => i)
const alike = () => 'one kind'

describe('a spread sample', () => {
  it.each([
    [0, []],
    [1, [0]],
    [2, [0, 16]],
    [3, [0, 8, 16]],
    [5, [0, 4, 8, 12, 16]],
    [40, NUMBERS],
  ])('of %i lies evenly', (most, wanted) => {
    expect(spread(NUMBERS, most, alike)).toEqual(wanted)
  })

  it('serves every kind before it serves one twice', () => {
    const items = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1']
    expect(spread(items, 4, (item) => item[0]!)).toEqual(['a1', 'a4', 'b1', 'c1'])
  })
})
