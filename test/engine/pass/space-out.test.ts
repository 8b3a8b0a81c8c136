/** When a key is worked on again: what each end of a pass means for its next one. */
import { describe, expect, it } from 'vitest'
import type { PassParts } from '../../../src/engine/pass/pass-parts.ts'
import { RefusedItems } from '../../../src/engine/pass/refused-items.ts'
import { CLEAN, type PassResult } from '../../../src/engine/pass/result.ts'
import { spaceOut } from '../../../src/engine/pass/space-out.ts'
import type { AnyTarget } from '../../../src/engine/target.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { Attempt } from '../../../src/ports/store.ts'
import { differencesOf, itemTarget, refusalOf, SLOW } from '../item-target.ts'

const NOW = 1_000_000
const EVERY = 40_000
const FAILURE = { code: 'provider_refused', message: 'no', retry_after_ms: 0 } as const
const REFUSAL = refusalOf('a', { failure: FAILURE })

interface Scene extends Partial<PassResult> {
  readonly target?: Partial<AnyTarget>
  /** How often it failed before, the last wait being over. */
  readonly failures?: number
  /** When an item of its own was refused; left out: none is remembered. */
  readonly refused_at?: number
  readonly is_disk_full?: boolean
}

/** How long the key waits, and what is kept of it: an attempt, 'cleared', or nothing. */
async function spaced(scene: Scene) {
  const { target: over, failures = 0, refused_at, is_disk_full = false, ...result } = scene
  const backoff = { first_ms: 1_000, max_ms: 600_000 }
  const target = itemTarget({ every_ms: EVERY, backoff, ...over })
  const refused_items = new RefusedItems()
  if (refused_at !== undefined)
    refused_items.note(target, new Map([[differencesOf({ a: 'new' }, {})[0]!, REFUSAL]]), {
      untried: new Map(),
      now: refused_at,
      random: 0,
    })
  let kept: Attempt | 'cleared' | null = null
  const logged: unknown[] = []
  const done = async () => {
    if (is_disk_full) throw new Error('disk full')
  }
  const parts = {
    clock: { now: () => NOW },
    random: () => 0,
    refused_items,
    log: { ...silentLog, error: (...words: unknown[]) => void logged.push(words) },
    memory: {
      attempt: () => (failures === 0 ? null : { failures, next_attempt_at: NOW }),
      keepAttempt: (attempt: Attempt) => {
        kept = attempt
        return done()
      },
      clearAttempt: () => {
        kept = 'cleared'
        return done()
      },
    },
  } as unknown as PassParts
  const at = await spaceOut(target, parts, { ...CLEAN, observed_at: NOW, ...result })
  return { wait: at - NOW, kept: kept as Attempt | 'cleared' | null, logged }
}

const GUARD = { outcome: 'refused', failure: FAILURE, refusals: [] } as const
const OF_KEY = { outcome: 'failed', failure: FAILURE, refusals: [] } as const
const OF_ITEM = { outcome: 'failed', failure: FAILURE, refusals: [REFUSAL] } as const

describe('the wait of a key', () => {
  it.each<[after: string, scene: Scene, wait: number, kept: 'cleared' | null]>([
    ['a good pass is the resync period, and its failures are forgotten', {}, EVERY, 'cleared'],
    [
      'an obstacle, too: nothing is gained by trying',
      { outcome: 'refused', failure: SLOW, refusals: [refusalOf('a')] },
      EVERY,
      'cleared',
    ],
    ['a suspension, too, which says nothing against a ban', { outcome: 'suspended' }, EVERY, null],
    [
      'one that was left unfinished is what it asks for',
      { outcome: 'left_unfinished', failure: { ...FAILURE, retry_after_ms: 7 } },
      7,
      null,
    ],
    ['refused items is until the first of them is due', { ...OF_ITEM, refused_at: NOW }, 500, 'cleared'],
    [
      'refused items is the resync period where that is shorter',
      { ...OF_ITEM, target: { every_ms: 9_000 } },
      9_000,
      'cleared',
    ],
    ['refused items is half a minute where none is remembered', OF_ITEM, 30_000, 'cleared'],
    ['refused items that are due is none', { ...OF_ITEM, refused_at: 0 }, 0, 'cleared'],
  ])('after %s', async (_after, scene, wait, kept) => {
    expect(await spaced(scene)).toEqual({ wait, kept, logged: [] })
  })

  it.each<[after: string, scene: Scene, wait: number]>([
    ['a first failure is half of the first step', OF_KEY, 500],
    ['each further one is twice as long', { ...OF_KEY, failures: 3 }, 4_000],
    ['many is no longer than the target says', { ...OF_KEY, failures: 30 }, 300_000],
    [
      'one that asks for longer is that',
      { ...OF_KEY, failure: { ...FAILURE, retry_after_ms: 90_000 } },
      90_000,
    ],
    [
      'many refusals of a guard is a minute: it may let through at any time',
      { ...GUARD, failures: 30 },
      30_000,
    ],
    [
      'many refusals of a guard is no longer than the target says',
      { ...GUARD, failures: 30, target: { backoff: { first_ms: 1_000, max_ms: 20_000 } } },
      10_000,
    ],
    [
      'many in which a stranger was faster at letting more in is as short as the first',
      { ...OF_KEY, failures: 30, pressing: true },
      500,
    ],
    [
      'many of those is no longer than the target says',
      {
        ...OF_KEY,
        failures: 30,
        pressing: true,
        target: { backoff: { first_ms: 1_000, max_ms: 800 } },
      },
      400,
    ],
  ])('after %s', async (_after, scene, wait) => {
    const found = await spaced(scene)
    expect(found).toEqual({
      wait,
      kept: {
        key: 'fake',
        failures: (scene.failures ?? 0) + 1,
        failed_at: NOW,
        next_attempt_at: NOW + wait,
        message: 'no',
      },
      logged: [],
    })
  })

  it('is the same where it cannot be kept, which is logged', async () => {
    const { wait, logged } = await spaced({ ...OF_KEY, is_disk_full: true })
    expect(wait).toBe(500)
    const error: unknown = expect.objectContaining({ message: 'disk full' })
    expect(logged).toEqual([['backoff not persisted', { target: 'fake', error }]])
  })

  it.each<Scene>([{}, { ...OF_ITEM, refused_at: NOW }])(
    'is the same where a success cannot be kept (%o)',
    async (scene) => {
      expect((await spaced({ ...scene, is_disk_full: true })).wait).toBe((await spaced(scene)).wait)
    },
  )
})
