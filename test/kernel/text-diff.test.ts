/** The unified diff: it applies, it is small where the change is small, and it ends however long the texts are. */
import { applyPatch } from 'diff'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { lineCounter } from '../../src/kernel/text/lines.ts'
import { MAX_DIFF_CHARACTERS, pieceDiff, unequalDiff } from '../../src/kernel/text/diff.ts'
import { runs } from '../kit/tier.ts'

const line = fc.constantFrom('a', 'b', 'c', '', '  x', 'long enough to be told apart')
const lines = fc.array(line, { maxLength: 25 })

const labels = { before: 'on disk', after: 'working edition' }
const textDiff = (path: string, before: string, after: string, otherwise?: () => string) =>
  unequalDiff({ path, before, after, labels }, otherwise)

describe('a text diff', () => {
  it('turns what is there into what should be, for any two texts', () => {
    fc.assert(
      fc.property(lines, lines, lines, lines, fc.boolean(), (start, one, other, end, ends) => {
        const text = (middle: string[]) => [...start, ...middle, ...end].join('\n') + (ends ? '\n' : '')
        const [before, after] = [text(one), text(other)]
        fc.pre(before !== after)
        const { unified, note } = textDiff('f', before, after)
        expect(note).toBeNull()
        expect(applyPatch(before, unified!)).toBe(after)
      }),
      { numRuns: runs(5000) },
    )
  })

  it('has three lines of context around a change in the middle of a long text', () => {
    const all = Array.from({ length: 10_000 }, (_, i) => `line ${i}`)
    const changed = all.with(5000, 'other')
    const { unified } = textDiff('f', changed.join('\n'), all.join('\n'))
    expect(unified).toBe(
      '--- f\ton disk\n+++ f\tworking edition\n@@ -4998,7 +4998,7 @@\n line 4997\n line 4998\n line 4999\n' +
        '-other\n+line 5000\n line 5001\n line 5002\n line 5003\n',
    )
  })

  it.each<[string, string, string]>([
    ['everything', 'x\n'.repeat(200_000), 'y\n'.repeat(200_000)],
    ['one endless line', 'x'.repeat(3_000_000), 'y'.repeat(3_000_000)],
    ['every line in another order', shuffled(1), shuffled(7)],
  ])('gives way to the coarser text when %s differs', (_title, before, after) => {
    expect(textDiff('f', before, after, () => 'coarse\n')).toEqual({
      unified: 'coarse\n',
      note: 'The texts differ too much for a minimal diff; whole entries are shown.',
    })
    expect(textDiff('f', before, after)).toEqual({
      unified: null,
      note: 'The texts differ too much for a diff.',
    })
  })

  it('does not depend on how fast the machine is', () => {
    // Each look at the time finds that an hour has passed.
    let now = Date.now()
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => (now += 3_600_000))
    onTestFinished(() => clock.mockRestore())
    const text = (mark: string) => Array.from({ length: 50 }, (_, i) => (i % 2 ? `${i}` : mark)).join('\n')
    expect(textDiff('f', text('a'), text('b')).note).toBeNull()
  })

  it('is cut at the end of a line when it is too long to show', () => {
    const told = textDiff('f', 'a\n', 'b\n'.repeat(10), () => 'z'.repeat(9).concat('\n').repeat(50_000))
    expect(told.note).toBeNull()
    const long = textDiff('f', shuffled(1), shuffled(7), () => `${'z'.repeat(9)}\n`.repeat(50_000))
    expect(long.unified!.length).toBeLessThanOrEqual(MAX_DIFF_CHARACTERS)
    expect(long.unified!.endsWith('z\n')).toBe(true)
    expect(long.note).toMatch(/The diff is shortened\.$/)
  })

  it('of pieces stops at the same bound, even within one piece', () => {
    const piece = { item: 'http.routers.x', before: 'a\n'.repeat(1_000_000), after: null }
    expect(
      pieceDiff(
        'f',
        Array.from({ length: 100 }, () => piece),
        labels,
      ).length,
    ).toBeLessThan(3 * MAX_DIFF_CHARACTERS)
  })
})

describe('line numbers', () => {
  it('are those of counting, in whatever order they are asked for', () => {
    fc.assert(
      fc.property(lines, fc.array(fc.nat(), { minLength: 1, maxLength: 20 }), (all, asked) => {
        const text = all.join('\n')
        const lineAt = lineCounter(text)
        for (const one of asked) {
          const offset = one % (text.length + 1)
          expect(lineAt(offset)).toBe(text.slice(0, offset).split('\n').length)
        }
      }),
    )
  })
})

/** The same twenty thousand lines, in an order of its own. */
function shuffled(step: number): string {
  return Array.from({ length: 20_000 }, (_, i) => `number ${(i * step * 7919) % 20_000}\n`).join('')
}
