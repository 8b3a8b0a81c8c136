/** What is said of a world that is newer, or whose number is not known, and to whom. */
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../src/kernel/failure.ts'
import { REMEDY } from '../../../src/model/undecided.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'
import { memoryWorld, newer } from './memory-world.ts'

const { signal } = new AbortController()
const GARBLED = new Failure('storage_unwritable', 'it is garbled')

describe('a world that is newer', () => {
  it('is told with both numbers, and beside what is not', async () => {
    const { guard, trail, routes, keys } = memoryWorld()
    routes.stands = newer(9)
    keys.stands = trail.stampOf(1)
    expect(guard.failure()).toBeNull()
    await guard.examine(signal)
    expect(guard.standing()).toEqual({
      waiting: true,
      database_number: 2,
      worlds: [
        { world: 'routes', place: '/routes/held', stamp: newer(9), ahead: true },
        { world: 'keys', place: '/keys/held', stamp: trail.stampOf(1), ahead: false },
      ],
    })
    expect(guard.failure()).toMatchObject({
      code: 'restored_from_backup',
      message: expect.stringContaining('routes (/routes/held) is at change 9, the database is at change 2.'),
    })
  })

  it('is logged once, however many places are newer and however often they are looked at', async () => {
    const { guard, routes, keys, lines } = memoryWorld()
    routes.stands = newer(9)
    keys.stands = newer(8)
    for (let i = 0; i < 2; i++) await guard.examine(signal)
    expect(guard.standing().worlds.map(({ ahead }) => ahead)).toEqual([true, true])
    expect(lines).toEqual([
      {
        level: 'error',
        message: 'the world is newer than the database: nothing is written outside',
        facts: {
          database_number: 2,
          worlds: [{ world: 'routes', place: '/routes/held', number: 9, ahead: true }],
          remedy: REMEDY,
        },
      },
    ])
  })

  it('is none where the database knows its change, or where it is another installation’s', async () => {
    const { guard, trail, routes, keys, lines } = memoryWorld()
    routes.stands = trail.stampOf(2)
    keys.stands = { ...newer(9), installation_id: 'another' }
    await guard.examine(signal)
    expect([guard.standing(), guard.failure(), lines]).toEqual([
      {
        waiting: false,
        database_number: 2,
        worlds: [{ world: 'routes', place: '/routes/held', stamp: trail.stampOf(2), ahead: false }],
      },
      null,
      [],
    ])
    guard.assertKnownAndWhole()
  })

  it('ends the start where the settings say so, and lets it wait where they do not', async () => {
    for (const older_database of ['exit', 'wait'] as const) {
      const { guard, routes } = memoryWorld({ older_database })
      guard.assertStart()
      routes.stands = newer(9)
      await guard.examine(signal)
      if (older_database === 'wait') guard.assertStart()
      else expect(() => guard.assertStart()).toThrow(/newer than this database/)
      for (const asked of [() => guard.assertWhole(), () => guard.assertKnownAndWhole()])
        expect(asked).toThrow(expect.objectContaining({ code: 'restored_from_backup' }))
    }
  })

  it('is found by a target in what it sees, where it sees a number at all', async () => {
    const { guard } = memoryWorld()
    await guard.found(fakeTarget(fakeWorld()), 'state')
    await guard.found(fakeTarget(fakeWorld(), { stampIn: () => null }), 'state')
    expect(guard.standing().worlds).toEqual([])
    const seen: unknown[] = []
    const stampIn = (state: unknown) => {
      seen.push(state)
      return newer(5)
    }
    await guard.found(fakeTarget(fakeWorld(), { stampIn }), 'state')
    expect(seen).toEqual(['state'])
    expect(guard.standing().worlds).toEqual([
      { world: 'fake', place: 'memory', stamp: newer(5), ahead: true },
    ])
  })

  it('is compared with the database as it is now, also where it stands as it stood', async () => {
    const { guard, trail, routes } = memoryWorld()
    routes.stands = trail.stampOf(2)
    await guard.examine(signal)
    expect([guard.failure(), routes.reads]).toEqual([null, 1])
    // Somebody puts an older database under the daemon.
    const real = trail.auditTrail
    trail.auditTrail = (query) => real({ ...query, before: Math.min(query.before ?? 2, 2) })
    await guard.examine(signal)
    expect([guard.failure()?.code, routes.reads]).toEqual(['restored_from_backup', 1])
  })
})

it('a holder is read again where it may have changed, and where its glance does not say so', async () => {
  const { guard, trail, routes, keys } = memoryWorld()
  routes.is_blind = true
  for (let i = 0; i < 2; i++) await guard.examine(signal)
  expect([routes.reads, keys.reads]).toEqual([2, 1])
  keys.stands = trail.stampOf(1)
  await guard.examine(signal)
  expect([routes.reads, keys.reads]).toEqual([3, 2])
})

it('the database’s own number is that of its newest change', async () => {
  const { guard, trail } = memoryWorld()
  expect(guard.standing().database_number).toBe(0)
  const { signed: _, ...stamp } = trail.stampOf(2)
  expect(await guard.own()).toEqual(stamp)
  expect(guard.standing().database_number).toBe(2)
})

describe('a number that cannot be read', () => {
  it('is told with why, until it can be', async () => {
    const { guard, trail, routes } = memoryWorld()
    routes.fault = GARBLED
    await guard.examine(signal)
    expect(guard.unreadable()).toEqual([{ world: 'routes', place: '/routes/held', failure: GARBLED }])
    routes.fault = null
    routes.stands = trail.stampOf(1)
    await guard.examine(signal)
    expect([guard.unreadable(), guard.uncertainty()]).toEqual([[], null])
  })

  it('is logged when it is found, and again only after it could be read', async () => {
    const { guard, routes, keys, lines } = memoryWorld()
    const said = (place: string, error = GARBLED) => ({
      level: 'warn',
      message: 'how far the world is cannot be told',
      facts: { place, error },
    })
    routes.fault = GARBLED
    for (let i = 0; i < 2; i++) await guard.examine(signal)
    expect(lines).toEqual([said('/routes/held')])
    keys.fault = GARBLED
    await guard.examine(signal)
    expect(lines).toEqual([said('/routes/held'), said('/keys/held')])
    routes.fault = null
    await guard.examine(signal)
    routes.fault = GARBLED
    await guard.examine(signal)
    expect(lines.slice(2)).toEqual([said('/routes/held')])
  })

  it('may be that of a newer world, as long as this process has not read it', async () => {
    const { guard, routes, keys } = memoryWorld()
    routes.fault = GARBLED
    await guard.examine(signal)
    const uncertainty = {
      code: 'component_unavailable',
      message: 'This database may be older than the world. it is garbled',
    }
    expect(guard.uncertainty()).toMatchObject(uncertainty)
    expect(() => guard.assertKnownAndWhole()).toThrow(expect.objectContaining(uncertainty))
    expect(guard.failure()).toBeNull()
    routes.fault = null
    await guard.examine(signal)
    routes.fault = GARBLED
    await guard.examine(signal)
    expect([guard.uncertainty(), guard.unreadable().length]).toEqual([null, 1])
    // What is known for certain goes before what may be.
    keys.stands = newer(9)
    await guard.examine(signal)
    expect(guard.uncertainty()?.code).toBe('restored_from_backup')
  })

  it('that was never read goes before one that was', async () => {
    const { guard, routes, keys } = memoryWorld()
    keys.fault = new Failure('storage_unwritable', 'nobody has read it')
    await guard.examine(signal)
    routes.fault = GARBLED
    await guard.examine(signal)
    expect(guard.unreadable().map(({ world }) => world)).toEqual(['keys', 'routes'])
    expect(guard.uncertainty()?.message).toContain('nobody has read it')
    keys.fault = null
    await guard.examine(signal)
    expect(guard.uncertainty()).toBeNull()
  })

  it('is no trouble that was foreseen where the holder has a bug', async () => {
    const { guard, routes } = memoryWorld()
    const bug = new TypeError('a bug')
    routes.fault = bug
    await expect(guard.examine(signal)).rejects.toBe(bug)
    expect(guard.unreadable()).toEqual([])
  })
})

describe('a look again', () => {
  it('is only at what nobody has read', async () => {
    const { guard, routes } = memoryWorld()
    routes.is_blind = true
    await guard.lookAgain()
    expect(routes.reads).toBe(0)
    routes.fault = GARBLED
    await guard.examine(signal)
    routes.fault = null
    await guard.lookAgain()
    expect([routes.reads, guard.uncertainty()]).toEqual([2, null])
    await guard.lookAgain()
    expect(routes.reads).toBe(2)
  })

  it('is none while a person is to decide, who is not waited for', async () => {
    const { guard, routes, keys } = memoryWorld()
    routes.fault = GARBLED
    keys.stands = newer(9)
    await guard.examine(signal)
    await guard.lookAgain()
    expect(routes.reads).toBe(1)
  })
})
