/** Which messages say the same, and how people are shown them. */
import { describe, expect, it } from 'vitest'
import { changesBetween, conditionsAfter } from '../../../src/engine/status/conditions.ts'
import { canonical, saysTheSame, shown } from '../../../src/engine/status/same-words.ts'
import type { ExplainedDifference } from '../../../src/model/drift.ts'
import type { Refusal, Report } from '../../../src/model/report.ts'

const A = 'a.example.com'

/** The conditions after a pass that failed so, and what was refused to the record of A alone. */
function after(message: string, refusals: readonly Refusal[] = [], at = 1) {
  const failure = { code: 'internal', message, retry_after_ms: 0 } as const
  const report: Report = {
    component: 'routes',
    key: 'routes',
    outcome: 'failed',
    differences: 1,
    repaired: 0,
    refusals,
    failure,
    release: 1,
    observed_at: 0,
    took_ms: 1,
    next_attempt_at: 0,
  }
  const differences: ExplainedDifference[] = [
    { item: 'item', cause: 'foreign_owner', domains: [A], detail: '' },
  ]
  const look = { deviates: true, unknown_because: null, rule: null, differences }
  const observed = refusals.length === 0 ? null : look
  const domains = new Map([[A, { domain_id: 1, released_revision: 4 }]])
  return conditionsAfter([], { report, observed, domains, at })
}
const isNews = (before: string, now: string) => changesBetween(after(before), after(now)).save.length > 0

describe('messages', () => {
  it.each([
    ['request 1b4e28ba-2fa1-11d2-883f-0016d3cca427 failed', 'request … failed'],
    ['try again in 37 seconds.', 'try again in … seconds.'],
    ['retry at 2030-01-31T12:00:00.123Z, please', 'retry at …, please'],
    ['it is 9f86d081884c7d659a2feaa0 now', 'it is … now'],
    ['/srv/disk2/routes.yml (EACCES): port 8080', '/srv/disk2/routes.yml (EACCES): port …'],
  ])('are compared without what varies: %s', (said, kept) => {
    expect(canonical(said)).toBe(kept)
  })

  it.each([
    'dns: one.test did not answer within 8000 ms.',
    'A held.one.test is somebody else’s (192.0.2.8 ttl 60).',
    'could not change 3 sets; retry at 2030-01-31T12:00:00.123Z',
  ])('are shown whole: %s', (message) => {
    expect(after(message)[0]?.message).toBe(message)
    const failure = { code: 'foreign_owner', message, retry_after_ms: 0 } as const
    const rows = after('all', [{ item: A, domain_ids: [1], failure }])
    expect(rows.find(({ domain_id }) => domain_id === 1)?.message).toBe(message)
  })

  it('are one line, and bounded', () => {
    expect(shown(' one\n two ')).toBe('one two')
    expect(shown('x'.repeat(400))).toBe('x'.repeat(400))
    expect(shown('x'.repeat(401))).toBe(`${'x'.repeat(249)}…${'x'.repeat(150)}`)
    expect(after('x'.repeat(5000))[0]?.message).toHaveLength(400)
    const long = shown(`It failed. ${'x'.repeat(5000)} Free some space.`)
    expect(long).toHaveLength(400)
    expect(long).toMatch(/^It failed\. x+…x+ Free some space\.$/)
  })

  it.each([
    ['', ''],
    ['and then ', 'x'.repeat(500)],
    ['and then ', `${'x'.repeat(500)} and 7 others. Look at the log.`],
  ])('are written down again for other words, not for another figure: %s', (between, tail) => {
    const failing = (words: string) => `${words}, ${between}${tail}`
    expect(after(failing('waits 1000 ms'))[0]?.message).toContain('1000 ms')
    expect(isNews(failing('waits 9 ms'), failing('waits 1000 ms'))).toBe(false)
    expect(isNews(failing('waits 9 ms'), failing('hangs 1000 ms'))).toBe(true)
  })

  it('that are too long are written down again for another end', () => {
    const failing = (end: string) => `waits ${'x'.repeat(500)} and then ${end}`
    expect(isNews(failing('Free some space.'), failing('Mount it writable.'))).toBe(true)
  })

  /** Words that are all different, so that it shows where a text was moved. */
  const words = (from: number, length: number) =>
    Array.from({ length: 200 }, (_, i) => `word${from + i}`)
      .join(' ')
      .slice(0, length)
  const [LONG, SHORT] = [words(0, 700), words(0, 380)]

  it.each<[what: string, a: string, b: string, is_same: boolean]>([
    ['a part of the other', 'a b a', 'a b a b a', false],
    ['with another figure before a cut', `after 9 ms ${LONG}`, `after 1000 ms ${LONG}`, true],
    ['with another figure behind a cut', `${LONG} and 9 more`, `${LONG} and 1000 more`, true],
    ['with a figure that makes it too long', `${SHORT} after 9 ms`, `${SHORT} after 1000000000000 ms`, true],
    ['with another beginning before a cut', `it hangs ${LONG}`, `it waits ${LONG}`, false],
    [
      'as long as is shown, and another in the middle',
      `${'x'.repeat(255)}a${'x'.repeat(144)}`,
      `${'x'.repeat(255)}b${'x'.repeat(144)}`,
      false,
    ],
    [
      'with an ellipsis of its own, and another in the middle',
      `${'x'.repeat(249)}…${'x'.repeat(10)}a${'x'.repeat(138)}`,
      `${'x'.repeat(249)}…${'x'.repeat(10)}b${'x'.repeat(138)}`,
      false,
    ],
  ])('say the same or not: %s', (_what, a, b, is_same) => {
    expect(saysTheSame(shown(a), shown(b))).toBe(is_same)
    expect(saysTheSame(shown(b), shown(a))).toBe(is_same)
  })
})
