/** Many sets at once, long listings, and batches with something bad in them. */
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../src/kernel/failure.ts'
import { rrsetKey } from '../../../src/model/network/dns.ts'
import type { ChangeOutcome } from '../../../src/features/dns/providers/port.ts'
import { eachProvider, type OpenedProvider, type OpenProvider } from './opened.ts'
import { briefly, changeOf, clamped, listing, never, type Wish } from './steps.ts'
import { itInDepth, itOneIn } from '../../kit/in-depth.ts'
import { byTier } from '../../kit/tier.ts'

const MANY = { timeout: 120_000 }

export function batchesContract(open: OpenProvider): void {
  const opened = eachProvider(open)

  itInDepth('a batch of the largest size is made, changed and taken away', MANY, async () => {
    const { zone, provider } = opened()
    const sets = manySets(zone, provider.traits.batch_most, 0)
    await applyAll(opened(), sets)
    await applyAll(
      opened(),
      sets.map((set, i) => ({ ...set, values: [address(i + 7)] })),
    )
    await applyAll(
      opened(),
      sets.map((set) => ({ ...set, values: null })),
    )
  })

  it('a listing over several pages holds every set once', MANY, async () => {
    const { zone, provider } = opened()
    const { page_most, batch_most } = provider.traits
    if (page_most === null) return
    const foreign = (await listing(opened())).size
    const count = page_most * byTier(1, 2) + 1
    for (let from = 0; from < count; from += batch_most)
      await applyAll(opened(), manySets(zone, Math.min(batch_most, count - from), from))
    const listed = await listing(opened())
    expect(listed.size).toBe(count + foreign)
    for (const set of manySets(zone, count, 0)) expect(listed.get(rrsetKey(set))?.values).toEqual(set.values)
  })

  describe('outcomes are true', () => {
    itOneIn(3).each([0, 1, 2])('when set %i of three holds what is no address', async (at) => {
      const { zone, provider } = opened()
      const wishes = manySets(zone, 3, 0)
      const { thrown, applied, outcomes } = await attempt(
        opened(),
        wishes.map((wish, i) => (i === at ? { ...wish, values: ['999.1.2.3'] } : wish)),
      )
      expect(applied[at]).toBe(false)
      if (provider.traits.atomic) expect(thrown).toMatchObject({ code: 'provider_refused' })
      if (thrown === null) expect(outcomes.map((outcome) => outcome.ok)).toEqual(applied)
      else expect(applied).toEqual([false, false, false])
    })

    it('when a set would stand beside an alias', async () => {
      const { zone, world, provider } = opened()
      const ttl = clamped(provider.traits, 3600)
      const name = `taken.${zone}`
      await world.addForeign({ name, type: 'CNAME', ttl, values: ['elsewhere.example.net'] })
      const [first, last] = manySets(zone, 2, 0)
      const { thrown, applied, outcomes } = await attempt(opened(), [
        first!,
        { name, type: 'A', values: ['192.0.2.1'] },
        last!,
      ])
      expect(applied[1]).toBe(false)
      expect((await world.look())(name, 'CNAME')).toMatchObject({ values: ['elsewhere.example.net'] })
      if (thrown === null) expect(outcomes.map((outcome) => outcome.ok)).toEqual(applied)
      else expect([thrown.code, applied]).toEqual(['provider_refused', [false, false, false]])
    })
  })
}

const address = (i: number): string => `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`

const manySets = (zone: string, count: number, from: number): Wish[] =>
  Array.from({ length: count }, (_, i) => ({
    name: `n${from + i}.${zone}`,
    type: 'A',
    values: [address(from + i)],
  }))

/** One call; every set must then be as wished, and the world is asked about some of them. */
async function applyAll(opened: OpenedProvider, wishes: readonly Wish[]): Promise<void> {
  const { provider, zone, world } = opened
  const before = await listing(opened)
  const changes = wishes.map((wish) => changeOf(wish, before.get(rrsetKey(wish)) ?? null, provider.traits))
  const outcomes = await provider.change(zone, changes, never())
  expect(outcomes.length).toBe(changes.length)
  expect(outcomes.filter((outcome) => !outcome.ok).map(briefly)).toEqual([])
  const after = await listing(opened)
  for (const { name, type, values } of wishes)
    expect(after.get(rrsetKey({ name, type }))?.values ?? null).toEqual(values)
  const standing = await world.look()
  for (const { name, type, values } of [wishes[0]!, wishes[Math.floor(wishes.length / 2)]!, wishes.at(-1)!])
    expect(standing(name, type)?.values ?? null).toEqual(values)
}

interface Attempt {
  readonly thrown: Failure | null
  /** Whether the world is as wished, wish by wish. */
  readonly applied: readonly boolean[]
  readonly outcomes: readonly ChangeOutcome[]
}

/** A call that may fail in part or as a whole. */
async function attempt(opened: OpenedProvider, wishes: readonly Wish[]): Promise<Attempt> {
  const { provider, zone, world } = opened
  const changes = wishes.map((wish) => changeOf(wish, null, provider.traits))
  let thrown: Failure | null = null
  const outcomes = await provider.change(zone, changes, never()).catch((error: unknown) => {
    expect(error).toBeInstanceOf(Failure)
    thrown = error as Failure
    return []
  })
  const standing = await world.look()
  const applied = wishes.map(
    ({ name, type, values }) => JSON.stringify(standing(name, type)?.values) === JSON.stringify(values),
  )
  return { thrown, applied, outcomes }
}
