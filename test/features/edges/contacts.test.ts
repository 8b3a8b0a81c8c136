/** What is kept of an edge's calls: two that end in another order than they began, and one that comes while its silence is told. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { EdgeContacts } from '../../../src/features/edges/contacts.ts'
import { edgeRecords } from '../../../src/features/edges/records.ts'
import { edgeWatch } from '../../../src/features/edges/watch.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { Edge } from '../../../src/model/edge.ts'
import type { Store } from '../../../src/ports/store.ts'
import { openStore } from '../../../src/store/open.ts'
import { layInstallation } from '../../kit/new-installation.ts'
import { movedClock } from '../../kit/moved-clock.ts'

const MINUTE_MS = 60_000

const clock = movedClock()
const events = { added: () => undefined }
const time = () => ({ now: clock.now(), offline_after_ms: MINUTE_MS, listening_since: 0 })
let directory: string
let store: Store
let contacts: EdgeContacts
let edge: Edge
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-contacts-'))
  await layInstallation(directory)
  store = await openStore({ directory, log: silentLog, clock })
  contacts = new EdgeContacts({ store, events, log: silentLog, time, cameBack: () => undefined })
  const fields = { name: 'fra1', hostname: null, address: null, region: null, created_at: clock.now() }
  edge = await store.write((tx) => tx.of(edgeRecords).insertEdge({ ...fields, desired_state: 'active' }))
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

const kept = () => store.of(edgeRecords).edge(edge.id)

it('a fetch that ends late takes back nothing that the edge has said meanwhile', async () => {
  await contacts.heard(edge, { config_version: 'v2' })
  await contacts.heard(edge, { served_version: 'v3' })
  expect(await kept()).toMatchObject({ config_version: 'v2', served_version: 'v3' })
})

it('an edge that calls while its silence is written down is not lost, and what it said stays', async () => {
  await contacts.heard(edge, { config_version: 'v1' })
  clock.step(2 * MINUTE_MS)
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
  const watch = edgeWatch({ store: interrupted, events, clock, log: silentLog, contacts, time })
  watch.start()
  await expect.poll(() => writes).toBeGreaterThan(0)
  await watch.stop()
  expect(await kept()).toMatchObject({ config_version: 'v2', lost_at: null })
  expect((await store.eventsAfter(0, 10)).map(({ kind }) => kind)).not.toContain('edge_offline')
})
