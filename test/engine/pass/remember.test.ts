/** What is kept of a write, on a real store: by which release, and which world is known as ours from then on. */
import { expect, it } from 'vitest'
import { remember, rememberFirst } from '../../../src/engine/pass/remember.ts'
import { itemTarget } from '../item-target.ts'
import { openRig } from '../rig.ts'

it('what was applied is kept with the newest release and the key’s own part of it', async () => {
  await using rig = await openRig({ started: false })
  const head = (await rig.release('a.example.com', 1))!
  const target = itemTarget({ portion: (desired) => `part of ${String(desired)}` })
  const seen = { target, released: { desired: 'all', digest: 'd' }, observed: 'as left', at: 7 }
  const applied = await rig.store.write((tx) => remember(tx, seen))
  expect(applied).toEqual({
    key: 'fake',
    release: head.number,
    place: 'memory',
    digest: 'part of all',
    observed: 'as left',
    at: 7,
  })
  expect(await rig.store.applied()).toEqual([applied])
})

it('a first write makes the place ours, and knows nothing that stands there now as ours', async () => {
  await using rig = await openRig({ started: false })
  const head = (await rig.release('a.example.com', 1))!
  const applied = await rig.store.write((tx) =>
    rememberFirst(tx, itemTarget({}), { before: 'as found', at: 7 }),
  )
  expect(applied).toEqual({
    key: 'fake',
    release: head.number,
    place: 'memory',
    digest: 'as found',
    observed: 'as found',
    at: 7,
  })
  expect(await rig.store.applied()).toEqual([applied])
})
