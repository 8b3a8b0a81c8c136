/** The transaction that every change of intent goes through: what of it is certain, and what is not. */
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../src/kernel/failure.ts'
import { changeIntent, rehearseIntent, TakenBack } from '../../../src/core/commit/change-intent.ts'
import type { CoreParts } from '../../../src/core/parts.ts'

type Parts = Pick<CoreParts, 'store' | 'clock' | 'engine'>

function over(ended: (work: () => Promise<unknown>) => Promise<unknown>) {
  const counts = { suspected: 0 }
  const parts = {
    clock: { now: () => 1 },
    engine: { suspectStore: () => counts.suspected++ },
    store: { write: async (work: (tx: object) => Promise<unknown>) => ended(() => work({})) },
  }
  return { counts, parts: parts as unknown as Parts }
}

describe('a change of intent', () => {
  it.each([
    ['the store failed', new Failure('store_unavailable', 'gone'), 1],
    ['the disk is full', new Failure('storage_full', 'full'), 1],
    ['a bug', new Error('bug'), 1],
    ['a rule refused it', new Failure('conflict', 'no'), 0],
    ['it was taken back', new TakenBack('guarded'), 0],
  ])('is looked for in the world only where it may have happened: %s', async (_what, error, suspected) => {
    const { counts, parts } = over(async (work) => {
      await work()
      throw error
    })
    await expect(changeIntent(parts, async () => 'done')).rejects.toBe(error)
    expect(counts.suspected).toBe(suspected)
  })

  it('that is rehearsed answers what it came to, within a transaction that failed', async () => {
    let committed = true
    const { parts } = over(async (work) => {
      try {
        return await work()
      } catch (error) {
        committed = false
        throw error
      }
    })
    expect(await rehearseIntent(parts, async ({ at }) => at)).toBe(1)
    expect(committed).toBe(false)
  })
})
