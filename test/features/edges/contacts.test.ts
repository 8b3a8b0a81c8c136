/** What is known of an edge by its calls: what it said stays, and its silence is measured by the clock that nobody sets. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ContactParts, EdgeContacts } from '../../../src/features/edges/contacts.ts'
import { edgeRecords } from '../../../src/features/edges/records.ts'
import { edgeWatch } from '../../../src/features/edges/watch.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { type Edge, edgeState } from '../../../src/model/edge.ts'
import type { Store } from '../../../src/ports/store.ts'
import { openStore } from '../../../src/store/open.ts'
import { layInstallation } from '../../kit/new-installation.ts'
import { type MovedClock, movedClock } from '../../kit/moved-clock.ts'
import { newFolder } from '../../kit/new-folder.ts'

const MINUTE_MS = 60_000
const DAY = 24 * 60 * MINUTE_MS

const events = { added: () => undefined }
let clock: MovedClock
let directory: string
let store: Store
let contacts: EdgeContacts
let edge: Edge
beforeEach(async () => {
  clock = movedClock()
  directory = newFolder('contacts')
  await layInstallation(directory)
  store = await openStore({ directory, log: silentLog, clock })
  contacts = begun()
  const fields = { name: 'fra1', hostname: null, address: null, region: null, created_at: clock.now() }
  edge = await store.write((tx) => tx.of(edgeRecords).insertEdge({ ...fields, desired_state: 'active' }))
})
afterEach(() => store.close())

/** As a daemon has them that begins now. */
function begun(): EdgeContacts {
  const parts: ContactParts = {
    store,
    events,
    clock,
    log: silentLog,
    offline_after_ms: MINUTE_MS,
    cameBack: () => undefined,
  }
  return new EdgeContacts(parts)
}
const kept = () => store.of(edgeRecords).edge(edge.id)

it('a fetch that ends late takes back nothing that the edge has said meanwhile', async () => {
  await contacts.heard(edge, { config_version: 'v2' })
  await contacts.heard(edge, { served_version: 'v3' })
  expect(await kept()).toMatchObject({ config_version: 'v2', served_version: 'v3' })
})

it('an edge that calls while its silence is written down is not lost, and what it said stays', async () => {
  await contacts.heard(edge, { config_version: 'v1' })
  clock.pass(2 * MINUTE_MS)
  const silent = (await kept())!
  let writes = 0
  const write: Store['write'] = async (work) => {
    if (writes++ === 0) await contacts.heard(silent, { config_version: 'v2' })
    return store.write(work)
  }
  // The store is a class: what is not overridden is asked of it.
  const interrupted = new Proxy(store, {
    get: (of, name) => (name === 'write' ? write : Reflect.get(of, name).bind(of)),
  })
  const watch = edgeWatch({ store: interrupted, events, clock, log: silentLog, contacts })
  watch.start()
  await expect.poll(() => writes).toBeGreaterThan(0)
  await watch.stop()
  expect(await kept()).toMatchObject({ config_version: 'v2', lost_at: null })
  expect((await store.eventsAfter(0, 10)).map(({ kind }) => kind)).not.toContain('edge_offline')
})

const state = async () => {
  const known = contacts.known((await kept())!)
  return edgeState(known, known.lost_since)
}
const watched = async (until: () => Promise<void>) => {
  const watch = edgeWatch({ store, events, clock, log: silentLog, contacts })
  watch.start()
  await until()
  await watch.stop()
}

describe('where the clock is set', () => {
  it('an edge that was lost before it was set back is lost until it calls, also after a restart', async () => {
    await contacts.heard(edge, {})
    clock.pass(2 * MINUTE_MS)
    await watched(() => expect.poll(async () => (await kept())!.lost_at).not.toBeNull())
    clock.step(-DAY)
    expect(await state()).toBe('offline')
    contacts = begun()
    expect(await state()).toBe('offline')
    await contacts.heard((await kept())!, {})
    expect(await state()).toBe('active')
    expect(await kept()).toMatchObject({ lost_at: null })
  })

  it('an edge that falls silent after it was set back, or in a daemon that began before that, is lost in its time', async () => {
    clock.step(DAY)
    await contacts.heard(edge, {})
    contacts = begun()
    clock.step(-DAY)
    expect(await state()).toBe('active')
    clock.pass(MINUTE_MS / 2)
    expect(await state()).toBe('active')
    clock.pass(MINUTE_MS)
    expect(await state()).toBe('offline')
    await watched(() => expect.poll(async () => (await kept())!.lost_at).not.toBeNull())
    expect((await store.eventsAfter(0, 10)).map(({ kind }) => kind)).toContain('edge_offline')
  })

  it('an edge that calls is not lost by a clock that was set ahead', async () => {
    await contacts.heard(edge, {})
    clock.step(DAY)
    expect(await state()).toBe('active')
  })
})
