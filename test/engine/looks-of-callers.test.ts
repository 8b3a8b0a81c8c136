/** A look by whoever asks is known everywhere at once, and one that found a difference starts the pass. */
import { describe, expect, it, vi } from 'vitest'
import type { KeyStatus } from '../../src/engine/status/key-status.ts'
import { componentCondition } from '../../src/engine/status/key-conditions.ts'
import type { AnyTarget } from '../../src/engine/target.ts'
import { fakeWorld } from './fake-target.ts'
import { openRig, type Rig, type RigOptions } from './rig.ts'

const seen = (state: string | null) => ({ known: true, state }) as const
const never = new AbortController().signal
const RARELY_MS = 3_600_000
/** The next look of its own is an hour away, and the fake says what differs. */
const rarely: Partial<AnyTarget> = {
  every_ms: RARELY_MS,
  explain: ({ working, observed }) => ({
    differences:
      working === observed ? [] : [{ item: 'the fake', cause: 'edited', domains: [], detail: 'by hand' }],
    unified_diff: null,
    note: null,
  }),
}

async function deployed(options: RigOptions): Promise<Rig> {
  const rig = await openRig({ target: rarely, ...options })
  await rig.release('app.example.com', 80)
  await rig.engine.converge('open')
  await rig.engine.conditions()
  return rig
}

const known = async ({ engine }: Rig): Promise<KeyStatus> =>
  engine.statuses(await engine.pendingRelease()).find(({ key }) => key === 'fake')!
const condition = async (rig: Rig) => {
  const { conditions } = await known(rig)
  return componentCondition(conditions!, Date.now())
}

describe.each<[string, (rig: Rig) => Promise<unknown>]>([
  ['a drift answer', ({ engine }) => engine.observeFirstKey('fake', never)],
  ['a probe of everything', ({ engine }) => engine.looks(never, 1000)],
  ['an explanation', ({ engine }) => engine.looksFor('all', never)],
  [
    'a plan',
    ({ engine }) =>
      engine.plan(
        {
          scope: { kind: 'component', component: 'fake' },
          reach: { records: 'all', component: 'fake' },
          rows: [],
          warnings: [],
        },
        never,
      ),
  ],
  [
    'an endpoint of its own',
    ({ engine, world }) => engine.compare('fake', seen(world.content), engine.beginObservation()),
  ],
])('%s', (_name, look) => {
  it('shows what it found on every page, and the pass looks without waiting for its timer', async () => {
    await using rig = await deployed({ mode: 'observe' })
    expect(await condition(rig)).toMatchObject({ status: 'true' })
    const { looks } = rig.world
    rig.world.content = 'by hand'
    await look(rig)
    expect(await condition(rig)).toMatchObject({ status: 'false', reason: 'drifting' })
    expect(await known(rig)).toMatchObject({ drift: true, cause: 'edited', causes: { edited: 1 } })
    await vi.waitFor(
      async () => {
        expect(rig.world.looks).toBeGreaterThan(looks + 1)
        expect(await rig.store.conditions()).toMatchObject([{ component: 'fake', reason: 'drifting' }])
      },
      { timeout: 30_000 },
    )
  })

  it('is undone at once where it may be repaired', async () => {
    await using rig = await deployed({ mode: 'repair' })
    rig.world.content = 'by hand'
    await look(rig)
    await vi.waitFor(() => expect(rig.world.content).toBe('app.example.com 80\n'), { timeout: 30_000 })
    await vi.waitFor(async () => expect(await condition(rig)).toMatchObject({ status: 'true' }), {
      timeout: 30_000,
    })
  })
})

it('an edit that waits for its deploy is shown by a look item by item, and is no deviation', async () => {
  const explain: AnyTarget['explain'] = ({ working, observed }) => ({
    differences:
      working === observed ? [] : [{ item: 'a line', cause: 'pending_deploy', domains: [], detail: 'saved' }],
    unified_diff: null,
    note: null,
  })
  await using rig = await deployed({ mode: 'observe', target: { ...rarely, explain } })
  await rig.save('app.example.com', 81)
  await rig.engine.observeFirstKey('fake', never)
  expect(await condition(rig)).toMatchObject({ status: 'true' })
  expect(await known(rig)).toMatchObject({
    reason: 'pending_deploy',
    differences: [{ item: 'a line' }],
    waiting: { cause: 'pending_deploy' },
  })
})

it('a look that could not read leaves the key unknown everywhere, and the next one that could brings it back', async () => {
  await using rig = await deployed({ mode: 'observe' })
  rig.world.look = 'unknown'
  await rig.engine.observeFirstKey('fake', never)
  expect(await condition(rig)).toMatchObject({ status: 'unknown', reason: 'unreadable' })
  rig.world.look = 'works'
  await rig.engine.observeFirstKey('fake', never)
  expect(await condition(rig)).toMatchObject({ status: 'true', reason: 'in_sync' })
})

it('an endpoint that could not read says so for every page', async () => {
  await using rig = await deployed({ mode: 'observe' })
  await rig.engine.compare(
    'fake',
    { known: false, detail: 'the gateway is down' },
    rig.engine.beginObservation(),
  )
  expect(await condition(rig)).toMatchObject({ status: 'unknown', message: 'the gateway is down' })
})

it('a look that began earlier never overwrites one that began later', async () => {
  await using rig = await deployed({ mode: 'observe', started: false })
  const early = rig.engine.beginObservation()
  rig.world.content = 'by hand'
  await rig.engine.observeFirstKey('fake', never)
  await rig.engine.compare('fake', seen('app.example.com 80\n'), early)
  expect(await condition(rig)).toMatchObject({ status: 'false', reason: 'drifting' })
})

it('a look that began before our own write says nothing of the world after it', async () => {
  await using rig = await deployed({ mode: 'repair', started: false })
  const early = rig.engine.beginObservation()
  rig.world.content = 'by hand'
  await rig.engine.converge('open')
  await rig.engine.compare('fake', seen('by hand'), early)
  expect(await condition(rig)).toMatchObject({ status: 'true', reason: 'in_sync' })
})

/** When the next pass is due: one that a look sends for is due before that look is answered. */
async function dueAt(rig: Rig): Promise<number> {
  await expect.poll(() => nextAttempt(rig)).not.toBeNull()
  return nextAttempt(rig)!
}

const nextAttempt = ({ engine }: Rig): number | null => engine.statuses(null)[0]!.next_attempt_at

it('a repair that was refused is not tried anew by everybody who looks, whatever they find', async () => {
  const world = fakeWorld()
  const explain: AnyTarget['explain'] = ({ observed }) => ({
    differences: [{ item: 'the fake', cause: 'edited', domains: [], detail: String(observed) }],
    unified_diff: null,
    note: null,
  })
  await using rig = await deployed({ mode: 'repair', world, target: { ...rarely, explain } })
  world.write = 'refuses'
  world.content = 'by hand'
  await rig.engine.observeFirstKey('fake', never)
  await vi.waitFor(async () => expect(await condition(rig)).toMatchObject({ reason: 'failing' }), {
    timeout: 30_000,
  })
  const failures = async () => (await rig.engine.looksFor('all', never))[0]!.observed.attempt?.failures
  expect(await failures()).toBe(1)
  const due = await dueAt(rig)
  for (let looks = 0; looks < 5; looks++) {
    world.content = `by hand, for the ${looks}. time`
    await rig.engine.observeFirstKey('fake', never)
    expect(nextAttempt(rig)).toBe(due)
  }
  expect(await failures()).toBe(1)
  expect(await condition(rig)).toMatchObject({ reason: 'failing' })
})

it('a look sends for a pass where it found something new, and not for what is known already', async () => {
  await using rig = await deployed({ mode: 'observe' })
  const before = await dueAt(rig)
  rig.world.content = 'by hand'
  await rig.engine.observeFirstKey('fake', never)
  expect(nextAttempt(rig)).toBeLessThan(before)
  // The pass has been there when the next one is an hour away again.
  await expect.poll(() => nextAttempt(rig) ?? 0).toBeGreaterThan(before)
  await rig.engine.conditions()
  const due = await dueAt(rig)
  for (let again = 0; again < 5; again++) {
    await rig.engine.observeFirstKey('fake', never)
    expect(nextAttempt(rig)).toBe(due)
  }
})

it('while it is suspended, what a caller found is kept beside the suspension, and nobody is sent', async () => {
  await using rig = await deployed({ mode: 'repair' })
  const setting = { scope: 'fake', mode: 'suspend', reason: 'work', actor: 'test', expires_at: null } as const
  await rig.store.write((tx) => tx.saveMode(setting))
  rig.engine.adoptMode(setting)
  await vi.waitFor(async () => expect(await condition(rig)).toMatchObject({ reason: 'suspended' }), {
    timeout: 30_000,
  })
  rig.world.content = 'by hand'
  await rig.engine.observeFirstKey('fake', never)
  expect(await condition(rig)).toMatchObject({ reason: 'suspended' })
  expect(await known(rig)).toMatchObject({ drift: true, cause: 'edited' })
  expect(rig.world.content).toBe('by hand')
})
