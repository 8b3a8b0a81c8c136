/** A world that is as we left it was changed by nobody: what is missing there is our own write, which failed. */
import { expect, it } from 'vitest'
import { causeOf } from '../../src/engine/cause.ts'
import type { AnyTarget } from '../../src/engine/target.ts'
import { openRig } from './rig.ts'

const never = new AbortController().signal
const A = 'a.example.com'

/** As a file is explained: by the table of causes. */
const explain: AnyTarget['explain'] = ({ working, released, observed, rows_moved }) => {
  const sides = { working: working as string, released: released as string, observed: observed as string }
  const cause = causeOf(sides, rows_moved)
  const differences = cause === null ? [] : [{ item: 'the fake', cause, domains: [A], detail: 'by hand' }]
  return { differences, unified_diff: null, note: null }
}

async function refused() {
  const rig = await openRig({ target: { explain } })
  await rig.release(A, 1)
  await rig.engine.converge('open')
  rig.world.write = 'throws'
  await rig.release(A, 2)
  await rig.engine.converge('open')
  const told = async () => {
    const { cause, differences } = await rig.engine.look('fake', never)
    return { cause, differences }
  }
  return { rig, told }
}

it('a write that failed is told as that, on every page', async () => {
  const { rig, told } = await refused()
  await using _ = rig
  const difference = {
    item: 'the fake',
    cause: 'rejected',
    domains: [A],
    detail: 'deployed and not in place: the fake is full',
  }
  expect(await told()).toEqual({ cause: 'rejected', differences: [difference] })
  await rig.engine.conditions()
  const [status] = rig.engine.statuses(null)
  expect([status!.cause, status!.differences]).toEqual(['rejected', [difference]])
  const again = await rig.restart({ target: { explain }, started: false })
  expect((await again.engine.look('fake', never)).cause).toBe('rejected')
  await again[Symbol.asyncDispose]()
})

it('what somebody did to it meanwhile is told as that', async () => {
  const { rig, told } = await refused()
  await using _ = rig
  rig.world.content = 'by hand'
  expect(await told()).toMatchObject({ cause: 'edited', differences: [{ detail: 'by hand' }] })
  rig.world.content = null
  expect(await told()).toMatchObject({ cause: 'lost' })
})
