/** What the engine remembers: what is ours, how long a key waits, and which mode holds. */
import { describe, expect, it } from 'vitest'
import { Memory, VACANT } from '../../src/engine/memory.ts'
import type { Mode } from '../../src/model/mode.ts'
import type { Applied, Attempt, ModeSetting, Store } from '../../src/ports/store.ts'
import { handClock } from '../fakes/hand-clock.ts'

const anApplied = (over: Partial<Applied> = {}): Applied => ({
  key: 'routes',
  release: 1,
  place: '/here',
  digest: 'd',
  observed: 'o',
  at: 0,
  ...over,
})
const anAttempt = (over: Partial<Attempt> = {}): Attempt => ({
  key: 'routes',
  failures: 1,
  failed_at: 0,
  next_attempt_at: 500,
  message: 'no room',
  ...over,
})
const aMode = (scope: string, mode: Mode, over: Partial<ModeSetting> = {}): ModeSetting => ({
  scope,
  mode,
  reason: 'why',
  actor: 'alice',
  expires_at: null,
  ...over,
})

interface Kept {
  readonly applied?: readonly Applied[]
  readonly attempts?: readonly Attempt[]
  readonly modes?: readonly ModeSetting[]
  readonly installation?: Mode
  /** The store takes nothing. */
  readonly is_full?: boolean
}

/** After a start over what the store holds. */
async function memoryOf({ applied = [], attempts = [], modes = [], installation, is_full }: Kept = {}) {
  const clock = handClock(1_000)
  const written: unknown[] = []
  const tx = {
    saveAttempt: async (attempt: Attempt) => void written.push(attempt),
    clearAttempt: async (key: string) => void written.push(key),
  }
  const store = {
    applied: async () => applied,
    attempts: async () => attempts,
    modes: async () => modes,
    write: async (work: (writer: typeof tx) => Promise<void>) => {
      if (is_full === true) throw new Error('full')
      await work(tx)
    },
  } as unknown as Store
  const memory = new Memory(store, clock, installation ?? 'repair')
  await memory.load()
  return { memory, clock, written }
}

const HERE = { key: 'routes', place: '/here' }

describe('what was applied', () => {
  it.each<[what: string, applied: Applied, is_applied: boolean, is_written: boolean, was_ever: boolean]>([
    ['where the target stands is known', anApplied(), true, true, true],
    ['elsewhere is not, and was written once', anApplied({ place: '/there' }), false, false, true],
    ['before places were kept holds for any', anApplied({ place: '' }), true, true, true],
    ['where nothing is to stand is nothing of ours', anApplied({ observed: VACANT }), true, false, false],
    ['of another key is none of this one', anApplied({ key: 'sso' }), false, false, false],
  ])('%s', async (_what, applied, is_applied, is_written, was_ever) => {
    const { memory } = await memoryOf({ applied: [applied] })
    expect(memory.applied(HERE)).toBe(is_applied ? applied : null)
    expect(memory.written(HERE)).toBe(is_written ? applied : null)
    expect(memory.wasEverWritten('routes')).toBe(was_ever)
  })

  it('is the last of the key', async () => {
    const { memory } = await memoryOf({ applied: [anApplied()] })
    const newer = anApplied({ release: 2 })
    memory.adoptApplied(newer)
    expect(memory.applied(HERE)).toBe(newer)
  })

  it('names the components that are here no more, in the order of work', async () => {
    const keys = ['routes', 'dns:a.example.com', 'sso', 'unheard-of']
    const vacant = anApplied({ key: 'certificates', observed: VACANT })
    const { memory } = await memoryOf({ applied: [...keys.map((key) => anApplied({ key })), vacant] })
    expect(memory.writtenBut(['sso'])).toEqual(['dns', 'routes'])
  })
})

describe('a key that failed', () => {
  it('waits until its next try', async () => {
    const attempt = anAttempt()
    const { memory } = await memoryOf({ attempts: [attempt] })
    expect([memory.attempt('routes'), memory.waitsUntil('routes')]).toEqual([attempt, 500])
    expect([memory.attempt('sso'), memory.waitsUntil('sso')]).toEqual([null, null])
  })

  it('waits for no time that lies ahead of a clock that was set back', async () => {
    const { memory } = await memoryOf({ attempts: [anAttempt({ failed_at: 1_000 + 60_001 })] })
    expect(memory.waitsUntil('routes')).toBeNull()
  })

  it('is kept in the store, and forgotten there once', async () => {
    const { memory, written } = await memoryOf()
    const attempt = anAttempt()
    await memory.keepAttempt(attempt)
    await memory.clearAttempt('routes')
    expect(written).toHaveLength(2)
    await memory.clearAttempt('routes')
    expect(written).toEqual([attempt, 'routes'])
    expect(memory.attempt('routes')).toBeNull()
  })

  it('is kept also where the store takes nothing', async () => {
    const { memory } = await memoryOf({ is_full: true })
    await expect(memory.keepAttempt(anAttempt())).rejects.toThrow('full')
    expect(memory.waitsUntil('routes')).toBe(500)
  })
})

describe('the mode', () => {
  const OBSERVE = aMode('routes', 'observe')
  it.each<[what: string, kept: Kept, mode: Mode]>([
    ['of the settings holds where nothing is set', { installation: 'observe' }, 'observe'],
    ['of a component is its own', { modes: [OBSERVE] }, 'observe'],
    ['of another component is not', { modes: [aMode('sso', 'suspend')] }, 'repair'],
    ['of everything is each one’s', { modes: [aMode('*', 'suspend'), OBSERVE] }, 'suspend'],
    [
      'of the settings is never relaxed',
      { installation: 'observe', modes: [aMode('*', 'repair')] },
      'observe',
    ],
    [
      'that has ended counts no more',
      { modes: [aMode('routes', 'suspend', { expires_at: 1_000 })] },
      'repair',
    ],
    ['that ends later counts', { modes: [aMode('routes', 'suspend', { expires_at: 1_001 })] }, 'suspend'],
    [
      'that has ended gives way to what it was set over',
      {
        modes: [
          aMode('routes', 'suspend', {
            expires_at: 1_000,
            below: [{ mode: 'observe', reason: '', actor: 'bob', expires_at: null }],
          }),
        ],
      },
      'observe',
    ],
  ])('%s', async (_what, kept, mode) => {
    expect((await memoryOf(kept)).memory.modeOf('routes').mode).toBe(mode)
  })

  it('that is set takes the place of what was set for the same scope, and of nothing else', async () => {
    const { memory } = await memoryOf({ modes: [aMode('routes', 'suspend'), aMode('*', 'observe')] })
    const wanted = aMode('routes', 'repair')
    expect(memory.modeWith(wanted, 'routes').mode).toBe('observe')
    expect(memory.modeWith(aMode('*', 'repair'), 'routes').mode).toBe('suspend')
    // Nothing is set by asking.
    expect(memory.modeOf('routes').mode).toBe('suspend')
    memory.adoptMode(wanted)
    expect(memory.modeOf('routes').mode).toBe('observe')
    memory.adoptMode(aMode('*', 'repair'))
    expect(memory.modeOf('routes').mode).toBe('repair')
  })

  it('after one has ended is what stood below it and what is set for everything', async () => {
    const { memory } = await memoryOf({ modes: [aMode('routes', 'suspend'), aMode('*', 'observe')] })
    const ends = aMode('routes', 'suspend', { expires_at: 9_000 })
    expect(memory.modeAfter(ends)).toMatchObject({ scope: '*', mode: 'observe' })
    const everything = aMode('*', 'suspend', { expires_at: 9_000 })
    expect(memory.modeAfter(everything)).toMatchObject({ mode: 'repair' })
    // One without an end holds.
    expect(memory.modeAfter(aMode('routes', 'suspend')).mode).toBe('suspend')
  })
})
