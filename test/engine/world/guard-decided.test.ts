/** What a person's decision ends, and what is taken from the newer world before it. */
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../src/kernel/failure.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'
import { CONTENT, memoryWorld, newer } from './memory-world.ts'

const { signal } = new AbortController()

describe('a decision', () => {
  it('ends the waiting for what it was about, and for nothing above', async () => {
    const { guard, trail, routes, keys } = memoryWorld()
    routes.stands = newer(9)
    keys.stands = newer(12)
    await guard.examine(signal)
    trail.decide(9)
    await guard.resumed()
    expect(guard.standing().worlds.map(({ world, ahead }) => [world, ahead])).toEqual([
      ['routes', false],
      ['keys', true],
    ])
    trail.decide(12)
    await guard.resumed()
    expect([guard.failure(), guard.standing().waiting]).toEqual([null, false])
    await guard.examine(signal)
    expect(guard.failure()).toBeNull()
  })

  it('is not believed before the database holds it', async () => {
    const { guard, routes } = memoryWorld()
    routes.stands = newer(9)
    await guard.examine(signal)
    await guard.resumed()
    expect(guard.failure()?.code).toBe('restored_from_backup')
  })

  it('of an earlier process counts, up to its number', async () => {
    const { guard, trail, routes, keys } = memoryWorld()
    trail.decide(9)
    routes.stands = newer(9)
    await guard.examine(signal)
    expect(guard.failure()).toBeNull()
    keys.stands = newer(10)
    await guard.examine(signal)
    expect(guard.failure()?.code).toBe('restored_from_backup')
  })

  it('is read once, however often it is compared', async () => {
    const { guard, trail, routes } = memoryWorld()
    trail.decide(9)
    routes.stands = newer(9)
    await guard.examine(signal)
    const before = trail.asked()
    await guard.examine(signal)
    expect(trail.asked()).toBe(before)
  })

  it('does not end the waiting for a number that was put there while it was compared', async () => {
    const { guard, trail, routes } = memoryWorld()
    routes.stands = newer(9)
    await guard.examine(signal)
    trail.decide(9)
    const real = trail.auditTrail
    trail.auditTrail = async (query) => {
      trail.auditTrail = real
      const newest = { stampIn: () => newer(20), place: routes.place }
      await guard.found(fakeTarget(fakeWorld(), newest), {})
      return real(query)
    }
    await guard.resumed()
    expect(guard.standing()).toMatchObject({ waiting: true, worlds: [{ stamp: newer(20), ahead: true }] })
  })

  it('lets the next newer world be logged again', async () => {
    const { guard, trail, routes, lines } = memoryWorld()
    routes.stands = newer(9)
    await guard.examine(signal)
    trail.decide(9)
    await guard.resumed()
    routes.stands = newer(20)
    await guard.examine(signal)
    expect(lines.map(({ level }) => level)).toEqual(['error', 'error'])
  })
})

describe('what the newer world holds', () => {
  it('is taken from the newest of those that are newer', async () => {
    const { guard, trail, routes, keys } = memoryWorld()
    routes.stands = trail.stampOf(1)
    keys.stands = newer(9)
    expect(await guard.newestHeld(signal)).toEqual({
      signed: { path: '/keys/held', stamp: newer(9), content: CONTENT },
      unsigned: [],
    })
    routes.stands = { ...newer(12), signed: false }
    expect(await guard.newestHeld(signal)).toMatchObject({
      signed: { path: '/keys/held' },
      unsigned: ['/routes/held'],
    })
  })

  it('is nothing where none is newer', async () => {
    const { guard, trail, routes, keys } = memoryWorld()
    routes.stands = { ...trail.stampOf(1), signed: false }
    keys.stands = trail.stampOf(2)
    expect(await guard.newestHeld(signal)).toEqual({ signed: null, unsigned: [] })
  })

  it('is not known while one cannot be read, which may be the newest', async () => {
    const { guard, routes, keys } = memoryWorld()
    const garbled = new Failure('storage_unwritable', 'it is garbled')
    routes.fault = garbled
    keys.stands = newer(9)
    await expect(guard.newestHeld(signal)).rejects.toBe(garbled)
  })
})
