/** Steps that a crash left open, on a real store: what the world shows then, and whether that is ours. */
import { describe, expect, it } from 'vitest'
import { Editions } from '../../../src/engine/editions/editions.ts'
import { Memory, VACANT } from '../../../src/engine/memory.ts'
import { recover } from '../../../src/engine/pass/journal.ts'
import type { AnyTarget } from '../../../src/engine/target.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { sha256 } from '../../../src/kernel/digest.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'
import { openRig } from '../rig.ts'

const NOW = 9_000
const clock = { ...systemClock, now: () => NOW }
const RELEASED = 'a.example.com 1\n'
const BEFORE = sha256(['as it was'])

interface Scene {
  /** What stands there; null: nothing. */
  readonly there: string | null
  readonly is_unreadable?: boolean
  readonly target?: Partial<AnyTarget>
  /** The key has left. */
  readonly is_gone?: boolean
  /** The place of the step. */
  readonly place?: string
  /** Something of ours was written at the key before. */
  readonly was_written?: boolean
}

/** How the step ends, and what is known as applied then. */
async function recovered(scene: Scene) {
  const { there, is_unreadable = false, is_gone = false, place = 'memory', was_written = false } = scene
  await using rig = await openRig({ started: false })
  const { store } = rig
  const head = (await rig.release('a.example.com', 1))!
  const memory = new Memory(store, clock, 'repair')
  const present = { key: 'fake', release: 1, place: 'memory', digest: 'old', observed: 'old', at: 1 }
  if (was_written) {
    await store.write((tx) => tx.saveApplied(present))
    memory.adoptApplied(present)
  }
  await store.write((tx) =>
    tx.beginStep({
      key: 'fake',
      component: 'fake',
      release: head.number,
      differences: ['update the fake'],
      place,
      before: BEFORE,
      after: 'after',
      at: 1,
    }),
  )
  const world = fakeWorld(there)
  if (is_unreadable) world.look = 'unknown'
  const others = [fakeTarget(fakeWorld(), { key: 'other' })]
  const targets = is_gone ? others : [...others, fakeTarget(world, scene.target)]
  const told: unknown[] = []
  const log = { ...silentLog, warn: (_words: string, facts?: object) => void told.push(facts) }
  await recover(targets, { store, editions: new Editions(store), memory, clock, log })
  expect(await store.openSteps()).toEqual([])
  expect(told).toMatchObject([{ target: 'fake', release: head.number }])
  const [applied] = await store.applied()
  if (applied !== undefined) expect(memory.applied({ key: 'fake', place: applied.place })).toEqual(applied)
  const { found } = told[0] as { found: string }
  const is_same = applied === undefined || (was_written && applied.digest === 'old')
  return { found, applied: is_same ? null : { ...applied, release: applied.release - head.number } }
}

const applied = (digest: string, observed: string) => ({
  key: 'fake',
  release: 0,
  place: 'memory',
  digest,
  observed,
  at: NOW,
})
const DIGEST = sha256([RELEASED])
const AS_BEFORE = applied(BEFORE, BEFORE)

describe('a step that was cut short', () => {
  it.each<[what: string, scene: Scene, found: string, applied: object | null]>([
    ['after its write is known as that', { there: RELEASED }, 'after', applied(DIGEST, DIGEST)],
    [
      'after its write is known by the key’s own part',
      { there: RELEASED, target: { portion: () => 'part' } },
      'after',
      applied('part', DIGEST),
    ],
    [
      'after it took all of ours away knows nothing there as ours',
      { there: RELEASED, target: { isVacant: () => true } },
      'after',
      applied(DIGEST, VACANT),
    ],
    [
      'after a write that was none of the first is known as that, too',
      { there: RELEASED, was_written: true },
      'after',
      applied(DIGEST, DIGEST),
    ],
    ['before its write leaves nothing of ours', { there: 'as it was' }, 'before', null],
    ['within its first write has made the place ours', { there: 'half' }, 'neither', AS_BEFORE],
    ['within a first write at another place has not', { there: 'half', place: 'elsewhere' }, 'neither', null],
    [
      'within a later write changes nothing of what was applied',
      { there: 'half', was_written: true },
      'neither',
      null,
    ],
    [
      'in a world that cannot be read may have made it ours',
      { there: 'x', is_unreadable: true },
      'unknown',
      AS_BEFORE,
    ],
    ['at a key that has left is ended, and no more', { there: RELEASED, is_gone: true }, 'unknown', null],
  ])('%s', async (_what, scene, found, expected) => {
    expect(await recovered(scene)).toEqual({ found, applied: expected })
  })
})
