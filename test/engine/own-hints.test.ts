/** A failed pass is tried again when its wait is over: its own write is no reason to be earlier, what others do is one. */
import { expect, it } from 'vitest'
import type { AnyTarget } from '../../src/engine/target.ts'
import { fakeTarget, fakeWorld } from './fake-target.ts'
import { openRig } from './rig.ts'

const MINUTE = 60_000
const HALF: Awaited<ReturnType<AnyTarget['apply']>> = [
  {
    key: 'fake',
    ok: false,
    failure: { code: 'component_unavailable', message: 'It did not come up.', retry_after_ms: 0 },
  },
]

/** Its write stands, is heard of at once, and is not taken. */
async function failing(look: (seen: number) => void = () => undefined) {
  const world = fakeWorld()
  const plain = fakeTarget(world)
  const rig = await openRig({
    world,
    target: {
      // A part of something: what stands there is nobody else's.
      whole: false,
      every_ms: MINUTE,
      backoff: { first_ms: 10 * MINUTE, max_ms: 60 * MINUTE },
      observe: async (signal) => {
        const seen = await plain.observe(signal)
        look(world.looks)
        return seen
      },
      async apply() {
        world.content = 'half of it'
        world.hint('glance')
        return HALF
      },
    },
  })
  await rig.release('app.example.com', 80)
  await expect.poll(() => rig.engine.dueAt('fake')).toBeGreaterThan(Date.now())
  const [report] = await rig.engine.converge('open')
  return { rig, world, report: report!, due: () => rig.engine.dueAt('fake')! }
}

it('its own write brings no other try forward, heard of during the pass or after it', async () => {
  const { rig, world, report, due } = await failing()
  await using _ = rig
  expect(report).toMatchObject({ outcome: 'failed' })
  expect(due()).toBe(report.next_attempt_at)
  expect(due()).toBeGreaterThan(Date.now() + 4 * MINUTE)
  world.hint('glance')
  expect(due()).toBe(report.next_attempt_at)
})

it('what somebody changes after that does, and what a glance cannot show', async () => {
  const { rig, world, report, due } = await failing()
  await using _ = rig
  const { looks } = world
  world.content = 'by hand'
  world.hint('glance')
  await expect.poll(() => world.looks).toBeGreaterThan(looks)
  await expect.poll(due).toBe(report.next_attempt_at)
  const again = world.looks
  world.hint()
  await expect.poll(() => world.looks).toBeGreaterThan(again)
})

it('what somebody changes after the last look of the pass is looked at soon', async () => {
  let at: (() => void) | null = null
  const { rig, world, due } = await failing(() => at?.())
  await using _ = rig
  const before = world.looks
  at = () => {
    // The look before the write is the first, and the one after it the last.
    if (world.looks !== before + 2) return
    world.content = 'by hand'
    world.hint('glance')
  }
  await rig.engine.converge('open')
  expect(due()).toBeLessThan(Date.now() + 1000)
  await expect.poll(() => world.looks).toBeGreaterThan(before + 2)
})
