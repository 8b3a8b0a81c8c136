/** The changes that the database knows, against what the world names: on a real store. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isUnknownTo, ownStamp, RESUMED, settledNumber } from '../../../src/engine/world/history.ts'
import { markOf } from '../../../src/model/world-stamp.ts'
import type { AuditEntry } from '../../../src/ports/records/trails.ts'
import { openRig, type Rig } from '../rig.ts'
import { auditEntry } from './memory-world.ts'

describe('a trail', () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await openRig({ started: false })
  })
  afterAll(() => rig[Symbol.asyncDispose]())
  const add = (one: AuditEntry) => rig.store.write((tx) => tx.audit(one))

  it('that is empty is at no change, and no number is settled', async () => {
    const { installation_id } = rig.store
    expect(await ownStamp(rig.store)).toEqual({ installation_id, number: 0, mark: '' })
    expect(await settledNumber(rig.store)).toBe(0)
  })

  it('is at its newest change, with the mark of that', async () => {
    for (const action of ['create', 'update']) await add(auditEntry(action))
    const [newest] = await rig.store.auditTrail({ limit: 1 })
    const { installation_id } = rig.store
    expect(newest).toMatchObject({ action: 'update' })
    expect(await ownStamp(rig.store)).toEqual({ installation_id, number: newest!.id, mark: markOf(newest!) })
  })

  it.each<[what: string, of: (own: { number: number; mark: string }) => [number, string], unknown: boolean]>([
    ['none at all', () => [0, ''], false],
    ['its newest change', ({ number, mark }) => [number, mark], false],
    ['another change under its newest number', ({ number }) => [number, 'another'], true],
    ['another change under an older number', ({ number, mark }) => [number - 1, mark], true],
    ['a change above it', ({ number }) => [number + 1, 'x'], true],
    ['a number that was made up', () => [1_000_000_000_001, 'x'], false],
    ['the highest number that is believed', () => [1_000_000_000_000, 'x'], true],
  ])('against a world that names %s', async (_what, of, unknown) => {
    const own = await ownStamp(rig.store)
    const [number, mark] = of(own)
    expect(await isUnknownTo(rig.store, own, { ...own, number, mark })).toBe(unknown)
  })

  it('does not know a number that it has jumped over', async () => {
    const number = (await ownStamp(rig.store)).number + 5
    await rig.store.write((tx) => tx.auditAbove(auditEntry('create'), number))
    const own = await ownStamp(rig.store)
    const [before] = await rig.store.auditTrail({ limit: 1, before: own.number })
    const gap = { ...own, number: own.number - 1, mark: markOf(before!) }
    expect(await isUnknownTo(rig.store, own, gap)).toBe(true)
  })

  it('is settled up to the number of the last decision', async () => {
    await add(auditEntry(RESUMED, { world_number: 40 }))
    await add(auditEntry(RESUMED, { world_number: 30 }))
    await add(auditEntry('create'))
    expect(await settledNumber(rig.store)).toBe(30)
    await add(auditEntry(RESUMED, { world_number: 'many' }))
    expect(await settledNumber(rig.store)).toBe(0)
  })
})
