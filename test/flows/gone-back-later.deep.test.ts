/** Nobody waits any more for a release that was not loaded: what the house decides by itself, and when it does not. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { silent } from '../fakes/dns/faults.ts'
import { type FakeTraefik, startFakeTraefik } from '../fakes/traefik/traefik.ts'
import { clientOf } from './client.ts'
import { hurriedClock } from './proxy-house.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'

/** What a deploy has for itself, and the wait of a look that found nothing to decide with. */
const LONG = (ms: number): boolean => ms > 10_000 && ms <= 30_000

interface World {
  readonly traefik: FakeTraefik
  /** The house as it is now. */
  readonly at: () => TestHouse
  readonly bad: number
  /** A file as the routes file was before the bad domain. */
  readonly older_path: string
  reopen(env?: Readonly<Record<string, string>>): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A house that died after it had written a file that the proxy refuses, and before it decided anything. */
async function died(env: Readonly<Record<string, string>> = {}): Promise<World> {
  const traefik = await startFakeTraefik()
  const options = (more: Readonly<Record<string, string>>) => ({
    clock: hurriedClock(LONG),
    env: { PLUMBLINE_TRAEFIK_API: traefik.origin, ...more },
  })
  let at = await openTestHouse(options(env))
  traefik.follow(at.house.routes_path)
  await createActive(at.call, { domain: 'good.example.com' })
  const older_path = join(at.directory, 'older.yml')
  writeFileSync(older_path, at.routes())
  traefik.refuse((text) => text.includes('bad.example.com'))
  const bad = await create(at.call, { domain: 'bad.example.com' })
  traefik.misbehave(silent, { times: Infinity })
  const answer = await clientOf(at.house)('POST', `/api/domains/${bad}/activate`)
  expect(answer).toMatchObject({ status: 200, body: { loaded: null } })
  await at.house.close()
  traefik.behave()
  return {
    traefik,
    bad,
    older_path,
    at: () => at,
    reopen: async (more = env) => {
      await at.house.close()
      at = await openTestHouse({ ...options(more), directory: at.directory })
    },
    [Symbol.asyncDispose]: async () => {
      await at[Symbol.asyncDispose]()
      await traefik.stop()
    },
  }
}

const releases = async (at: TestHouse) =>
  (await at.call('GET', '/api/releases')).body as unknown as {
    number: number
    reason: string
    results: Record<string, string>
  }[]
const decided = (at: TestHouse, number: number) => async () =>
  (await releases(at)).find((one) => one.number === number)?.results['proxy']
const status = async (at: TestHouse, id: number) =>
  (await at.call('GET', `/api/domains/${id}`)).body['status']

describe('a release that nobody waits for any more', () => {
  it('goes back at the next start, once and for good', async () => {
    await using world = await died()
    await world.reopen()
    await expect.poll(decided(world.at(), 3)).toBe('went_back')
    // The release stands; the file follows it.
    await expect.poll(() => world.at().routes()).not.toContain('bad.example.com')
    expect(await status(world.at(), world.bad)).toBe('error')
    expect((await releases(world.at()))[0]).toMatchObject({ number: 4, results: { proxy: 'loaded' } })
    await world.reopen()
    await world.at().call('POST', '/api/reconcile')
    expect((await releases(world.at())).length).toBe(4)
    expect(world.at().routes()).not.toContain('bad.example.com')
  })

  it('is decided when the proxy shows its state again', async () => {
    await using world = await died()
    world.traefik.misbehave(silent, { times: Infinity })
    await world.reopen()
    expect(await decided(world.at(), 3)()).toBeUndefined()
    expect(world.at().routes()).toContain('bad.example.com')
    world.traefik.behave()
    await expect.poll(decided(world.at(), 3)).toBe('went_back')
  })

  it('that was loaded meanwhile stays, also where the proxy shows older routes later', async () => {
    await using world = await died()
    world.traefik.refuse(() => false)
    await world.reopen()
    await expect.poll(decided(world.at(), 3)).toBe('loaded')
    // Somebody brings the proxy back to last week, while the daemon is away.
    world.traefik.follow(world.older_path)
    const before = world.at().routes()
    await world.reopen()
    const redeployed = await world.at().call('POST', `/api/domains/${world.bad}/deploy`)
    expect(redeployed).toMatchObject({ status: 200, body: { loaded: false } })
    expect(world.at().routes()).toBe(before)
    expect((await releases(world.at())).length).toBe(3)
  })

  it('stays where the proxy was started since: it may not watch its files at all', async () => {
    await using world = await died()
    world.traefik.restart(new Date(Date.now() + 60_000))
    await world.reopen()
    await expect.poll(decided(world.at(), 3)).toBe('not_loaded')
    expect(world.at().routes()).toContain('bad.example.com')
    // Decided is decided: nothing is asked of the proxy any more.
    await world.reopen()
    world.traefik.forgetRequests()
    await world.at().call('POST', '/api/reconcile')
    expect(world.traefik.count('GET', /middlewares/)).toBe(0)
  })

  it('stays while the mode only observes, and goes back when it repairs', async () => {
    await using world = await died({ PLUMBLINE_MODE: 'observe' })
    await world.reopen()
    await expect.poll(() => world.traefik.count('GET', /middlewares/)).toBeGreaterThan(8)
    expect(await decided(world.at(), 3)()).toBeUndefined()
    expect(world.at().routes()).toContain('bad.example.com')
    await world.reopen({ PLUMBLINE_MODE: 'repair' })
    await expect.poll(decided(world.at(), 3)).toBe('went_back')
  })

  it('opens no door again that was closed', async () => {
    await using world = await died()
    await world.reopen()
    await expect.poll(decided(world.at(), 3)).toBe('went_back')
    world.traefik.refuse((text) => !text.includes('good.example.com'))
    world.traefik.misbehave(silent, { times: Infinity })
    const good = (await world.at().call('GET', '/api/domains?q=good')).body as unknown as { id: number }[]
    await clientOf(world.at().house)('POST', `/api/domains/${good[0]!.id}/deactivate`)
    world.traefik.behave()
    await world.reopen()
    await expect.poll(decided(world.at(), 5)).toBe('not_loaded')
    expect(world.at().routes()).not.toContain('good.example.com')
  })

  it('is decided while the daemon runs on, when the deploy could not', async () => {
    await using world = await died()
    await world.reopen()
    await expect.poll(decided(world.at(), 3)).toBe('went_back')
    world.traefik.misbehave(silent, { times: Infinity })
    const again = await clientOf(world.at().house)('POST', `/api/domains/${world.bad}/activate`)
    expect(again).toMatchObject({ status: 200, body: { loaded: null } })
    world.traefik.behave()
    await expect.poll(decided(world.at(), 5)).toBe('went_back')
    expect(await status(world.at(), world.bad)).toBe('error')
  })

  it('is told: an event says what was refused, what runs, and who took it back', async () => {
    await using world = await died()
    await world.reopen()
    await expect.poll(decided(world.at(), 3)).toBe('went_back')
    const query = '/api/events?limit=1000'
    const { body } = await world.at().call('GET', query, { headers: { accept: 'application/json' } })
    const events = body as unknown as { kind: string; message: string; facts: object }[]
    expect(events.filter(({ kind }) => kind === 'went_back')).toMatchObject([
      {
        message: expect.stringContaining('did not load release 3 (activate bad.example.com)') as string,
        facts: { release: 3, went_back_to: 2, by_release: 4 },
      },
    ])
    // What was saved waits.
    expect((await world.at().house.engine.pendingRows()).map(({ domain_id }) => domain_id)).toEqual([
      world.bad,
    ])
  })
})
