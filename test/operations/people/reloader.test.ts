/** The provider's reload: shared by those who wait, never by a restart that began too early, and owed over a crash. */
import { afterEach, expect, it } from 'vitest'
import { Reloader } from '../../../src/operations/people/reloader.ts'
import type { Restarter } from '../../../src/ports/restarter.ts'
import type { Store } from '../../../src/ports/store.ts'
import { eachScratch, steppingClock } from '../../adapters/sqlite/scratch.ts'

const scratch = eachScratch()
const stop = new AbortController()
let gates: PromiseWithResolvers<void>[] = []
afterEach(() => {
  gates = []
})

/** A restart that ends when its gate is opened. */
const gated: Restarter = {
  how: 'a gate',
  restart() {
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    return gate.promise
  },
}

const reloaderOn = (store: Store, restarter: Restarter | null = gated) =>
  new Reloader({ restarter, store, clock: steppingClock(), signal: stop.signal })

const began = (count: number) => expect.poll(() => gates.length).toBe(count)

it('nobody is restarted while nothing is owed, nor where the provider watches its file', async () => {
  const store = await scratch.open(scratch.directory())
  await reloaderOn(store).settle()
  const watching = reloaderOn(store, null)
  await watching.owe()
  await watching.settle()
  expect(gates).toEqual([])
  expect(await store.debt('sso_users_reload')).toBeNull()
})

it('callers at the same time share a restart, and who writes during one waits for the next', async () => {
  const store = await scratch.open(scratch.directory())
  const reloader = reloaderOn(store)
  await reloader.owe()
  const first = reloader.settle()
  await began(1)
  await reloader.owe()
  let later = 0
  const waiting = Array.from({ length: 50 }, () => reloader.settle().then(() => later++))
  gates[0]!.resolve()
  await first
  expect(later).toBe(0)
  await began(2)
  gates[1]!.resolve()
  await Promise.all(waiting)
  expect(gates).toHaveLength(2)
  expect(await store.debt('sso_users_reload')).toBeNull()
})

it('a restart that fails stays owed, also by the next process', async () => {
  const directory = scratch.directory()
  const store = await scratch.open(directory)
  const reloader = reloaderOn(store)
  await reloader.owe()
  const failed = reloader.settle()
  await began(1)
  gates[0]!.reject(new Error('no'))
  await expect(failed).rejects.toThrow('no')
  const next = reloaderOn(store).settle()
  await began(2)
  gates[1]!.resolve()
  await next
  expect(await store.debt('sso_users_reload')).toBeNull()
})
