/** What a plan brings with it beside what it is about. */
import { describe, expect, it } from 'vitest'
import { alsoUndone, foreseen, leftBy, madeFirst, refusedBy } from '../../../src/engine/status/beside-plan.ts'
import type { AnyTarget } from '../../../src/engine/target.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import type { DriftCause, ExplainedDifference } from '../../../src/model/drift.ts'
import type { Whose } from '../../../src/model/whose.ts'
import type { ModeSetting } from '../../../src/ports/store.ts'
import { differencesOf, itemTarget, refusalOf } from '../item-target.ts'

const differences = differencesOf({ a: 'new', b: 'new' }, {})
const soon = () => AbortSignal.timeout(60_000)

describe('what is made first', () => {
  it('is one line, however many need it, and nothing where nobody does', () => {
    const in_zone = differences.map((one) => ({ ...one, makes: 'zone example.com' }))
    expect(madeFirst('dns', in_zone)).toEqual([
      {
        component: 'dns',
        verb: 'create',
        item: 'zone example.com',
        before: null,
        after: null,
        reason: 'release',
        of_neighbour: false,
      },
    ])
    expect(madeFirst('dns', differences)).toEqual([])
  })
})

describe('edits that a plan takes with it', () => {
  const edit = (domains: readonly string[], cause: DriftCause = 'edited') =>
    ({
      item: `of ${domains.join(', ')}`,
      cause,
      detail: 'by hand',
      domains,
    }) as unknown as ExplainedDifference

  const told = (
    found: readonly ExplainedDifference[],
    {
      records,
      moving = [],
      tells = [],
    }: { records: Whose; moving?: readonly string[]; tells?: readonly string[] },
  ) =>
    alsoUndone('routes', found, {
      records,
      moving: new Set(moving),
      tells: (domains) => domains.length === 0 || domains.some((domain) => tells.includes(domain)),
    })

  const named = (domain: string) => [
    `routes is written as a whole: what was edited by hand of ${domain} is undone by it (of ${domain}: by hand).`,
  ]
  const NOBODYS = [
    'routes is written as a whole: what was edited there by hand is undone by it (of : by hand).',
  ]

  it.each<[string, ExplainedDifference, Parameters<typeof told>[1], readonly string[]]>([
    ['of a neighbour of one record', edit(['b']), { records: [1], tells: ['a'] }, named('b')],
    ['of the record itself', edit(['a']), { records: [1], tells: ['a'] }, []],
    ['of the record and a neighbour', edit(['a', 'b']), { records: [1], moving: ['a'] }, []],
    ['of a record that moves', edit(['a']), { records: [1], moving: ['a'] }, []],
    ['of none by name', edit([]), { records: [1], tells: ['a'] }, NOBODYS],
    ['where the plan moves nobody of all', edit(['b']), { records: 'all' }, []],
    ['of whoever stays where the plan is of all', edit(['b']), { records: 'all', moving: ['a'] }, named('b')],
    [
      'where it tells of all and is of all',
      edit(['b']),
      { records: 'all', moving: ['a'], tells: ['b'] },
      named('b'),
    ],
    ['where the plan is of nobody', edit(['b']), { records: [], moving: ['a'] }, []],
    [
      'that is none but a deploy that waits',
      edit(['b'], 'pending_deploy'),
      { records: [1], tells: ['a'] },
      [],
    ],
  ])('%s', (_whose, found, about, sentences) => {
    expect(told([found], about)).toEqual(sentences)
  })

  it('are one sentence, by the first of them', () => {
    const found = [edit(['a']), edit(['b'], 'lost'), edit(['c'])]
    expect(told(found, { records: [1], tells: ['a'] })).toEqual([
      'routes is written as a whole: what was edited by hand of b, c is undone by it (of b: by hand).',
    ])
  })
})

describe('what is foreseen', () => {
  const asked = (foresee: AnyTarget['foresee'], signal = soon(), what = differences) =>
    foreseen(itemTarget({ ...(foresee && { foresee }) }), what, signal)

  it('is what the target says of what would be done', async () => {
    const foresee: AnyTarget['foresee'] = async (found) => found.map(({ item }) => `${item} will be refused.`)
    expect(await asked(foresee)).toEqual(['item a will be refused.', 'item b will be refused.'])
  })

  it.each([
    ['where the target looks no further', undefined, differences],
    ['where nothing would be done', async () => ['never asked'], []],
  ] as const)('is nothing %s', async (_where, foresee, what) => {
    expect(await asked(foresee, soon(), [...what])).toEqual([])
  })

  it.each([
    ['that it could not be asked', new Failure('component_unavailable', 'nobody answers'), 'nobody answers'],
    [
      'that it took too long',
      new DOMException('late', 'TimeoutError'),
      'what stands in the way could not be found out.',
    ],
  ])('says %s', async (_what, error, words) => {
    expect(await asked(() => Promise.reject(error))).toEqual([`fake: ${words}`])
  })

  it('throws a fault of ours, and the end of the call', async () => {
    await expect(asked(() => Promise.reject(new TypeError('ours')))).rejects.toThrow('ours')
    const ended = new Failure('shutting_down', 'the call has ended')
    await expect(asked(() => Promise.reject(ended), AbortSignal.abort(ended))).rejects.toBe(ended)
  })

  it('hands on the end of the call', async () => {
    const call = new AbortController()
    const found = asked(
      (_differences, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
        ),
      call.signal,
    )
    call.abort(new TypeError('the caller is gone'))
    await expect(found).rejects.toThrow('the caller is gone')
  })
})

describe('who is refused by what only a person can move', () => {
  it('is each record that it keeps out, by its name', () => {
    const names = new Map([[1, 'a.example.com']])
    const obstacles = [refusalOf('a', { domain_ids: [1, 2] }), refusalOf('c', { beside: true })]
    expect(refusedBy(obstacles, names)).toEqual([
      { domain_id: 1, domain: 'a.example.com', code: 'rate_limited', message: 'slow down' },
      { domain_id: 2, domain: '', code: 'rate_limited', message: 'slow down' },
    ])
  })
})

describe('what a mode leaves', () => {
  const mode: ModeSetting = { scope: '*', mode: 'observe', reason: 'a look', actor: 'alice', expires_at: 7 }

  it('is told with its reason and its end, and nothing where nothing differs', () => {
    expect(leftBy(mode, { name: 'dns', key: 'dns:example.com' }, 2)).toEqual([
      {
        component: 'dns',
        key: 'dns:example.com',
        mode: 'observe',
        reason: 'a look',
        until: 7,
        differences: 2,
      },
    ])
    expect(leftBy(mode, { name: 'dns', key: 'dns:example.com' }, 0)).toEqual([])
  })
})
