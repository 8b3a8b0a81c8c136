/** A drift made by hand in any of the five worlds is told everywhere with the same cause, and mended without anybody's help. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import { CERTIFICATE_PROGRAMS } from './certificates-world.ts'
import { BLIND, IN_THE_WAY } from './five-worlds-blind.ts'
import { inHealth, openWorlds, PERSON, type Said, saidOf, type Worlds } from './five-worlds-house.ts'
import { INSIDE } from './five-worlds-inside.ts'
import { OUTSIDE } from './five-worlds-outside.ts'
import { everybody, get, health, type World, WORLDS } from './five-worlds-ways.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import type { DriftAnswer } from '../../src/features/explain/read-drift.ts'

const WITHIN = { interval: 100 }

const unanimous = (said: Said) => ({ own: said, probed: said, health: said, drift: said, status: said })

/** By what the engine's own look, or the last round, has found. */
const seen = async (worlds: Worlds, world: World, item: string): Promise<Said> => {
  const key = world.key(worlds)
  return saidOf(inHealth(await health(worlds, key === 'proxy'), key), item)
}

async function expectClean(worlds: Worlds): Promise<void> {
  const bad = async () => {
    const { components } = await health(worlds, true)
    return components.filter(({ ok }) => !ok).map(({ name, message }) => `${name}: ${message}`)
  }
  await expect.poll(bad, { interval: 100 }).toEqual([])
  // The summary says what is not.
  await expect.poll(async () => (await health(worlds, false)).summary, WITHIN).toMatch(/^All \d+ things are/)
  expect(await get<DriftAnswer>(worlds, '/api/drift')).toMatchObject({ drift: false })
}

/** When it is asked for, and else at the end of the test: the next one has the same house. */
function onceAtLast(work: () => unknown): () => Promise<void> {
  let is_done = false
  const does = async () => {
    if (is_done) return
    is_done = true
    await work()
  }
  onTestFinished(does)
  return does
}

describePeers(CERTIFICATE_PROGRAMS, 'five worlds', () => {
  let worlds: Worlds
  beforeAll(async () => {
    worlds = await openWorlds()
  })
  afterAll(() => worlds.stop())

  itInDepth.each([...OUTSIDE, ...INSIDE])('$title: $cause, says everybody', async (one) => {
    const world: World = WORLDS[one.world]
    const item = one.item(worlds)
    worlds.calmDown()
    await worlds.setMode('observe')
    await one.spoil(worlds)
    const mend = onceAtLast(() => one.mend?.(worlds))
    // Wakes every key: what is looked at by the calendar alone is looked at now.
    await worlds.setMode('observe')
    const expected: Said = { drift: true, cause: one.cause }
    await expect.poll(() => seen(worlds, world, item), WITHIN).toEqual(expected)
    // Each of them looks for itself, and a look that a busy machine cuts short says that it does not know.
    await expect
      .poll(() => everybody(worlds, world, item), WITHIN)
      .toEqual({
        said: unanimous(expected),
        codes: { drift: 2, status: 2 },
      })

    await mend()
    await worlds.setMode('repair')
    await expectClean(worlds)
    expect(await world.own(worlds, item)).toEqual({ drift: false, cause: null })
  })

  itOneIn(9).each(BLIND)('$title: unknown, says everybody, and nothing is written', async (one) => {
    const world: World = WORLDS[one.world]
    worlds.calmDown()
    await worlds.setMode('repair')
    await expectClean(worlds)
    await one.blind(worlds)
    const restore = onceAtLast(() => one.restore(worlds))
    await worlds.setMode('repair')
    const expected: Said = { drift: null, cause: null }
    const item = one.world === 'people' ? `user ${PERSON}` : '-'
    await expect.poll(() => seen(worlds, world, item), WITHIN).toEqual(expected)
    await expect
      .poll(() => everybody(worlds, world, item), WITHIN)
      .toEqual({ said: unanimous(expected), codes: { drift: 3, status: 3 } })
    const path = one.untouched(worlds)
    if (path !== null) expect(readFileSync(path, 'utf8')).toBe(IN_THE_WAY)
    await restore()
    await expectClean(worlds)
  })
})
