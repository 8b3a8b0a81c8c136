/** The numbers in the world against the database: whose count, which stop, and what ends the waiting. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { worldHolder } from '../../../src/io/files/world-holder.ts'
import { layInstallation } from '../../kit/new-installation.ts'
import { openStore } from '../../../src/store/open.ts'
import type { AnyTarget } from '../../../src/engine/target.ts'
import { WorldGuard } from '../../../src/engine/world/guard.ts'
import { RESUMED } from '../../../src/engine/world/history.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { sha256 } from '../../../src/kernel/digest.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { markOf, readStamp, stampText } from '../../../src/model/world-stamp.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { WorldHolder } from '../../../src/ports/world-holder.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'
import { auditEntry } from './memory-world.ts'
import { newFolder } from '../../kit/new-folder.ts'

const target = fakeTarget(fakeWorld())
const { signal } = new AbortController()
const STAMP = { number: 3, mark: '0123456789abcdef' }

let directory: string
let store: Store
let holder: WorldHolder

beforeEach(async () => {
  directory = newFolder('world')
  await layInstallation(directory)
  store = await openStore({ directory, log: silentLog, clock: systemClock })
  holder = holderOf('routes.yml', store.installation_id)
})
afterEach(() => store.close())

const holderOf = (name: string, installation_id: string) =>
  worldHolder({
    world: 'routes',
    file: join(directory, 'world', name),
    installation_id,
    watched: true,
    sign: store.sign,
  })

const change = (action = 'create') => store.write((tx) => tx.audit(auditEntry(action)))
const content = async () => ({ release: 0, rows: [], present: [], ssh_clients: [], people: [] })
const guardOf = (...holders: readonly WorldHolder[]) =>
  new WorldGuard({ store, content, holders, older_database: 'wait', log: silentLog })
const guard = (older_database: 'wait' | 'exit' = 'wait') =>
  new WorldGuard({ store, content, holders: [holder], older_database, log: silentLog })
const put = async (stamp: { number: number; mark: string }, installation_id = store.installation_id) =>
  holder.write({ stamp: { ...stamp, installation_id }, ...(await content()) }, signal)
const wouldWrite = (world = guard()) =>
  world.assertNewest(target, null, signal).then(
    () => null,
    (error: { code: string }) => error.code,
  )

describe('a world', () => {
  it('without a number gets one at the first write, and is not written for a number that it has', async () => {
    const world = guard()
    expect(await wouldWrite(world)).toBeNull()
    await world.raise('routes', signal)
    expect(await holder.stamp(signal)).toMatchObject({ number: 0, mark: '' })
    await change()
    await world.raise('routes', signal)
    const stamp = await holder.stamp(signal)
    expect(stamp).toMatchObject({ number: 1 })
    expect(await wouldWrite()).toBeNull()
  })

  it('that is above the database stops every write, and goes on stopping when the database grows past it', async () => {
    await change()
    await put(STAMP)
    expect(await wouldWrite()).toBe('restored_from_backup')
    for (let i = 0; i < 5; i++) await change()
    expect(await wouldWrite()).toBe('restored_from_backup')
    const world = guard('exit')
    await world.examine(signal)
    expect(() => world.assertStart()).toThrow(/at change 3, the database is at change 6 on another history/)
  })

  it('that is above the database by another installation’s word stops nothing', async () => {
    await put(STAMP, '00000000-0000-0000-0000-000000000000')
    expect(await wouldWrite()).toBeNull()
  })

  it('that somebody raises while the daemon works stops the next write', async () => {
    const world = guard()
    await change()
    await world.raise('routes', signal)
    expect(await wouldWrite(world)).toBeNull()
    await put(STAMP)
    expect(await wouldWrite(world)).toBe('restored_from_backup')
  })

  it('goes on where a person has decided, up to that number and no further', async () => {
    await put(STAMP)
    const world = guard()
    expect(await wouldWrite(world)).toBe('restored_from_backup')
    expect(
      await store.write((tx) =>
        tx.auditAbove(auditEntry(RESUMED, { world_number: STAMP.number }), STAMP.number),
      ),
    ).toBe(4)
    await world.resumed()
    expect(await wouldWrite(world)).toBeNull()
    await put({ ...STAMP, number: 5 })
    expect(await wouldWrite(world)).toBe('restored_from_backup')
  })

  it.each(['', 'nonsense\n', 'plumbline-world 1 installation=x change=many\n'])(
    'whose number cannot be read is unknown, and unknown is not written (%j)',
    async (text) => {
      await put(STAMP)
      writeFileSync(holder.place, text)
      const world = guard()
      await world.examine(signal)
      expect(world.unreadable()[0]?.failure.message).toMatch(
        /there cannot be told and nothing is written there/,
      )
      expect(await wouldWrite(world)).toBe('storage_unwritable')
      await put({ number: 0, mark: '' })
      expect(await wouldWrite(world)).toBeNull()
      expect(world.unreadable()).toEqual([])
    },
  )

  it('whose own file cannot be written puts the number into another, and only then writes', async () => {
    await change()
    const full = async () => Promise.reject(new Failure('storage_full', 'no room'))
    const other = holderOf('rules.yml', store.installation_id)
    const broken = { ...holder, write: full }
    await guardOf(broken, other).raise('routes', signal)
    expect(await other.stamp(signal)).toMatchObject({ number: 1 })
    await expect(guardOf(broken).raise('routes', signal)).rejects.toThrow('no room')
  })

  it('is taken as far as this installation has signed it, and stops whoever has signed it', async () => {
    await put(STAMP)
    const world = guard()
    await world.examine(signal)
    expect(await world.newestHeld(signal)).toMatchObject({
      signed: { path: holder.place, stamp: STAMP, content: { rows: [] } },
      unsigned: [],
    })
    writeFileSync(holder.place, unsigned({ ...STAMP, number: 9 }))
    expect(await wouldWrite()).toBe('restored_from_backup')
    await world.examine(signal)
    expect(await world.newestHeld(signal)).toEqual({ signed: null, unsigned: [holder.place] })
  })

  it('is not taken by an earlier file that somebody has put back beside a made-up number', async () => {
    const world = guard()
    for (let i = 0; i < 2; i++) await change()
    await world.raise('routes', signal)
    const earlier = readFileSync(holder.place)
    await change('remove_ssh_client')
    await world.raise('routes', signal)
    const beside = join(directory, 'world', basename(holder.place))
    mkdirSync(dirname(beside), { recursive: true })
    writeFileSync(beside, unsigned({ ...STAMP, number: 99 }))
    writeFileSync(holder.place, earlier)
    expect(await wouldWrite(world)).toBe('restored_from_backup')
    expect(await world.newestHeld(signal)).toEqual({ signed: null, unsigned: [beside] })
  })

  it('that an earlier version wrote gets its signature at the first write, also without a new change', async () => {
    await change()
    const [newest] = await store.auditTrail({ limit: 1 })
    mkdirSync(dirname(holder.place), { recursive: true })
    writeFileSync(holder.place, unsigned({ number: 1, mark: markOf(newest!) }))
    const world = guard()
    expect(await wouldWrite(world)).toBeNull()
    expect(await holder.stamp(signal)).toMatchObject({ number: 1, signed: false })
    await world.raise('routes', signal)
    expect(await holder.stamp(signal)).toMatchObject({ number: 1, signed: true })
  })
})

/** As versions before signatures wrote it, and as anybody can. */
function unsigned(stamp: { number: number; mark: string }): string {
  const body = '{"release":0,"rows":[],"present":[],"ssh_clients":[],"people":[]}\n'
  const text = stampText({ ...stamp, installation_id: store.installation_id })
  return `plumbline-world 1 ${text} sha256=${sha256([body])}\n${body}`
}

describe('a holder that cannot be read', () => {
  const targetOf = (name: string, over: Partial<AnyTarget> = {}): AnyTarget => ({ ...target, name, ...over })
  const placeOf = (world: string) =>
    worldHolder({
      world,
      file: join(directory, world, 'file'),
      installation_id: store.installation_id,
      watched: false,
      sign: store.sign,
    })
  const garble = ({ place }: WorldHolder) => writeFileSync(place, 'nonsense')
  const codeOf = (asked: Promise<unknown>) =>
    asked.then(
      () => null,
      (error: { code: string }) => error.code,
    )

  it('stops its own place and what has none, never another place, and is not written over', async () => {
    const [routes, keys] = [placeOf('routes'), placeOf('keys')]
    const first = guardOf(routes, keys)
    await change()
    await first.raise('routes', signal)
    await first.raise('keys', signal)
    garble(routes)
    await change('remove_ssh_client')
    const world = guardOf(routes, keys)
    await world.examine(signal)
    for (const name of ['routes', 'dns'])
      expect(await codeOf(world.assertNewest(targetOf(name), null, signal)), name).toBe('storage_unwritable')
    await world.assertNewest(targetOf('keys'), null, signal)
    await world.raise('keys', signal)
    expect(await keys.stamp(signal)).toMatchObject({ number: 2 })
    await change('end_key')
    await world.announce(signal)
    expect(await keys.stamp(signal)).toMatchObject({ number: 3 })
    expect(readFileSync(routes.place, 'utf8')).toBe('nonsense')
    expect(world.unreadable()).toMatchObject([{ world: 'routes', place: routes.place }])
  })

  it('never lets an older database write where the place’s own number is gone', async () => {
    const [routes, keys] = [placeOf('routes'), placeOf('keys')]
    await routes.write(
      { stamp: { ...STAMP, installation_id: store.installation_id }, ...(await content()) },
      signal,
    )
    garble(routes)
    await change()
    const world = guardOf(routes, keys)
    expect(await codeOf(world.assertNewest(targetOf('keys'), null, signal))).toBe('storage_unwritable')
    await keys.write(
      { stamp: { ...STAMP, installation_id: store.installation_id }, ...(await content()) },
      signal,
    )
    expect(await codeOf(world.assertNewest(targetOf('keys'), null, signal))).toBe('restored_from_backup')
  })

  it('does not stop a place whose own bytes say how far it is', async () => {
    const routes = placeOf('routes')
    await change()
    const [newest] = await store.auditTrail({ limit: 1 })
    await guardOf(routes).raise('routes', signal)
    garble(routes)
    const world = guardOf(routes)
    const found = (number: number, mark: string) => ({
      stampIn: () => ({ installation_id: store.installation_id, number, mark }),
    })
    const marked = targetOf('gateway', { ...found(1, markOf(newest!)), bears_number: true })
    await world.assertNewest(marked, {}, signal)
    await world.raise('gateway', signal, { bears_number: true })
    expect(readFileSync(routes.place, 'utf8')).toBe('nonsense')
    // Marks that stand in parts of it say nothing of what was taken away.
    const partly = targetOf('dns', found(1, markOf(newest!)))
    expect(await codeOf(world.assertNewest(partly, {}, signal))).toBe('storage_unwritable')
    const newer = targetOf('gateway', { ...found(9, STAMP.mark), bears_number: true })
    expect(await codeOf(world.assertNewest(newer, {}, signal))).toBe('restored_from_backup')
  })

  it('refuses edits after a start, and not where this process has read it before', async () => {
    const routes = placeOf('routes')
    const before = guardOf(routes)
    await before.examine(signal)
    before.assertKnownAndWhole()
    await routes.write(
      { stamp: { ...STAMP, installation_id: store.installation_id }, ...(await content()) },
      signal,
    )
    garble(routes)
    await before.examine(signal)
    before.assertKnownAndWhole()
    const after = guardOf(routes)
    await after.examine(signal)
    expect(() => after.assertKnownAndWhole()).toThrow(/there cannot be told/)
    after.assertWhole()
    rmSync(routes.place)
    await after.lookAgain()
    after.assertKnownAndWhole()
    expect(after.unreadable()).toEqual([])
  })
})

it('what was compared before a decision does not bring back the waiting after it', async () => {
  await put(STAMP)
  const world = guard()
  await world.examine(signal)
  expect(world.standing().waiting).toBe(true)
  // The look reads the trail before the decision, and answers after it.
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const real = store.auditTrail.bind(store)
  const held = vi.spyOn(store, 'auditTrail').mockImplementationOnce(async (query) => {
    const page = await real(query)
    entered.resolve()
    await gate.promise
    return page
  })
  const slow = world.found(
    { ...target, stampIn: () => ({ ...STAMP, installation_id: store.installation_id }) },
    {},
  )
  await entered.promise
  await store.write((tx) => tx.auditAbove(auditEntry(RESUMED, { world_number: STAMP.number }), STAMP.number))
  await world.resumed()
  gate.resolve()
  await slow
  held.mockRestore()
  expect(world.standing().waiting).toBe(false)
  expect(await wouldWrite(world)).toBeNull()
})

it('a stamp reads back, and no other text is one', () => {
  const stamp = {
    installation_id: 'a-1',
    number: 7,
    mark: markOf({ id: 7, at: 1, request_id: 'r', action: 'x' }),
  }
  expect(readStamp(`# begin (ours) ${stampText(stamp)}`)).toEqual(stamp)
  expect(readStamp(stampText({ ...stamp, number: 0, mark: '' }))).toMatchObject({ number: 0, mark: '' })
  for (const text of ['', 'installation=a change=', 'installation=a change=1:zz', 'installation= change=1'])
    expect(readStamp(text), text).toBeNull()
})
