/**
 * Three rules of the engine that no death shows, each with a check that holds for the house as it is and turns red for a
 * house with the bug: an older release is never written over a newer one, tries are spaced out over restarts, and what
 * was read in part deletes nothing.
 */
import { appendFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { AnyTarget, Observation } from '../../src/engine/target.ts'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import { sha256 } from '../../src/kernel/digest.ts'
import { Failure } from '../../src/kernel/failure.ts'
import type { Store } from '../../src/ports/store.ts'
import type { ReleaseHead } from '../../src/ports/records/trails.ts'
import { openRig } from '../engine/rig.ts'
import { createActive, openTestHouse } from '../flows/test-house.ts'

const HEALTHY_AND_NOT = [
  ['as it is', false],
  ['with the bug', true],
] as const

describe.each(HEALTHY_AND_NOT)(
  'a release that comes while a pass is under way, in a house %s',
  (_name, buggy) => {
    it(buggy ? 'is overwritten by the older one' : 'is never overwritten by the older one', async () => {
      const written: string[] = []
      let old: ReleaseHead | null = null
      let real: Store | null = null
      let look: PromiseWithResolvers<void> | null = null
      const gate = Promise.withResolvers<void>()
      await using at = await openTestHouse({
        // Passes come only when asked for.
        opened: false,
        wrap: {
          store: (store) => (
            (real = store),
            {
              ...store,
              write: (work) =>
                store.write((tx) =>
                  work(buggy && old !== null ? { ...tx, latestRelease: async () => old } : tx),
                ),
            }
          ),
          file: (file) => ({
            ...file,
            async look(signal) {
              const seen = await file.look(signal)
              if (look === null) return seen
              look.resolve()
              look = null
              await gate.promise
              return seen
            },
            async replace(chunks, options, signal) {
              written.push(sha256(chunks))
              await file.replace(chunks, options, signal)
            },
          }),
        },
      })
      const id = await createActive(at.call)
      const before = await real!.latestRelease()
      await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9090 } })
      appendFileSync(at.house.routes_path, '# by hand\n')
      written.length = 0

      look = Promise.withResolvers<void>()
      const looking = look.promise
      const pass = at.house.engine.converge('open')
      await looking
      const deploying = at.call('POST', `/api/domains/${id}/deploy`)
      await expect.poll(async () => (await real!.latestRelease())?.number).toBe(before!.number + 1)
      old = before
      gate.resolve()
      await pass
      old = null
      await deploying
      expect(written.includes(before!.digests['routes']!)).toBe(buggy)
    })
  },
)

describe.each(HEALTHY_AND_NOT)('a world that refuses, over restarts of a house %s', (_name, buggy) => {
  it(buggy ? 'is tried at every start' : 'is tried once within its backoff', async () => {
    // Time stands still: whatever is tried a second time is tried too early.
    const began = Date.now()
    const clock: Clock = { ...systemClock, now: () => began }
    let tries = 0
    const forgetful = (store: Store): Store => ({
      ...store,
      write: (work) => store.write((tx) => work({ ...tx, saveAttempt: async () => undefined })),
    })
    let at = await openTestHouse({
      clock,
      wrap: {
        store: (store) => (buggy ? forgetful(store) : store),
        file: (file) => ({
          ...file,
          replace: async () => {
            tries++
            throw new Failure('storage_full', 'the disk is full')
          },
        }),
      },
    })
    const isWaiting = () => (at.house.engine.dueAt('routes') ?? 0) > began
    await expect.poll(isWaiting).toBe(true)
    for (let restart = 0; restart < RESTARTS; restart++) {
      at = await at.reopen()
      await expect.poll(isWaiting).toBe(true)
    }
    await at[Symbol.asyncDispose]()
    expect(tries).toBe(buggy ? RESTARTS + 1 : 1)
  })
})

const RESTARTS = 5

/** A listing of two pages: what is there, and whose it is. The second page does not come. */
interface Listing {
  readonly items: readonly string[]
  readonly foreign: readonly string[] | null
}

describe.each(HEALTHY_AND_NOT)('a listing that came in part, for a target %s', (_name, buggy) => {
  it(buggy ? 'deletes what belongs to others' : 'deletes nothing', async () => {
    const items = new Set(['others.example.com', 'stale.example.com'])
    const listing: Listing = { items: [...items], foreign: null }
    // By no attempt of its own, which might come first and leave nothing to repair.
    await using rig = await openRig({ target: listedTarget(items, listing, buggy), started: false })
    await rig.release('app.example.com', 8080)
    const [report] = await rig.engine.converge('open')
    expect(items.has('others.example.com')).toBe(!buggy)
    expect(report?.outcome).toBe(buggy ? 'repaired' : 'unknown')
  })
})

/** Owns whatever nobody else is said to own, and wants none of it. */
function listedTarget(items: Set<string>, listing: Listing, buggy: boolean): Partial<AnyTarget> {
  const observe = async (): Promise<Observation<Listing>> => {
    const at = Date.now()
    if (listing.foreign === null && !buggy)
      return { known: false, reason: 'unreachable', detail: 'page 2 of the listing did not come', at }
    return { known: true, state: { ...listing, items: [...items] }, digest: sha256([...items]), at }
  }
  return {
    whole: false,
    glance: () => null,
    observe,
    diff: (_desired, observed) => {
      const { items: seen, foreign } = observed as Listing
      const ours = seen.filter((item) => !(foreign ?? []).includes(item))
      return ours.map((item) => ({
        key: item,
        verb: 'delete',
        item,
        before: item,
        after: null,
        payload: null,
      }))
    },
    apply: async (differences) =>
      differences.map(({ key }) => {
        items.delete(key)
        return { key, ok: true }
      }),
  }
}
