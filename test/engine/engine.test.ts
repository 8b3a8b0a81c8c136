/** The engine's promises, over a real store and a world in memory that misbehaves on command. */
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../src/kernel/digest.ts'
import type { AnyTarget } from '../../src/engine/target.ts'
import { failureFor } from '../../src/model/report.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { fakeTarget, fakeWorld } from './fake-target.ts'
import { openRig } from './rig.ts'

const APP = 'app.example.com 80\n'

describe('a deploy', () => {
  it('brings the world to the release and says so', async () => {
    // No pass of the engine's own comes before the caller's, however slow the machine is.
    await using rig = await openRig({ started: false })
    await rig.release('app.example.com', 80)
    const [report] = await rig.engine.converge('open')
    expect(report).toMatchObject({
      component: 'fake',
      outcome: 'repaired',
      differences: 1,
      repaired: 1,
      failure: null,
    })
    expect(rig.world.content).toBe(APP)
  })

  itInDepth('writes nothing when the world is true already', async () => {
    await using rig = await openRig()
    await rig.release('app.example.com', 80)
    await rig.engine.converge('open')
    const writes = rig.world.writes.length
    const [report] = await rig.engine.converge('open')
    expect(report?.outcome).toBe('clean')
    expect(rig.world.writes).toHaveLength(writes)
  })

  itInDepth(
    'counts what a pass by its own tick has done of its release already, and of no other',
    async () => {
      await using rig = await openRig({ started: false })
      const head = await rig.release('app.example.com', 80)
      // As a tick that comes between the release and the deploy of it.
      await rig.engine.converge('open')
      const writes = rig.world.writes.length
      const [report] = await rig.engine.converge('open', { records: 'all', made: head!.number })
      expect(report).toMatchObject({ outcome: 'repaired', differences: 1, repaired: 1 })
      expect(rig.world.writes).toHaveLength(writes)
      const [later] = await rig.engine.converge('open', { records: 'all', made: head!.number + 1 })
      expect(later).toMatchObject({ outcome: 'clean', differences: 0, repaired: 0 })
    },
  )

  itInDepth('leaves no open step, and the journal was written before the world', async () => {
    await using rig = await openRig()
    await rig.release('app.example.com', 80)
    await rig.engine.converge('open')
    expect(await rig.store.openSteps()).toEqual([])
  })

  itInDepth('that moves nothing makes no release', async () => {
    await using rig = await openRig()
    const first = await rig.release('app.example.com', 80)
    const again = await rig.store.write(async (tx) =>
      rig.engine.release(tx, {
        rows: [],
        actor: 't',
        request_id: '',
        reason: '',
        plan_hash: null,
        warnings: [],
      }),
    )
    expect(first?.number).toBe(2)
    expect(again).toBeNull()
  })
})

describe('a suspension', () => {
  it('that comes during a look is heeded: whoever asked for it may be at work in the world already', async () => {
    const world = fakeWorld()
    const plain = fakeTarget(world)
    let during = (): void => undefined
    const interrupted: AnyTarget['observe'] = async (signal) => {
      const seen = await plain.observe(signal)
      during()
      return seen
    }
    await using rig = await openRig({ world, target: { observe: interrupted } })
    await rig.release('app.example.com', 80)
    await rig.engine.converge('open')
    const writes = world.writes.length
    world.content = 'being moved'
    during = () =>
      rig.engine.adoptMode({ scope: 'fake', mode: 'suspend', reason: 'x', actor: 'key', expires_at: null })
    expect((await rig.engine.converge('open'))[0]?.outcome).toBe('suspended')
    expect(world.content).toBe('being moved')
    expect(world.writes).toHaveLength(writes)
  })
})

describe('self-repair', () => {
  it('undoes a hand edit and keeps an undeployed edit out', async () => {
    await using rig = await openRig()
    await rig.release('app.example.com', 80)
    await rig.engine.converge('open')
    await rig.save('app.example.com', 8080)
    rig.world.content = 'edited by hand'
    rig.world.hint()
    await expect.poll(() => rig.world.content).toBe(APP)
    expect(rig.world.evidence.at(-1)).toBe(true)
  })

  itInDepth('keeps no evidence of its own earlier writes', async () => {
    await using rig = await openRig()
    await rig.release('app.example.com', 80)
    await rig.engine.converge('open')
    await rig.release('app.example.com', 8080)
    await rig.engine.converge('open')
    expect(rig.world.evidence.at(-1)).toBe(false)
  })

  itInDepth('is off in observe mode, where what a caller asks for is done all the same', async () => {
    await using rig = await openRig({ mode: 'observe' })
    await rig.release('app.example.com', 80)
    await rig.engine.converge('open')
    expect(rig.world.content).toBe(APP)
    rig.world.content = 'edited by hand'
    rig.world.hint()
    await expect.poll(() => rig.engine.lastReports()[0]?.outcome).toBe('left_drifting')
    expect(rig.world.content).toBe('edited by hand')
    const [report] = await rig.engine.converge('open')
    expect(report?.outcome).toBe('repaired')
  })

  it('never overwrites what stood there before the first write', async () => {
    await using rig = await openRig({ world: fakeWorld('a file of somebody else') })
    await rig.release('app.example.com', 80)
    const [report] = await rig.engine.converge('open')
    expect(report).toMatchObject({ outcome: 'refused', failure: { code: 'refused_by_guard' } })
    expect(rig.world.content).toBe('a file of somebody else')
  })
})

describe('a place where nothing is to stand', () => {
  itOneIn(2).each([
    ['that stood there', 'a file of somebody else'],
    ['that came later', null],
  ])('is not ours by that: a file %s is not written over, after a restart neither', async (_what, before) => {
    let is_vacant = true
    const world = fakeWorld(before)
    const own = fakeTarget(world)
    const target: Partial<AnyTarget> = {
      isVacant: () => is_vacant,
      diff: (desired, observed) => (is_vacant ? [] : own.diff(desired, observed)),
    }
    await using first = await openRig({ world, target })
    await first.release('app.example.com', 80)
    expect(await first.engine.converge('open')).toMatchObject([{ outcome: 'clean' }])
    await expect.poll(async () => (await first.store.applied()).length).toBe(1)
    world.content = 'a file of somebody else'
    await using rig = await first.restart({ target })
    is_vacant = false
    const [report] = await rig.engine.converge('open')
    expect(report).toMatchObject({ outcome: 'refused', failure: { code: 'refused_by_guard' } })
    expect(world.content).toBe('a file of somebody else')
  })
})

describe('trouble', () => {
  it('that keeps us from looking is unknown, and nothing is written', async () => {
    await using rig = await openRig({ started: false })
    await rig.release('app.example.com', 80)
    rig.world.look = 'unknown'
    const [report] = await rig.engine.converge('open')
    expect(report).toMatchObject({ outcome: 'unknown', failure: { code: 'component_unavailable' } })
    expect(rig.world.writes).toEqual([])
    const look = await rig.engine.observeFirstKey('fake', AbortSignal.timeout(60_000))
    expect(look.drift).toBeNull()
  })

  itInDepth(
    'is none where the work only takes longer than a pass: it is taken up again, and nothing counts as failed',
    async () => {
      await using rig = await openRig({ started: false })
      await rig.release('app.example.com', 80)
      rig.world.write = 'takes_long'
      const asked_at = Date.now()
      const [report] = await rig.engine.converge('open')
      expect(report).toMatchObject({ outcome: 'left_unfinished', failure: { message: 'half done' } })
      expect(failureFor(report!, [1])).toBeNull()
      expect(report!.next_attempt_at - asked_at).toBeGreaterThanOrEqual(60_000)
      expect(await rig.store.attempts()).toEqual([])
      expect(await rig.store.openSteps()).toEqual([])
      rig.world.write = 'works'
      const [done] = await rig.engine.converge('open')
      expect(done).toMatchObject({ outcome: 'repaired', failure: null })
    },
  )

  itOneIn(3).each([
    ['refuses', 'rate_limited', 90_000],
    ['throws', 'storage_full', 500],
    ['is_undone', 'conflict', 500],
  ] as const)(
    'when the write %s: the report says %s and the next try waits',
    async (write, code, at_least_ms) => {
      await using rig = await openRig({ started: false })
      await rig.release('app.example.com', 80)
      rig.world.write = write
      const asked_at = Date.now()
      const [report] = await rig.engine.converge('open')
      expect(report).toMatchObject({ outcome: 'failed', failure: { code } })
      expect(report!.next_attempt_at - asked_at).toBeGreaterThanOrEqual(at_least_ms)
      expect(await rig.store.openSteps()).toEqual([])
    },
  )

  itInDepth(
    'whose first write is edited before it is looked at knows it as its own, also after a restart',
    async () => {
      await using rig = await openRig({ started: false })
      await rig.release('app.example.com', 80)
      rig.world.write = 'is_undone'
      expect((await rig.engine.converge('open'))[0]).toMatchObject({ failure: { code: 'conflict' } })
      const again = await rig.restart({ world: rig.world, started: false })
      rig.world.write = 'works'
      expect((await again.engine.converge('open'))[0]).toMatchObject({ outcome: 'repaired', failure: null })
      // What was undone is somebody else's, and kept; so is what comes between the look and a first write.
      expect(rig.world.evidence).toEqual([true, true])
    },
  )

  itInDepth('in a row spaces out further, survives a restart, and is forgotten after success', async () => {
    const target = { backoff: { first_ms: 10, max_ms: 300_000 } }
    const failures = async ({ store }: typeof first) => (await store.attempts())[0]?.failures ?? 0
    await using first = await openRig({ started: false, target })
    await first.release('app.example.com', 80)
    first.world.write = 'throws'
    await first.engine.converge('open')
    await expect.poll(() => failures(first)).toBeGreaterThanOrEqual(3)
    await using second = await first.restart({ started: false, target })
    const before = await failures(second)
    expect(before).toBeGreaterThanOrEqual(3)
    await second.engine.converge('open')
    await expect.poll(() => failures(second)).toBeGreaterThan(before)
    second.world.write = 'works'
    await second.engine.converge('open')
    expect(await second.store.attempts()).toEqual([])
  })

  itInDepth('of several callers within one wait is one step: the wait grows with no caller', async () => {
    await using rig = await openRig({ started: false })
    await rig.release('app.example.com', 80)
    rig.world.look = 'unknown'
    const [first] = await rig.engine.converge('open')
    for (let more = 0; more < 6; more++) {
      const [report] = await rig.engine.converge('open')
      expect(report!.next_attempt_at).toBe(first!.next_attempt_at)
    }
    const kept = [{ failures: 1, next_attempt_at: first!.next_attempt_at }]
    expect(await rig.store.attempts()).toMatchObject(kept)
  })

  it('by hanging ends at the deadline with an answer', async () => {
    await using rig = await openRig({ started: false, target: { deadline_ms: 500 } })
    await rig.release('app.example.com', 80)
    rig.world.write = 'hangs'
    await expect(rig.engine.converge('open')).resolves.toMatchObject([
      { failure: { code: 'component_unavailable' } },
    ])
  })
})

describe('after a crash', () => {
  it('between release and write, the next start finishes the release, in observe mode too', async () => {
    await using first = await openRig({ started: false })
    await first.release('app.example.com', 80)
    await using second = await first.restart({ mode: 'observe' })
    await expect.poll(() => second.world.content).toBe(APP)
  })

  it('between write and record, the step is closed as found done and nothing is written twice', async () => {
    await using first = await openRig({ started: false })
    await first.release('app.example.com', 80)
    await first.store.write(async (tx) => {
      const head = (await tx.latestRelease())!
      const before = {
        key: 'fake',
        component: 'fake',
        release: head.number,
        differences: [],
        place: null,
        before: 'x',
        after: 'y',
      }
      await tx.beginStep({ ...before, at: Date.now() })
    })
    first.world.content = APP
    await using second = await first.restart()
    expect(await second.store.openSteps()).toEqual([])
    await expect.poll(async () => (await second.store.applied()).length).toBe(1)
    expect(second.world.writes).toEqual([])
  })

  it.each([
    ['the place is ours, whatever was said of the differences', 'memory', 'create it', ['fake']],
    ['a place that only the words name is not ours', null, 'create memory', []],
    ['another place is not ours', 'elsewhere', 'create memory', []],
  ])('in a first write of which nobody knows how far it came, %s', async (_what, place, difference, ours) => {
    await using first = await openRig({ started: false })
    await first.release('app.example.com', 80)
    await first.store.write(async (tx) => {
      const { number: release } = (await tx.latestRelease())!
      const of_fake = { key: 'fake', component: 'fake', release, before: 'x', after: 'y' }
      await tx.beginStep({ ...of_fake, differences: [difference], place, at: Date.now() })
    })
    first.world.content = 'edited by hand'
    await using second = await first.restart({ started: false })
    expect((await second.store.applied()).map(({ key }) => key)).toEqual(ours)
  })

  it('in a first write that never came, the place is not ours: a file that is put there later stays', async () => {
    await using first = await openRig({ started: false })
    await first.release('app.example.com', 80)
    await first.store.write(async (tx) => {
      const { number: release } = (await tx.latestRelease())!
      const of_fake = { key: 'fake', component: 'fake', release, differences: ['create it'], after: 'y' }
      await tx.beginStep({ ...of_fake, place: 'memory', before: sha256(['(absent)']), at: Date.now() })
    })
    await using second = await first.restart({ started: false })
    expect(await second.store.openSteps()).toEqual([])
    expect(await second.store.applied()).toEqual([])
    second.world.content = 'of an operator'
    const [report] = await second.engine.converge('open')
    expect(report).toMatchObject({ outcome: 'refused' })
    expect(second.world.content).toBe('of an operator')
  })

  it.each([
    ['the fake', 'the fake'],
    ['where the fake is a part', null],
  ])('a step to %s has the place %s', async (place, kept) => {
    await using rig = await openRig({ started: false, target: { place } })
    await rig.release('app.example.com', 80)
    rig.world.write = 'hangs'
    const pass = rig.engine.converge('open').catch(() => null)
    await expect.poll(() => rig.store.openSteps()).toMatchObject([{ key: 'fake', place: kept }])
    await rig.engine.stop(0)
    await pass
  })
})

describe('the controller', () => {
  itInDepth(
    'answers many callers of one key with few passes, each begun after its caller asked',
    async () => {
      await using rig = await openRig({ started: false })
      await rig.release('app.example.com', 80)
      const looks = rig.world.looks
      const reports = await Promise.all(Array.from({ length: 50 }, () => rig.engine.converge('open')))
      expect(reports.every(([report]) => report?.failure === null)).toBe(true)
      expect(rig.world.looks - looks).toBeLessThan(10)
      expect(rig.world.writes).toEqual([APP])
    },
  )

  itInDepth('does not look again while glance and release stand still', async () => {
    let glances = 0
    const world = fakeWorld()
    const glance = () => (glances++, world.content)
    await using rig = await openRig({ world, target: { every_ms: 5, glance } })
    await rig.release('app.example.com', 80)
    await rig.engine.converge('open')
    await rig.engine.converge('open')
    const looks = world.looks
    const from = glances
    await expect.poll(() => glances - from).toBeGreaterThan(20)
    expect(world.looks - looks).toBeLessThanOrEqual(1)
  })

  it('refuses new work while it stops, and answers those who wait', async () => {
    await using rig = await openRig({ target: { deadline_ms: 60_000 } })
    await rig.release('app.example.com', 80)
    rig.world.write = 'hangs'
    const waiting = rig.engine.converge('open').catch((error: unknown) => error)
    await expect.poll(() => rig.world.looks).toBeGreaterThan(0)
    await rig.engine.stop(20)
    const answer = await waiting
    expect(Array.isArray(answer) ? answer[0].failure.code : (answer as { code: string }).code).toBe(
      'shutting_down',
    )
    await expect(rig.engine.converge('open')).rejects.toMatchObject({ code: 'shutting_down' })
  })
})

itInDepth('an empty list of records is nobody’s: nothing is looked at, asked for or planned', async () => {
  await using rig = await openRig()
  await rig.engine.converge('open')
  const signal = AbortSignal.timeout(60_000)
  expect(await rig.engine.converge('open', { records: [] })).toEqual([])
  expect(await rig.engine.looksFor([], signal)).toEqual([])
  const request = { scope: { kind: 'call' }, rows: [], warnings: [] } as const
  expect((await rig.engine.plan({ ...request, reach: { records: [] } }, signal)).inputs).toEqual([])
  expect((await rig.engine.plan({ ...request, reach: { records: 'all' } }, signal)).inputs).toHaveLength(1)
  expect(await rig.engine.looksFor('all', signal)).toHaveLength(1)
})
