/** Desired states are derived once for the same rows, whoever asks: a look at what was saved, a plan, a deploy. */
import { describe, expect, it } from 'vitest'
import { Derivations, digestOf, frozen } from '../../../src/engine/editions/derivations.ts'
import type { Intent } from '../../../src/model/intent.ts'
import { anIntent, type RowWish } from '../../fixtures.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'

const A: RowWish = { domain_id: 1, domain: 'a.example.com' }
const B: RowWish = { domain_id: 2, domain: 'b.example.com' }

function scene() {
  const asked: Intent[] = []
  const of = fakeTarget(fakeWorld(), {
    desire: (intent) => (asked.push(intent), { rows: intent.rows.length }),
  })
  return { derivations: new Derivations(), asked, of }
}

const carrying = (address: string): Intent => {
  const [row] = anIntent(A).rows
  return { rows: [{ ...row!, carried: { address } }] }
}

describe('what would be released', () => {
  it('is what was saved, where the rows are the same', async () => {
    const { derivations, asked, of } = scene()
    const saved = await derivations.working(of, anIntent(A, B))
    expect(await derivations.prospect(of, anIntent(A, B))).toBe(saved)
    expect(await derivations.working(of, anIntent(A, B)), 'read anew').toBe(saved)
    expect(asked).toHaveLength(1)
  })

  it('is what was saved, where nobody outside can see what else was', async () => {
    const { derivations, asked, of } = scene()
    const saved = await derivations.working(of, anIntent({ ...A, revision: 2, note: 'ours', tags: ['own'] }))
    expect(await derivations.prospect(of, anIntent(A))).toBe(saved)
    expect(asked).toHaveLength(1)
  })

  it('is then what was saved, while somebody holds it', async () => {
    const { derivations, asked, of } = scene()
    await derivations.working(of, anIntent(A))
    const planned = await derivations.prospect(of, anIntent(A, B))
    expect(await derivations.prospect(of, anIntent(A, B)), 'asked twice').toBe(planned)
    expect(await derivations.working(of, anIntent(A, B)), 'saved as planned').toBe(planned)
    expect(asked).toHaveLength(2)
  })

  it.each<[what: string, Intent]>([
    ['a value, though the revision is the same', anIntent({ ...A, backend_port: 9 }, B)],
    ['whether it is live', anIntent({ ...A, live: false }, B)],
    ['whether it is retired', anIntent({ ...A, live: false, retired: true }, B)],
    ['the record', anIntent({ ...A, domain_id: 3 }, B)],
    ['how many there are', anIntent(A)],
    ['a record that is there beside them', anIntent(A, B, { domain_id: 3, domain: 'c.example.com' })],
  ])('is derived for itself where another is %s', async (_, rows) => {
    const { derivations, asked, of } = scene()
    await derivations.working(of, anIntent(A, B))
    await derivations.prospect(of, rows)
    expect(asked).toEqual([anIntent(A, B), rows])
  })

  it('is derived for itself where what is off line is to go', async () => {
    const { derivations, asked, of } = scene()
    const rows = [anIntent({ ...A, live: false }), anIntent({ ...A, live: false, retired: true })]
    await derivations.working(of, rows[0]!)
    await derivations.prospect(of, rows[1]!)
    expect(asked).toEqual(rows)
  })

  it('is derived for itself where another address is carried over', async () => {
    const { derivations, asked, of } = scene()
    await derivations.working(of, anIntent(A))
    await derivations.prospect(of, carrying('192.0.2.1'))
    await derivations.prospect(of, carrying('192.0.2.2'))
    await derivations.prospect(of, carrying('192.0.2.2'))
    expect(asked).toHaveLength(3)
  })

  it('takes nothing from what was saved', async () => {
    const { derivations, asked, of } = scene()
    const saved = await derivations.working(of, anIntent(A))
    for (const port of [1, 2, 3]) await derivations.prospect(of, anIntent({ ...A, backend_port: port }))
    expect(await derivations.working(of, anIntent(A)), 'which is still kept').toEqual(saved)
    expect(asked).toHaveLength(4)
  })

  it('is asked for again where it could not be derived', async () => {
    let tries = 0
    const desire = () => {
      if (++tries < 3) throw new Error('no memory')
      return { tries }
    }
    const [derivations, of] = [new Derivations(), fakeTarget(fakeWorld(), { desire })]
    await expect(derivations.prospect(of, anIntent(A))).rejects.toThrow('no memory')
    await expect(derivations.working(of, anIntent(A))).rejects.toThrow('no memory')
    expect(await derivations.prospect(of, anIntent(A))).toEqual({ tries: 3 })
  })

  it('is kept by artifact', async () => {
    const derivations = new Derivations()
    const [one, other] = ['one', 'other'].map((artifact) =>
      fakeTarget(fakeWorld(), { artifact, desire: () => ({ artifact }) }),
    )
    for (const target of [one!, other!]) {
      await derivations.prospect(target, anIntent(A))
      expect(await derivations.working(target, anIntent(A))).toEqual({ artifact: target.artifact })
    }
  })
})

it('an intent is found by its rows', () => {
  const derivations = new Derivations()
  const [first, twin, other] = [anIntent(A), anIntent(A), anIntent(B)]
  expect(derivations.alike(first)).toBe(first)
  expect(derivations.alike(twin)).toBe(first)
  expect(derivations.alike(other)).toBe(other)
  expect(derivations.alike(twin), 'after another came').toBe(first)
})

it('a desired state is frozen once for its digest', () => {
  let times = 0
  const codec = {
    freeze: (desired: unknown) => ({ digest: `${JSON.stringify(desired)} ${++times}`, chunks: [] }),
    thaw: () => null,
  }
  const desired = { a: 1 }
  expect(frozen(codec, desired).digest).toBe('{"a":1} 1')
  expect([digestOf(codec, desired), digestOf(codec, desired)]).toEqual(['{"a":1} 1', '{"a":1} 1'])
  const other = { b: 1 }
  expect([digestOf(codec, other), digestOf(codec, other)]).toEqual(['{"b":1} 2', '{"b":1} 2'])
  expect(digestOf(codec, 'text'), 'of what is no object').toBe('"text" 3')
})
