/** The provider's reload: owed before the file is written, settled by any restart that began after it, and never forgotten. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { systemClock } from '../../../src/kernel/clock.ts'
import { handTime } from '../../kit/hand-time.ts'
import { Reloader } from '../../../src/features/people/reloader.ts'
import { Restarts } from '../../../src/features/sso/provider/restarts.ts'
import type { Restarted, RestartWay } from '../../../src/ports/sso-provider.ts'
import type { Store } from '../../../src/ports/store.ts'
import { eachScratch } from '../../store/scratch.ts'
import { gatedProvider, WELL } from '../sso/gated-provider.ts'
import { debtRecords } from '../../../src/features/sso/records.ts'
import { itInDepth } from '../../kit/in-depth.ts'

const scratch = eachScratch()
const never = new AbortController().signal
const DEBT = 'sso_users_reload'

function reloaderOn(store: Store, way: RestartWay = 'command') {
  const provider = gatedProvider(way)
  const clock = handTime()
  const restarts = new Restarts({ provider, store, clock, gap_ms: 0, reachable: true })
  const began = (count: number) => expect.poll(() => provider.gates.length).toBe(count)
  const reloader = new Reloader({ restarts, store, clock })
  /** The next restart ends so. */
  const ends = async (how: Restarted) => {
    const count = provider.gates.length + 1
    await began(count)
    provider.gates[count - 1]!.resolve(how)
  }
  return { provider, clock, restarts, began, reloader, ends }
}

/** A write from its announcement to its end. */
const written = async (reloader: Reloader) => (await reloader.owe())()

itInDepth('nobody is restarted while nothing is owed, nor where the provider watches its file', async () => {
  const store = await scratch.open(scratch.directory())
  const { provider, reloader } = reloaderOn(store)
  await reloader.settle(never)
  const watching = new Reloader({ restarts: null, store, clock: systemClock })
  await written(watching)
  await watching.settle(never)
  expect(provider.gates).toEqual([])
  expect(await store.of(debtRecords).debt(DEBT)).toBeNull()
})

it('who writes during a restart waits for the next, and the debt with them', async () => {
  const store = await scratch.open(scratch.directory())
  const { provider, began, reloader } = reloaderOn(store)
  await written(reloader)
  const first = reloader.settle(never)
  await began(1)
  await written(reloader)
  const second = reloader.settle(never)
  provider.gates[0]!.resolve(WELL)
  await first
  expect(await store.of(debtRecords).debt(DEBT)).not.toBeNull()
  await began(2)
  provider.gates[1]!.resolve(WELL)
  await second
  expect(await store.of(debtRecords).debt(DEBT)).toBeNull()
})

it('a debt of a clock that was ahead does not cover what is written during its restart', async () => {
  const store = await scratch.open(scratch.directory())
  const { provider, clock, began, reloader } = reloaderOn(store)
  const ahead = clock.now() + 3_600_000
  await store.write((tx) => tx.of(debtRecords).owe(DEBT, ahead))
  const first = reloader.retry(never)
  await began(1)
  await written(reloader)
  const second = reloader.settle(never)
  // It reads what is owed, and finds the restart.
  for (let turns = 0; turns < 50; turns++) await nextTurn()
  provider.gates[0]!.resolve(WELL)
  await first
  expect(await store.of(debtRecords).debt(DEBT)).not.toBeNull()
  await began(2)
  provider.gates[1]!.resolve(WELL)
  expect(await second).toBe(true)
  expect(await store.of(debtRecords).debt(DEBT)).toBeNull()
})

it('a restart that begins while the file is being written leaves it owed', async () => {
  const store = await scratch.open(scratch.directory())
  const { restarts, reloader, ends, began, provider } = reloaderOn(store)
  await written(reloader)
  const wrote = await reloader.owe()
  await Promise.all([restarts.restart(never), ends(WELL)])
  wrote()
  expect(await store.of(debtRecords).debt(DEBT)).not.toBeNull()
  const settled = reloader.settle(never)
  await began(2)
  provider.gates[1]!.resolve(WELL)
  await settled
  expect(await store.of(debtRecords).debt(DEBT)).toBeNull()
})

it('who asks again while their restart is under way, as the daemon does by itself, gets no second one', async () => {
  const store = await scratch.open(scratch.directory())
  const { reloader, began, provider } = reloaderOn(store)
  await written(reloader)
  const first = reloader.settle(never)
  await began(1)
  const again = [reloader.settle(never), reloader.retry(never)]
  // They read what is owed, and find the restart.
  for (let turns = 0; turns < 50; turns++) await nextTurn()
  provider.gates[0]!.resolve({ ok: false, why: 'no' })
  const results = await Promise.allSettled([first, ...again])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(provider.gates).toHaveLength(1)
})

it('a restart that somebody else asked for settles it, too', async () => {
  const store = await scratch.open(scratch.directory())
  const { provider, restarts, reloader, ends } = reloaderOn(store)
  await written(reloader)
  await Promise.all([restarts.restart(never), ends(WELL)])
  expect(await store.of(debtRecords).debt(DEBT)).toBeNull()
  await reloader.settle(never)
  expect(provider.gates).toHaveLength(1)
})

it('a restart that fails stays owed, also by the next process', async () => {
  const store = await scratch.open(scratch.directory())
  const before = reloaderOn(store)
  await written(before.reloader)
  const failed = before.reloader.settle(never)
  await before.ends({ ok: false, why: 'the command ended with code 1' })
  await expect(failed).rejects.toMatchObject({
    code: 'component_unavailable',
    message: expect.stringContaining('the command ended with code 1'),
  })
  const { reloader, ends } = reloaderOn(store)
  await Promise.all([reloader.settle(never), ends(WELL)])
  expect(await store.of(debtRecords).debt(DEBT)).toBeNull()
})

it('one that nobody asked for is tried less and less often', async () => {
  const store = await scratch.open(scratch.directory())
  const { provider, clock, reloader, ends } = reloaderOn(store)
  await written(reloader)
  for (const [count, max_ms] of [30_000, 60_000, 120_000].entries()) {
    const failed = reloader.retry(never).catch(() => 'failed')
    await ends({ ok: false, why: 'no' })
    expect(await failed).toBe('failed')
    await reloader.retry(never)
    await clock.sleep(max_ms - 2_000)
    await reloader.retry(never)
    expect(provider.gates).toHaveLength(count + 1)
    await clock.sleep(2_000)
  }
  await Promise.all([reloader.retry(never), ends(WELL)])
  expect(await store.of(debtRecords).debt(DEBT)).toBeNull()
})

it('a provider that comes up late has read the file: it is not restarted again', async () => {
  const store = await scratch.open(scratch.directory())
  const { provider, reloader, ends, began } = reloaderOn(store)
  await written(reloader)
  provider.healthy = false
  const down = reloader.settle(never)
  await ends(WELL)
  await expect(down).rejects.toThrow('does not answer well after its restart')
  expect(await store.of(debtRecords).debt(DEBT)).not.toBeNull()
  provider.healthy = true
  await reloader.settle(never)
  expect(provider.gates).toHaveLength(1)
  expect(await store.of(debtRecords).debt(DEBT)).toBeNull()
  // What is written later is owed anew.
  await written(reloader)
  const again = reloader.settle(never)
  await began(2)
  provider.gates[1]!.resolve(WELL)
  await again
})

it('what nobody saw is not called proven by a later process either', async () => {
  const store = await scratch.open(scratch.directory())
  const before = reloaderOn(store, 'watched')
  await written(before.reloader)
  const unseen = before.reloader.settle(never)
  await before.ends({ ok: true, proven: false })
  expect(await unseen).toBeNull()
  expect(await store.of(debtRecords).debt(DEBT)).toBeNull()
  expect(await reloaderOn(store, 'watched').reloader.settle(never)).toBeNull()
  expect(await reloaderOn(store, 'command').reloader.settle(never)).toBe(true)
})
