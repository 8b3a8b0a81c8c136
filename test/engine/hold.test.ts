/** What is held for a deploy: all that has to do with its records, until it is done, and nothing else. */
import { setImmediate as aTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { holdFor } from '../../src/engine/hold.ts'
import type { ConvergeProgress } from '../../src/engine/progress.ts'
import type { AnyTarget } from '../../src/engine/target.ts'
import { fakeTarget, fakeWorld } from './fake-target.ts'
import { openRig, type Rig } from './rig.ts'

const HERE = 'here.example.com'
const THERE = 'there.example.com'

const concerning = (domain: string): Partial<AnyTarget> => ({
  name: domain,
  key: domain,
  every_ms: 50,
  concerns: ({ fields }) => fields.domain === domain,
})

async function twoKeys() {
  const there = fakeWorld()
  const others = [fakeTarget(there, concerning(THERE))]
  const rig = await openRig({ target: concerning(HERE), others })
  await rig.release(HERE, 1)
  await rig.release(THERE, 2)
  const asReleased = `${HERE} 1\n${THERE} 2\n`
  await expect.poll(() => [rig.world.content, there.content]).toEqual([asReleased, asReleased])
  const spoil = () => {
    for (const world of [rig.world, there]) {
      world.content = 'by hand'
      world.hint()
    }
  }
  return { rig, there, asReleased, spoil }
}

const idOf = async ({ store }: Rig, domain: string) => (await store.domainByName(domain))!.id

it('what has nothing to do with the records is worked on meanwhile', async () => {
  const { rig, there, asReleased, spoil } = await twoKeys()
  await using _ = rig
  const letGo = rig.engine.hold([await idOf(rig, HERE)])
  spoil()
  await expect.poll(() => there.content).toBe(asReleased)
  expect(rig.world.content).toBe('by hand')
  letGo()
  await expect.poll(() => rig.world.content).toBe(asReleased)
})

it('where no record is named, all of it waits', async () => {
  const { rig, there, asReleased, spoil } = await twoKeys()
  await using _ = rig
  const letGo = rig.engine.hold()
  spoil()
  const reports = await rig.engine.converge('open', { records: [await idOf(rig, THERE)] })
  expect(reports).toHaveLength(1)
  expect([rig.world.content, there.content]).toEqual(['by hand', asReleased])
  letGo()
  await expect.poll(() => rig.world.content).toBe(asReleased)
})

const nothing = () => undefined
const silentProgress: ConvergeProgress = {
  expects: nothing,
  of: () => ({ looks: nothing, writes: nothing, wrote: nothing, ended: nothing, left: nothing }),
  proves: () => nothing,
}

it.each(['after', 'before'])(
  'what a pass that began %s the release has done of it is told by the call that made it',
  async (began) => {
    const world = fakeWorld()
    const gate = { shut: false, looks: Promise.withResolvers<void>(), opens: Promise.withResolvers<void>() }
    const observe: AnyTarget['observe'] = async (signal) => {
      if (gate.shut) {
        gate.looks.resolve()
        await gate.opens.promise
      }
      return fakeTarget(world).observe(signal)
    }
    await using rig = await openRig({ world, target: { observe } })
    await rig.engine.converge('open')
    const beginPass = () => {
      gate.shut = true
      world.content = null
      world.hint()
      return gate.looks.promise
    }
    if (began === 'before') await beginPass()
    const head = await rig.release(HERE, 1)
    if (began === 'after') await beginPass()
    const expects = () => {
      gate.shut = false
      gate.opens.resolve()
    }
    const progress = { ...silentProgress, expects }
    const reports = await rig.engine.converge('open', { records: 'all', made: head!.number, progress })
    expect(reports).toMatchObject([{ outcome: 'repaired', repaired: 1 }])
    expect(world.writes.at(-1)).toBe(`${HERE} 1\n`)
  },
)

describe('the keys of a hold', () => {
  /** A controller that only keeps what is held, and how often each was let go. */
  function held() {
    const log: string[] = []
    const hold = (keys: readonly string[] = []) => {
      log.push(...keys.map((key) => `hold ${key}`))
      return () => void log.push(...keys.map((key) => `let go ${key}`))
    }
    return { log, controller: { hold } }
  }
  const KEYS = ['a', 'b', 'c']
  const ALL_HELD = ['hold a', 'hold b', 'hold c']

  it('are all held until the end, where all are concerned', async () => {
    const { log, controller } = held()
    const letGo = holdFor(controller, KEYS, null)
    await aTurn()
    expect(log).toEqual(ALL_HELD)
    letGo()
    expect(log).toEqual([...ALL_HELD, 'let go a', 'let go b', 'let go c'])
  })

  it('go on by themselves once they turn out to have nothing to do with it, and are let go once', async () => {
    const { log, controller } = held()
    const letGo = holdFor(controller, KEYS, Promise.resolve([{ key: 'b' }]))
    expect(log).toEqual(ALL_HELD)
    await aTurn()
    expect(log).toEqual([...ALL_HELD, 'let go a', 'let go c'])
    letGo()
    expect(log).toEqual([...ALL_HELD, 'let go a', 'let go c', 'let go b'])
  })

  it('are held until the end where it cannot be told', async () => {
    const { log, controller } = held()
    const letGo = holdFor(controller, KEYS, Promise.reject(new Error('no database')))
    await aTurn()
    expect(log).toEqual(ALL_HELD)
    letGo()
    expect(log).toHaveLength(6)
  })
})
