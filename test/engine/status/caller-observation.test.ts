/** What is kept of the differences that anybody found, and whether an observation says something new. */
import { describe, expect, it } from 'vitest'
import {
  type CallerObservation,
  isNews,
  keptDifferences,
} from '../../../src/engine/status/caller-observation.ts'
import type { Condition, ConditionStatus } from '../../../src/model/condition.ts'
import type { DriftCause, DriftState, ExplainedDifference } from '../../../src/model/drift.ts'

const WORKING = { rows: [] }
const differs = (item: string, cause: DriftCause = 'edited', ...domains: string[]): ExplainedDifference => ({
  item,
  cause,
  domains,
  detail: 'by hand',
})

describe('of differences is kept', () => {
  const kept = (...differences: ExplainedDifference[]) => keptDifferences(differences, WORKING)

  it('how many there are of each cause', () => {
    const found = kept(differs('a'), differs('b', 'lost'), differs('c'))
    expect([...found.causes]).toEqual([
      ['edited', 2],
      ['lost', 1],
    ])
    expect(found.working).toBe(WORKING)
  })

  it('the first twenty', () => {
    const many = Array.from({ length: 25 }, (_, i) => differs(`item ${i}`))
    const found = kept(...many)
    expect(found.differences).toEqual(many.slice(0, 20))
    expect([...found.causes]).toEqual([['edited', 25]])
  })

  it('the most urgent cause of each domain', () => {
    const found = kept(
      differs('a', 'pending_deploy', 'x.example', 'y.example'),
      differs('b', 'lost', 'x.example'),
      differs('c', 'edited', 'x.example'),
    )
    expect([...found.of_domains]).toEqual([
      ['x.example', 'lost'],
      ['y.example', 'pending_deploy'],
    ])
  })

  it('whether one belongs to no domain', () => {
    expect(kept(differs('a', 'edited', 'x.example')).has_common).toBe(false)
    expect(kept(differs('a', 'edited', 'x.example'), differs('b')).has_common).toBe(true)
    expect(kept().has_common).toBe(false)
  })
})

describe('an observation is news', () => {
  const two = [differs('a'), differs('b')]
  const many = Array.from({ length: 25 }, (_, i) => differs(`item ${i}`))
  interface Scene {
    readonly deviates: DriftState
    readonly differences?: readonly ExplainedDifference[]
    readonly statuses: readonly ConditionStatus[]
    /** What was found before; null: unknown. */
    readonly found?: readonly ExplainedDifference[] | null
  }
  const news = ({ deviates, differences = [], statuses, found = [] }: Scene) =>
    isNews({ deviates, differences } as CallerObservation, {
      rows: statuses.map((status) => ({ status }) as Condition),
      found: found === null ? null : keptDifferences(found, WORKING),
    })

  it.each<[what: string, scene: Scene, is_news: boolean]>([
    ['of an unread world that was right', { deviates: null, statuses: ['true'] }, true],
    ['of an unread world that was right in part', { deviates: null, statuses: ['false', 'true'] }, true],
    ['of an unread world that was wrong: not', { deviates: null, statuses: ['false'] }, false],
    ['of a right world that was right: not', { deviates: false, statuses: ['true'] }, false],
    ['of a right world that was wrong', { deviates: false, statuses: ['true', 'false'] }, true],
    ['of a right world that was unknown', { deviates: false, statuses: ['unknown'] }, true],
    ['of a wrong world that was right', { deviates: true, statuses: ['true'] }, true],
    ['of a wrong world nobody could say how', { deviates: true, statuses: ['false'], found: null }, true],
    [
      'of a wrong world that was so: not',
      { deviates: true, differences: two, statuses: ['false'], found: two },
      false,
    ],
    [
      'of one difference more',
      { deviates: true, differences: [...two, differs('c')], statuses: ['false'], found: two },
      true,
    ],
    ['of one less', { deviates: true, differences: [differs('a')], statuses: ['false'], found: two }, true],
    [
      'of another item',
      { deviates: true, differences: [differs('a'), differs('c')], statuses: ['false'], found: two },
      true,
    ],
    [
      'of another cause',
      { deviates: true, differences: [differs('a'), differs('b', 'lost')], statuses: ['false'], found: two },
      true,
    ],
    [
      'of another detail',
      {
        deviates: true,
        differences: [differs('a'), { ...differs('b'), detail: 'otherwise' }],
        statuses: ['false'],
        found: two,
      },
      true,
    ],
    [
      'of very many as before: not, as far as they are kept',
      {
        deviates: true,
        differences: [...many.slice(0, 24), differs('another')],
        statuses: ['false'],
        found: many,
      },
      false,
    ],
  ])('%s', (_what, scene, is_news) => {
    expect(news(scene)).toBe(is_news)
  })
})
