/** A release that comes while a key's own tick is at work: what that did of it is told as done by the call that made it. */
import { AsyncResource } from 'node:async_hooks'
import { expect, it } from 'vitest'
import type { AnyTarget } from '../../src/engine/target.ts'
import { rowOf } from '../../src/model/intent.ts'
import { fakeTarget, fakeWorld } from './fake-target.ts'
import { openRig } from './rig.ts'

/** A tick belongs to no call. */
const ticks = new AsyncResource('tick')

it('during the look of a pass is the one that this pass names, and that the call counts as its own', async () => {
  const world = fakeWorld()
  const plain = fakeTarget(world)
  let during = async (): Promise<void> => undefined
  const observe: AnyTarget['observe'] = async (signal) => {
    const seen = await plain.observe(signal)
    await during()
    return seen
  }
  await using rig = await openRig({ started: false, world, target: { observe } })
  await rig.release('app.example.com', 80)
  let made = 0
  during = async () => {
    during = async () => undefined
    made = (await rig.release('app.example.com', 81))!.number
  }
  const [tick] = await rig.engine.converge('open')
  expect(tick).toMatchObject({ outcome: 'repaired', release: made })
  expect(rig.world.writes).toEqual(['app.example.com 81\n'])
  const [told] = await rig.engine.converge('open', { records: 'all', made })
  expect(told).toMatchObject({ outcome: 'repaired', repaired: 1, release: made })
})

it('and is not committed yet when the pass begins is the one that it names where it brought it', async () => {
  await using rig = await openRig({ started: false })
  await rig.release('app.example.com', 80)
  await rig.engine.converge('open')
  const id = await rig.save('app.example.com', 81)
  let tick: ReturnType<typeof rig.engine.converge> | undefined
  const made = await rig.store.write(async (tx) => {
    const rows = [{ domain_id: id, row: rowOf((await tx.domain(id))!) }]
    const why = { actor: 'test', request_id: '', reason: 'test', plan_hash: null, warnings: [] }
    const head = await rig.engine.release(tx, { rows, ...why })
    tick = ticks.runInAsyncScope(() => rig.engine.converge('open'))
    // It has begun, and waits for what this transaction holds.
    await new Promise((resolve) => setTimeout(resolve, 30))
    return head!.number
  })
  expect((await tick!)[0]).toMatchObject({ outcome: 'repaired', release: made })
  const [told] = await rig.engine.converge('open', { records: 'all', made })
  expect(told).toMatchObject({ outcome: 'repaired', repaired: 1 })
})
