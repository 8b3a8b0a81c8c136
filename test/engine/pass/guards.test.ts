/** What stands between a difference and its repair: each guard alone, and which of them answers first. */
import { describe, expect, it } from 'vitest'
import type { Difference } from '../../../src/engine/target.ts'
import { guardHit, type GuardFacts } from '../../../src/engine/pass/guards.ts'

const difference = (verb: Difference<unknown>['verb']): Difference<unknown> =>
  ({ verb, item: `/etc/${verb}`, payload: null }) as unknown as Difference<unknown>

const FIGHT = { times: 3, last_at: 0 } as unknown as NonNullable<GuardFacts['fight']>
/** Everything is in order. */
const FACTS: GuardFacts = {
  target: { name: 'routes', key: 'routes', whole: true },
  differences: [difference('update')],
  written_before: true,
  computed_for: 'a'.repeat(64),
  newest: 'a'.repeat(64),
  asked: false,
  fight: null,
  opens: false,
  observed: 'b'.repeat(64),
}
const ruleOf = (facts: Partial<GuardFacts>): string | null => guardHit({ ...FACTS, ...facts })?.rule ?? null

describe('a repair', () => {
  it.each<[what: string, facts: Partial<GuardFacts>, rule: string | null]>([
    ['goes on where nothing is wrong', {}, null],
    ['leaves what stood there before our first write', { written_before: false }, 'not_ours'],
    ['takes an empty place', { written_before: false, differences: [difference('create')] }, null],
    [
      'is stopped by the one difference that is no new thing',
      { written_before: false, differences: [difference('create'), difference('delete')] },
      'not_ours',
    ],
    [
      'goes on beside strangers where a place is shared',
      { written_before: false, target: { ...FACTS.target, whole: false } },
      null,
    ],
    ['is not made for an older release', { newest: 'c'.repeat(64) }, 'stale_release'],
    ['is not made for a release that is gone', { newest: null }, 'stale_release'],
    ['is given up in a fight', { fight: FIGHT }, 'contested'],
    ['is made in a fight for whoever asks', { fight: FIGHT, asked: true }, null],
    ['is made in a fight where giving way leaves a door open', { fight: FIGHT, opens: true }, null],
    ['names first what is not ours', { written_before: false, newest: null, fight: FIGHT }, 'not_ours'],
    ['names an older release before a fight', { newest: null, fight: FIGHT }, 'stale_release'],
  ])('%s', (_what, facts, rule) => {
    expect(ruleOf(facts)).toBe(rule)
  })

  it.each<Partial<GuardFacts>>([{ written_before: false }, { newest: null }, { fight: FIGHT }])(
    'is let through by no confirmation (%o)',
    (facts) => {
      expect(guardHit({ ...FACTS, ...facts })?.confirmable).toBe(false)
    },
  )

  it('says how what stands there can be read in where it can, and elsewhere only that it has to go', () => {
    const told = (read_in?: string) =>
      guardHit({
        ...FACTS,
        written_before: false,
        target: { ...FACTS.target, ...(read_in !== undefined && { read_in }) },
      })?.message
    expect(told('plumbline import traefik FILE')).toContain(
      'Read it in with "plumbline import traefik FILE", then move it away; the next pass',
    )
    expect(told()).toMatch(/is left alone\. Move it away; the next pass writes the released one\.$/)
  })

  it('names both states in a fight, each by the beginning of its fingerprint', () => {
    expect(guardHit({ ...FACTS, fight: FIGHT })?.message).toContain(
      `3 times within an hour: ${'b'.repeat(12)} instead of ${'a'.repeat(12)}.`,
    )
  })
})
