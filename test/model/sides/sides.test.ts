/** The three sides of a difference, and the step from what is there to what should be. */
import { describe, expect, it } from 'vitest'
import { withSides } from '../../../src/model/sides/sides.ts'
import { itInDepth } from '../../kit/in-depth.ts'

const SIDES = {
  saved: 'a: 1\nb: 3\n',
  released: 'a: 1\nb: 2\n',
  there: 'a: 1\nb: 9\n',
  line: 40,
  noise: false,
}

describe('the sides of a difference', () => {
  it('lead from what is there to what is released, and to what is saved where it only waits for a deploy', () => {
    const [repair] = withSides([{ item: 'x', cause: 'edited_and_pending' as const }], () => SIDES)
    expect(repair?.hunks).toEqual([
      {
        old_start: 40,
        old_lines: 2,
        new_start: 40,
        new_lines: 2,
        lines: [
          { sign: ' ', text: 'a: 1', noise: false },
          { sign: '-', text: 'b: 9', noise: false },
          { sign: '+', text: 'b: 2', noise: false },
        ],
      },
    ])
    const [waits] = withSides([{ item: 'x', cause: 'pending_deploy' as const }], () => SIDES)
    expect(waits?.hunks?.[0]?.lines.at(-1)).toMatchObject({ sign: '+', text: 'b: 3' })
  })

  it('show no secret of what is there, in no part of it', () => {
    const there = `${SIDES.there}password: hunter2\n`
    const shown = withSides([{ item: 'x', cause: 'edited' as const }], () => ({ ...SIDES, there }))
    expect(JSON.stringify(shown)).not.toContain('hunter2')
  })

  it('are null without hunks where a thing has no text of its own', () => {
    expect(withSides([{ item: 'x', cause: 'edited' as const }], undefined)).toEqual([
      {
        item: 'x',
        cause: 'edited',
        saved: null,
        released: null,
        there: null,
        line: null,
        noise: false,
        hunks: null,
      },
    ])
  })

  itInDepth('end for a stranger’s text without end, and for very many of them', () => {
    const long = { ...SIDES, there: 'x'.repeat(10_000_000) }
    const many = Array.from({ length: 500 }, (_, at) => ({ item: `${at}`, cause: 'edited' as const }))
    const shown = withSides(many, () => long)
    expect(shown[0]?.there?.length).toBeLessThan(9000)
    expect(shown[0]?.hunks).toBeNull()
    expect(JSON.stringify(shown).length).toBeLessThan(1_000_000)
    expect(shown.at(-1)?.there).toBeNull()
  })
})
