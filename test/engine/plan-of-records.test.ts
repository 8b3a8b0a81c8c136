/** A plan of some records: what it tells of them, and under which names. */
import { describe, expect, it } from 'vitest'
import { aRow } from '../fixtures.ts'
import { refusalOf, SLOW } from './item-target.ts'
import { A, B, moves, explained, aTarget, planOf } from './plan-scene.ts'

describe('a plan of some records', () => {
  const FOREIGN = [
    explained('of a', 'foreign_owner', A.domain),
    explained('of b', 'foreign_owner', B.domain),
    explained('of both', 'orphan', B.domain, A.domain),
    explained('of the key', 'foreign_owner'),
    explained('an edit of b', 'edited', B.domain),
  ]
  const sources = [aTarget({}, { explain: () => ({ differences: FOREIGN, unified_diff: null, note: null }) })]

  it('tells what stands in the way of them, and of nobody else', async () => {
    const told = async (records: 'all' | readonly number[]) =>
      (await planOf({ rows: moves(A, B), reach: { records }, sources })).details.map(({ item }) => item)
    expect(await told([1])).toEqual(['of a', 'of both', 'of the key', 'an edit of b'])
    expect(await told('all')).toHaveLength(FOREIGN.length)
  })

  it('knows them under every name that they have', async () => {
    const old = { ...A, domain: B.domain }
    const plan = await planOf({
      released: [old],
      release: 1,
      rows: moves(A),
      reach: { records: [1] },
      sources,
    })
    expect(plan.details).toHaveLength(FOREIGN.length)
  })

  const taken = [aTarget({}, { obstacles: () => [refusalOf('a'), refusalOf('b', { domain_ids: [1, 2] })] })]
  const REFUSED = { code: SLOW.code, message: SLOW.message }

  it('names who is refused as they would be called, each once and by the first reason', async () => {
    const old = { ...A, domain: 'old.example.com' }
    const before = [{ domain_id: 2, domain: B.domain, code: 'conflict', message: 'before' }] as const
    const given = { released: [old, B], release: 1, rows: moves(A), sources: taken, refused: before }
    const plan = await planOf({ ...given, tells_refused: true })
    expect(plan.refused).toEqual([{ domain_id: 1, domain: A.domain, ...REFUSED }, ...before])
    expect((await planOf(given)).refused).toEqual(before)
  })

  it('of all names them, too, and of some as they were asked for', async () => {
    const asked = { ...A, domain: 'asked.example.com' }
    const given = { released: [A, B], release: 1, sources: taken, tells_refused: true, about: [aRow(asked)] }
    for (const records of ['all', [1]] as const) {
      const [first] = (await planOf({ ...given, reach: { records } })).refused
      expect(first).toEqual({ domain_id: 1, domain: asked.domain, ...REFUSED })
    }
  })

  it('says whose edits go with a file that is written as a whole, and not those of what it moves', async () => {
    const old = { ...A, domain: 'old.example.com' }
    const differences = [
      explained('of a', 'edited', A.domain),
      explained('of a as it was', 'edited', old.domain),
      explained('of b', 'edited', B.domain),
    ]
    const explain = () => ({ differences, unified_diff: null, note: null })
    const whole = [aTarget({ a: '0' }, { explain, whole: true })]
    const plan = await planOf({ released: [old, B], release: 1, rows: moves(A), sources: whole })
    expect(plan.warnings).toEqual([
      'fake is written as a whole: what was edited by hand of b.example.com is undone by it (of b: why).',
    ])
  })
})
