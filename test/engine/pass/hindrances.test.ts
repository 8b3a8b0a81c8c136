/** What keeps records from being deployed: asked of the world before anything is written, and unknown is never free. */
import { describe, expect, it } from 'vitest'
import { Components } from '../../../src/engine/components.ts'
import { Editions } from '../../../src/engine/editions/editions.ts'
import { hindrancesOf } from '../../../src/engine/pass/hindrances.ts'
import type { AnyTarget, Hindered } from '../../../src/engine/target.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import type { Refusal } from '../../../src/model/report.ts'
import type { StoreReader } from '../../../src/ports/store.ts'
import { anIntent, aRow, type RowWish } from '../../fixtures.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'

const A = { domain_id: 1, domain: 'a.example.com' }
const B = { domain_id: 2, domain: 'b.example.com' }
const TAKEN = { code: 'conflict', message: 'Somebody else has it.', retry_after_ms: 0 } as const
const OTHER = { ...TAKEN, code: 'provider_refused', message: 'Not there.' } as const
const refusal = (domain_ids: readonly number[], failure: Refusal['failure'] = TAKEN): Refusal => ({
  item: 'it',
  domain_ids,
  failure,
})

interface Scene {
  readonly released?: readonly RowWish[]
  /** What is to be released; a number is a record that goes. */
  readonly rows?: readonly (RowWish | number)[]
  readonly all?: boolean
  readonly targets: readonly AnyTarget[]
  readonly signal?: AbortSignal
}

/** The domain, the code and the message of each row that must not go. */
async function found({ released = [], rows = [A, B], all = false, targets, signal }: Scene) {
  const store = { intent: async () => anIntent(...released) } as unknown as StoreReader
  const parts = {
    store,
    editions: new Editions(store),
    components: new Components(targets),
    clock: systemClock,
  }
  const candidates = rows.map((row) =>
    typeof row === 'number' ? { domain_id: row, row: null } : { domain_id: row.domain_id!, row: aRow(row) },
  )
  const ends = signal ?? new AbortController().signal
  const refused = await hindrancesOf(parts, { rows: candidates, all }, ends)
  return refused.map(({ domain_id, domain, code, message }) => [domain_id, domain, code, message])
}

/** A target that is hindered so, and what it was asked. */
function asked(hindrances: readonly Refusal[], over: Partial<AnyTarget> = {}) {
  const wishes: Hindered<unknown, unknown>[] = []
  const target = fakeTarget(fakeWorld('what is there'), {
    hindrances: async (wish) => {
      wishes.push(wish)
      return hindrances
    },
    ...over,
  })
  return { target, wishes }
}
const throwing = (error: unknown) =>
  asked([], {
    hindrances: async () => {
      throw error
    },
  }).target

describe('a record', () => {
  it('is hindered by what stands there, and its neighbour is not', async () => {
    const { target, wishes } = asked([refusal([2])])
    expect(await found({ targets: [target] })).toEqual([[2, B.domain, TAKEN.code, TAKEN.message]])
    expect(wishes).toEqual([
      { desired: 'a.example.com 8080\nb.example.com 8080\n', observed: 'what is there', ids: [1, 2] },
    ])
  })

  it('is hindered for the first reason of the first target that has one', async () => {
    const [first, second] = [
      asked([refusal([2], OTHER), refusal([2])]),
      asked([refusal([1, 2])], { key: 'z' }),
    ]
    expect(await found({ targets: [first.target, second.target] })).toEqual([
      [2, B.domain, OTHER.code, OTHER.message],
      [1, A.domain, TAKEN.code, TAKEN.message],
    ])
  })

  it('is asked about where a target has to do with it, and nowhere else', async () => {
    const of_b = asked([refusal([1, 2])], { concerns: ({ domain_id }) => domain_id === 2 })
    const of_none = asked([refusal([1, 2])], { key: 'z', concerns: () => false })
    const unhindered = fakeTarget(fakeWorld(), { key: 'y' })
    expect(await found({ targets: [of_none.target, unhindered, of_b.target] })).toEqual([
      [2, B.domain, TAKEN.code, TAKEN.message],
    ])
    expect([of_b.wishes.map(({ ids }) => ids), of_none.wishes]).toEqual([[[2]], []])
  })

  it.each<[what: string, scene: Omit<Scene, 'targets'>, ids: readonly (readonly number[])[]]>([
    ['that would not move is not asked about', { released: [A], rows: [A, B] }, [[2]]],
    [
      'that would not move is asked about for whoever asks for it',
      { released: [A], rows: [A], all: true },
      [[1]],
    ],
    ['that goes is not hindered', { released: [A], rows: [1] }, []],
    [
      'that goes is not hindered for whoever asks for it, either',
      { released: [A], rows: [1, B], all: true },
      [[2]],
    ],
    ['that is not live is not hindered', { released: [A], rows: [{ ...A, live: false }] }, []],
    ['is asked about alone where no other moves', { rows: [A] }, [[1]]],
  ])('%s', async (_what, scene, ids) => {
    const { target, wishes } = asked([])
    expect(await found({ ...scene, targets: [target] })).toEqual([])
    expect(wishes.map((wish) => wish.ids)).toEqual(ids)
  })
})

describe('where it is not known whether a name is free', () => {
  const unknown = (domain: string, then: string, detail: string) =>
    `Whether ${domain} is free is not known, so ${then}. ${detail}`
  const unread = fakeTarget({ ...fakeWorld(), look: 'unknown' }, { hindrances: async () => [] })
  const DETAIL = 'the fake is unreadable'

  it.each<[what: string, released: readonly RowWish[], rows: readonly RowWish[], then: string | null]>([
    ['a new record is not deployed', [], [B], 'it is not deployed'],
    ['one that was not live is not deployed', [{ ...B, live: false }], [B], 'it is not deployed'],
    [
      'one that takes another name stays',
      [{ ...B, revision: 0, domain: 'old.example.com' }],
      [B],
      'old.example.com stays as it is',
    ],
    ['one that keeps its name goes on', [B], [{ ...B, revision: 2, backend_port: 9 }], null],
  ])('%s', async (_what, released, rows, then) => {
    const expected =
      then === null ? [] : [[2, B.domain, 'component_unavailable', unknown(B.domain, then, DETAIL)]]
    expect(await found({ released, rows, targets: [unread] })).toEqual(expected)
  })

  it.each([
    ['the peer says why not', new Failure('rate_limited', 'Slow down.'), 'Slow down.'],
    ['it does not answer in time', new DOMException('', 'TimeoutError'), 'fake did not answer in time.'],
  ])('because %s nothing new is deployed', async (_why, error, detail) => {
    expect(await found({ rows: [A], targets: [throwing(error)] })).toEqual([
      [1, A.domain, 'component_unavailable', unknown(A.domain, 'it is not deployed', detail)],
    ])
  })

  it('because of a bug the bug is told as one', async () => {
    const bug = new TypeError('a bug')
    await expect(found({ targets: [throwing(bug)] })).rejects.toBe(bug)
  })

  it('because the caller went nobody is told anything, and the question ends with them', async () => {
    const caller = new AbortController()
    const gone = new Failure('internal', 'gone')
    const target = asked([], {
      hindrances: (_wish, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
          caller.abort(gone)
        }),
    }).target
    await expect(found({ targets: [target], signal: caller.signal })).rejects.toBe(gone)
  })
})
