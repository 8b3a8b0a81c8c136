/** What a release would make of everything: of thousands of rows, in pieces between which others have their turn. */
import { describe, expect, it } from 'vitest'
import { Editions } from '../../../src/engine/editions/editions.ts'
import type { AnyBlueprint } from '../../../src/engine/target.ts'
import type { Intent } from '../../../src/model/intent.ts'
import type { StoreReader } from '../../../src/ports/store.ts'
import { anIntent, aRow } from '../../fixtures.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ domain_id: i + 1, domain: `n${i}.example.com` }))

/** What happens, in order, while somebody waits for a turn from each piece on. */
async function orderWith(count: number, leaving = 0): Promise<readonly string[]> {
  const order: string[] = []
  const piece = (name: string) => {
    order.push(name)
    setImmediate(() => order.push(`another after ${name}`))
  }
  const blueprint = (artifact: string): AnyBlueprint =>
    ({
      artifact,
      desire: () => piece(`desire ${artifact}`),
      codec: { freeze: () => (piece(`freeze ${artifact}`), { digest: artifact, chunks: [] }) },
    }) as unknown as AnyBlueprint
  const intent = async () => ({ rows: rowsOf(count) }) as unknown as Intent
  const editions = new Editions({ intent } as unknown as StoreReader)
  const blueprints = [blueprint('routes'), blueprint('sso')]
  const prospect = await editions.prospect(
    { intent } as unknown as StoreReader,
    blueprints,
    Array.from({ length: leaving }, (_, i) => ({ domain_id: -i, row: null })),
  )
  await editions.freeze(prospect, blueprints)
  return order
}

it('nobody waits for more than one piece', async () => {
  const desired = ['desire routes', 'desire sso']
  const kept = ['freeze routes', 'freeze sso']
  const inTurn = (pieces: readonly string[]) => pieces.flatMap((piece) => [piece, `another after ${piece}`])
  expect(await orderWith(501)).toEqual(inTurn([...desired, ...kept]))
  expect((await orderWith(300, 201)).slice(0, 4), 'with what is to move').toEqual(inTurn(desired))
  expect(await orderWith(500), 'a small estate is decided in one go').toEqual([...desired, ...kept])
})

it('a desired state that could not be derived is derived anew', async () => {
  const intent = { rows: [] } as Intent
  let tries = 0
  const blueprint = {
    artifact: 'routes',
    desireInPieces: async () => {
      if (++tries === 1) throw new Error('no memory')
      return tries
    },
  } as unknown as AnyBlueprint
  const editions = new Editions({ intent: async () => intent } as unknown as StoreReader)
  const both = await Promise.allSettled([editions.working(blueprint), editions.working(blueprint)])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await editions.working(blueprint)).toBe(2)
  expect(await editions.working(blueprint), 'which is kept').toBe(2)
})

describe('an edition that may come to be', () => {
  const rows = [{ domain_id: 2, row: aRow({ domain_id: 2, domain: 'b.example.com' }) }]
  const A = { domain_id: 1, domain: 'a.example.com' }
  const released = anIntent(A)
  const store = { intent: async () => released } as unknown as StoreReader

  it('is the released one where nothing is released, and one object for the same rows', () => {
    const editions = new Editions(store)
    expect(editions.deployed(released, [])).toBe(released)
    const after = editions.deployed(released, rows)
    expect(after.rows).toEqual([released.rows[0], rows[0]!.row])
    expect(editions.deployed(anIntent(A), rows), 'of the same edition, read anew').toBe(after)
  })

  it('wants what its deploy wants, derived once', async () => {
    const asked: Intent[] = []
    const of = fakeTarget(fakeWorld(), {
      desire: (intent) => (asked.push(intent), { domains: intent.rows.length }),
    })
    const editions = new Editions(store)
    const intent = editions.deployed(released, rows)
    const foreseen = await editions.foreseen(of, intent)
    expect(foreseen).toEqual({ domains: 2 })
    expect((await editions.prospect(store, [of], rows)).desired.get(of.artifact)).toBe(foreseen)
    expect(asked).toEqual([intent])
  })
})
