/** What the guard lets be written where numbers are known or not, and the numbers that it puts there itself. */
import { describe, expect, it } from 'vitest'
import type { AnyTarget } from '../../../src/engine/target.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'
import { CONTENT, memoryHolder, memoryWorld, newer } from './memory-world.ts'

const { signal } = new AbortController()
const GARBLED = new Failure('storage_unwritable', 'it is garbled')
const FULL = new Failure('storage_full', 'no room')
const BUG = new TypeError('a bug')
const target = (name: string, over: Partial<AnyTarget> = {}) => fakeTarget(fakeWorld(), { name, ...over })
type World = ReturnType<typeof memoryWorld>
const writes = ({ routes, keys }: World) => [routes, keys].map((holder) => holder.writes.length)

describe('a write', () => {
  const cases: readonly [what: string, name: string, set: (world: World) => void, refused: Error | null][] = [
    ['goes on where all numbers are known', 'routes', () => undefined, null],
    ['waits where its own is not', 'routes', ({ routes }) => void (routes.fault = GARBLED), GARBLED],
    [
      'goes on where its own is ours and another is not known',
      'keys',
      (world) => {
        world.keys.stands = world.trail.stampOf(1)
        world.routes.fault = GARBLED
      },
      null,
    ],
    [
      'waits where its own is another installation’s and another is not known',
      'keys',
      ({ keys, routes }) => {
        keys.stands = { ...newer(1), installation_id: 'another' }
        routes.fault = GARBLED
      },
      GARBLED,
    ],
    [
      'waits where it has none and another is not known',
      'keys',
      ({ routes }) => void (routes.fault = GARBLED),
      GARBLED,
    ],
    [
      'without a holder of its own waits where the first one is not known',
      'dns',
      (world) => {
        world.keys.stands = world.trail.stampOf(1)
        world.routes.fault = GARBLED
      },
      GARBLED,
    ],
    [
      'without a holder of its own goes on where the first one is ours',
      'dns',
      (world) => {
        world.routes.stands = world.trail.stampOf(1)
        world.keys.fault = GARBLED
      },
      null,
    ],
    ['never goes on with a bug', 'dns', ({ keys }) => void (keys.fault = BUG), BUG],
  ]
  it.each(cases)('%s', async (_what, name, set, refused) => {
    const world = memoryWorld()
    set(world)
    const asked = world.guard.assertNewest(target(name), 'state', signal)
    if (refused === null) await asked
    else await expect(asked).rejects.toBe(refused)
  })

  it('waits for its own number rather than for another that is not known either', async () => {
    const { guard, routes, keys } = memoryWorld()
    const [of_routes, of_keys] = [GARBLED, new Failure('storage_unwritable', 'those of keys')]
    routes.fault = of_routes
    keys.fault = of_keys
    await expect(guard.assertNewest(target('keys'), 'state', signal)).rejects.toBe(of_keys)
    await expect(guard.assertNewest(target('dns'), 'state', signal)).rejects.toBe(of_routes)
  })

  it.each<[what: string, bears: boolean | undefined, sees: 'ours' | 'another' | null, goes_on: boolean]>([
    ['whose bytes bear our number goes on', true, 'ours', true],
    ['whose bytes bear another installation’s waits', true, 'another', false],
    ['whose bytes bear none waits', true, null, false],
    ['whose parts bear our number waits', false, 'ours', false],
    ['of which that is not said waits', undefined, 'ours', false],
  ])('%s where no holder can be read', async (_what, bears_number, sees, goes_on) => {
    const { guard, trail, routes, keys } = memoryWorld()
    for (const holder of [routes, keys]) holder.fault = GARBLED
    const stampIn = () => (sees === null ? null : { ...trail.stampOf(1), installation_id: sees })
    const asked = guard.assertNewest(
      target('gateway', { stampIn, ...(bears_number !== undefined && { bears_number }) }),
      'state',
      signal,
    )
    if (goes_on) await asked
    else await expect(asked).rejects.toBe(GARBLED)
  })

  it('whose bytes should bear a number, and cannot be asked for it, waits', async () => {
    const { guard, routes } = memoryWorld()
    routes.fault = GARBLED
    await expect(guard.assertNewest(target('gateway', { bears_number: true }), 'state', signal)).rejects.toBe(
      GARBLED,
    )
  })

  it('waits where what it sees is newer, and everywhere else then', async () => {
    const { guard } = memoryWorld()
    const asked = guard.assertNewest(target('dns', { stampIn: () => newer(9) }), 'state', signal)
    await expect(asked).rejects.toMatchObject({ code: 'restored_from_backup' })
    await expect(guard.assertNewest(target('routes'), 'state', signal)).rejects.toBeInstanceOf(Failure)
  })
})

describe('the number of a write', () => {
  it('is put into the holder of its component alone, with what is held', async () => {
    const world = memoryWorld()
    await world.guard.raise('keys', signal)
    const { signed: _, ...stamp } = world.trail.stampOf(2)
    expect(writes(world)).toEqual([0, 1])
    expect(world.keys.writes[0]).toEqual({ stamp, ...CONTENT })
    expect(world.guard.standing().worlds).toEqual([
      { world: 'keys', place: '/keys/held', stamp, ahead: false },
    ])
    await world.guard.raise('dns', signal)
    expect(writes(world)).toEqual([1, 1])
  })

  it('is put there once, which is known without another look', async () => {
    const world = memoryWorld()
    for (let i = 0; i < 2; i++) await world.guard.raise('keys', signal)
    await world.guard.examine(signal)
    expect([writes(world), world.keys.reads]).toEqual([[0, 1], 0])
    world.trail.change()
    await world.guard.raise('keys', signal)
    expect([writes(world), world.keys.stands?.number]).toEqual([[0, 2], 3])
  })

  it.each<[what: string, set: (world: World) => void, most: number]>([
    ['the very same', () => undefined, 0],
    ['an earlier change', ({ keys, trail }) => void (keys.stands = trail.stampOf(1)), 1],
    ['another number', ({ keys }) => void (keys.stands = { ...keys.stands!, number: 1 }), 1],
    ['another mark', ({ keys }) => void (keys.stands = { ...keys.stands!, mark: newer(2).mark }), 1],
    ['no signature', ({ keys }) => void (keys.stands = { ...keys.stands!, signed: false }), 1],
    ['none', ({ keys }) => void (keys.stands = null), 1],
  ])('is put over what stood there at the start where that has: %s', async (_what, set, most) => {
    const world = memoryWorld()
    world.keys.stands = world.trail.stampOf(2)
    set(world)
    await world.guard.examine(signal)
    await world.guard.raise('keys', signal)
    expect([writes(world), world.keys.stands]).toEqual([[0, most], world.trail.stampOf(2)])
  })

  it('is needed by nobody where there are no holders', async () => {
    const { guard, trail } = memoryWorld({ holders: [] })
    await guard.raise('keys', signal)
    expect(trail.asked()).toBe(0)
  })

  it('goes into all other holders where its own takes none', async () => {
    const sign_in = memoryHolder('sso')
    const world = memoryWorld()
    const { guard } = memoryWorld({ store: world.trail, holders: [world.routes, world.keys, sign_in] })
    let tried = 0
    world.keys.write = async () => {
      tried++
      throw FULL
    }
    await guard.raise('keys', signal)
    expect([...writes(world), sign_in.writes.length, tried]).toEqual([1, 0, 1, 1])
  })

  it('is enough in one of them, and stops the write in none, with why its own took none', async () => {
    const world = memoryWorld()
    world.keys.refusal = FULL
    world.routes.refusal = new Failure('storage_unwritable', 'read-only')
    await expect(world.guard.raise('keys', signal)).rejects.toBe(FULL)
    world.routes.refusal = null
    await world.guard.raise('keys', signal)
    expect(writes(world)).toEqual([1, 0])
  })

  it('is never put over one that cannot be read', async () => {
    const world = memoryWorld()
    world.keys.fault = GARBLED
    world.routes.refusal = FULL
    await world.guard.examine(signal)
    await expect(world.guard.raise('keys', signal)).rejects.toBe(GARBLED)
    expect(writes(world)).toEqual([0, 0])
  })

  it.each([false, true])('that no holder takes for a bug stops the write (%j)', async (bears_number) => {
    const { guard, keys, routes, lines } = memoryWorld()
    keys.refusal = BUG
    await expect(guard.raise('keys', signal, { bears_number })).rejects.toBe(BUG)
    expect([routes.writes, lines]).toEqual([[], []])
  })

  it('that the write bears itself is only missed in the log', async () => {
    const { guard, keys, routes, lines } = memoryWorld()
    for (const holder of [keys, routes]) holder.refusal = FULL
    await guard.raise('gateway', signal, { bears_number: true })
    expect(lines).toEqual([
      {
        level: 'warn',
        message: 'no holder took the number of a write',
        facts: { component: 'gateway', error: FULL },
      },
    ])
    await expect(guard.raise('gateway', signal, { bears_number: false })).rejects.toBe(FULL)
  })

  it('is put there one after another, also after one that failed', async () => {
    const world = memoryWorld()
    const { guard, keys, routes, trail } = world
    const order: string[] = []
    const gate = Promise.withResolvers<void>()
    keys.write = async () => {
      order.push('first begins')
      await gate.promise
      order.push('first ends')
      throw BUG
    }
    routes.write = async ({ stamp }) => void order.push(`second writes ${stamp.number}`)
    const first = guard.raise('keys', signal)
    const second = guard.raise('routes', signal)
    trail.change()
    gate.resolve()
    await expect(first).rejects.toBe(BUG)
    await second
    expect(order).toEqual(['first begins', 'first ends', 'second writes 3'])
  })
})

describe('a change that nothing is written outside for', () => {
  it('has its number put into the first holder, after a look', async () => {
    const world = memoryWorld()
    await world.guard.announce(signal)
    expect([writes(world), world.keys.reads]).toEqual([[1, 0], 1])
  })

  it('waits as a write does', async () => {
    const world = memoryWorld()
    world.keys.stands = newer(9)
    await expect(world.guard.announce(signal)).rejects.toMatchObject({ code: 'restored_from_backup' })
    expect(writes(world)).toEqual([0, 0])
  })
})
