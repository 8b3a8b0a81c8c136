/** Restarts of the provider: shared by those who wait, never by one that began too early, at a distance, and told to all. */
import { expect, it } from 'vitest'
import { handTime } from '../../../kit/hand-time.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import { Restarts, type RestartsParts } from '../../../../src/features/sso/provider/restarts.ts'
import { eachScratch } from '../../../store/scratch.ts'
import { type GatedProvider, gatedProvider, WELL } from '../gated-provider.ts'
import { ssoRecords } from '../../../../src/features/sso/records.ts'

const scratch = eachScratch()
const never = new AbortController().signal

async function opened(more: Partial<RestartsParts> = {}, directory = scratch.directory()) {
  const store = await scratch.open(directory)
  const provider = gatedProvider()
  const clock = handTime()
  const restarts = new Restarts({ provider, store, clock, gap_ms: 30_000, reachable: true, ...more })
  return { store, provider, clock, restarts }
}

const begun = (provider: GatedProvider, count: number) => expect.poll(() => provider.gates.length).toBe(count)

it('callers at the same time share one, and who asks during one gets the next', async () => {
  const { provider, restarts } = await opened()
  expect(restarts.is_under_way).toBe(false)
  const first = Promise.all([restarts.restart(never), restarts.restart(never)])
  expect(restarts.is_under_way).toBe(true)
  await begun(provider, 1)
  expect(restarts.is_under_way).toBe(true)
  let later = 0
  const waiting = Array.from({ length: 50 }, () => restarts.restart(never).then(() => later++))
  provider.gates[0]!.resolve(WELL)
  await first
  expect(later).toBe(0)
  await begun(provider, 2)
  provider.gates[1]!.resolve(WELL)
  await Promise.all(waiting)
  expect(provider.gates).toHaveLength(2)
  expect(restarts.is_under_way).toBe(false)
})

it('two keep their distance, also when the first was made by an earlier process', async () => {
  const directory = scratch.directory()
  for (const slept of [[], [30_000]]) {
    const { provider, clock, restarts, store } = await opened({}, directory)
    const restart = restarts.restart(never)
    await begun(provider, 1)
    provider.gates[0]!.resolve(WELL)
    await restart
    expect(clock.slept).toEqual(slept)
    await store.close()
  }
})

it('the time of one that was cut off in the middle counts', async () => {
  const directory = scratch.directory()
  const cut = await opened({}, directory)
  void cut.restarts.restart(never).catch(() => undefined)
  await begun(cut.provider, 1)
  // Not its end: its beginning is what stands.
  expect(await cut.store.of(ssoRecords).ssoRestartedAt()).toBe(cut.clock.now())
  await cut.restarts.close()
  await cut.store.close()
  const { provider, clock, restarts } = await opened({}, directory)
  void restarts.restart(never).catch(() => undefined)
  await begun(provider, 1)
  expect(clock.slept).toEqual([30_000])
  await restarts.close()
})

it('a time that was kept under a wrong clock holds nobody up for longer than the distance', async () => {
  const { provider, clock, restarts, store } = await opened()
  await store.write((tx) => tx.of(ssoRecords).saveSsoRestart(clock.now() + 365 * 86_400_000))
  const restart = restarts.restart(never)
  await begun(provider, 1)
  provider.gates[0]!.resolve(WELL)
  await restart
  expect(clock.slept).toEqual([30_000])
})

it('a caller who leaves ends nothing for the others', async () => {
  const { provider, restarts } = await opened()
  const stop = new AbortController()
  const gone = restarts.restart(stop.signal)
  const stays = restarts.restart(never)
  stop.abort(new Error('gone'))
  await expect(gone).rejects.toThrow('gone')
  await begun(provider, 1)
  provider.gates[0]!.resolve(WELL)
  expect(await stays).toEqual({ restarted: WELL, healthy: true })
})

it('every witness is told of every one, from before it to how it ended', async () => {
  const { provider, restarts } = await opened()
  const told: string[] = []
  for (const name of ['a', 'b'])
    restarts.witness(async () => {
      told.push(`${name} ${provider.gates.length}`)
      return async (attempt) => void told.push(`${name} ${attempt?.restarted.ok ?? 'broken off'}`)
    })
  const refused = restarts.restart(never)
  await begun(provider, 1)
  provider.gates[0]!.resolve({ ok: false, why: 'it did not work' })
  expect(await refused).toEqual({ restarted: { ok: false, why: 'it did not work' }, healthy: true })
  expect(told.splice(0)).toEqual(['a 0', 'b 0', 'a false', 'b false'])
  const broken = restarts.restart(never)
  await begun(provider, 2)
  provider.gates[1]!.reject(new Error('a bug'))
  await expect(broken).rejects.toThrow('a bug')
  expect(told).toEqual(['a 1', 'b 1', 'a broken off', 'b broken off'])
})

it('nobody who could be asked is a refusal, and anything else is thrown to all who waited', async () => {
  const { provider, restarts } = await opened()
  const refused = restarts.restart(never)
  await begun(provider, 1)
  provider.gates[0]!.reject(new Failure('component_unavailable', 'docker: nobody answers.'))
  expect((await refused).restarted).toEqual({ ok: false, why: 'docker: nobody answers' })
  const broken = Promise.allSettled([restarts.restart(never), restarts.restart(never)])
  await begun(provider, 2)
  provider.gates[1]!.reject(new Error('a bug'))
  expect((await broken).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  // And the next one is made all the same.
  const next = restarts.restart(never)
  await begun(provider, 3)
  provider.gates[2]!.resolve(WELL)
  expect((await next).restarted).toEqual(WELL)
})

it.each([
  ['that must be reachable', true, false, false],
  ['that answered right before', false, true, false],
  ['that was never seen to answer', false, false, null],
])('a provider %s and does not come up', async (_name, reachable, before, healthy) => {
  const { provider, restarts, clock } = await opened({ reachable })
  provider.healthy = before
  const restart = restarts.restart(never)
  await begun(provider, 1)
  provider.healthy = false
  provider.gates[0]!.resolve(WELL)
  expect(await restart).toEqual({ restarted: WELL, healthy })
  // Nobody waits half a minute for an answer that cannot come.
  expect(clock.slept.length > 100).toBe(healthy !== null)
})

it('a daemon that ends waits for nobody, and ends what is under way', async () => {
  const { provider, restarts } = await opened()
  const under_way = restarts.restart(never)
  await begun(provider, 1)
  const waiting = restarts.restart(never)
  restarts.stop()
  await expect(waiting).rejects.toMatchObject({ code: 'shutting_down' })
  const ended = expect(under_way).rejects.toMatchObject({ code: 'shutting_down' })
  await restarts.close()
  await ended
  expect(provider.gates).toHaveLength(1)
})
