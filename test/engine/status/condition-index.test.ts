/** The condition index beside a look that hangs, and the status of a world that is ahead of its release. */
import { expect, it } from 'vitest'
import { ConditionIndex } from '../../../src/engine/status/condition-index.ts'
import { Editions } from '../../../src/engine/editions/editions.ts'
import { RefusedItems } from '../../../src/engine/pass/refused-items.ts'
import { ObservationOrder } from '../../../src/engine/observation.ts'
import { Memory } from '../../../src/engine/memory.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { silentMetrics } from '../../fakes/silent-metrics.ts'
import type { Report } from '../../../src/model/report.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'
import { openRig } from '../rig.ts'

const drifting = (key: string): Report => ({
  component: key,
  key,
  outcome: 'left_drifting',
  differences: 1,
  repaired: 0,
  failure: null,
  refusals: [],
  release: 1,
  observed_at: Date.now(),
  took_ms: 1,
  next_attempt_at: Date.now(),
})

it('a key whose look hangs holds up neither the conditions of others nor whoever asks for all of them', async () => {
  await using rig = await openRig({ started: false })
  await rig.release('app.example.com', 80)
  const { store } = rig
  const hanging = fakeWorld('edited')
  hanging.look = 'hangs'
  const targets = [
    fakeTarget(hanging, { key: 'hanging', name: 'hanging', artifact: 'fake', deadline_ms: 60_000 }),
    fakeTarget(fakeWorld('edited'), { key: 'well', name: 'well', artifact: 'fake' }),
  ]
  const shared = { store, clock: systemClock, log: silentLog, metrics: silentMetrics }
  const editions = new Editions(store)
  const memory = new Memory(store, systemClock, 'observe')
  const index = new ConditionIndex({
    ...shared,
    editions,
    memory,
    looks: new ObservationOrder(),
    refused_items: new RefusedItems(),
    seenAt: () => Date.now(),
    lookBy: () => undefined,
  })
  index.retarget(targets)
  index.note(drifting('hanging'))
  index.note(drifting('well'))
  await index.settled(500)
  expect(index.all().map(({ key, rows }) => `${key} ${rows[0]?.reason ?? 'nothing yet'}`)).toEqual([
    'hanging nothing yet',
    'well drifting',
  ])
  expect(await store.conditions()).toMatchObject([{ component: 'well', reason: 'drifting' }])
  await index.close()
})

const seen = (state: string | null) => ({ known: true, state }) as const

it('a world that shows what is saved and not released is drift, as its condition says', async () => {
  await using rig = await openRig({ mode: 'observe', started: false })
  await rig.release('app.example.com', 80)
  await rig.engine.converge('open')
  await rig.save('app.example.com', 81)
  const look = () => rig.engine.observeFirstKey('fake', AbortSignal.timeout(60_000))
  expect(await look()).toMatchObject({ drift: true })
  rig.world.content = 'app.example.com 81\n'
  expect(await look()).toMatchObject({ drift: true })
  const turn = rig.engine.beginObservation()
  expect(await rig.engine.compare('fake', seen(rig.world.content), turn)).toMatchObject({ drift: true })
  const [status] = await rig.engine.looksFor('all', AbortSignal.timeout(60_000))
  expect(status).toMatchObject({ drift: true })
  await rig.release('app.example.com', 81)
  expect(await look()).toMatchObject({ drift: false })
  expect(await rig.engine.compare('nobody', seen(null), turn)).toBeNull()
})
