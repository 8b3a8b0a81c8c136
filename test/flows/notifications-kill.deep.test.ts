/** A daemon that is killed while it tells: one message to everybody, never two mails, and its end is told all the same. */
import { execFile } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import {
  MINUTE_MS,
  type NotificationsWorld,
  notificationsWorld,
  openAlerts,
  PATIENCE,
} from './notifications-world.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { TIER } from '../kit/tier.ts'
import { programOf } from '../kit/programs.ts'
import { newFolder } from '../kit/new-folder.ts'

const CHILD = programOf(new URL('children/notify.ts', import.meta.url))
const AHEAD_MS = 15 * MINUTE_MS

async function killedAt(
  world: NotificationsWorld,
  directory: string,
  fatal: string,
  moment: string,
): Promise<void> {
  const env = { ...world.env, ...BASE, PLUMBLINE_DATA_DIR: directory }
  const order = JSON.stringify({ env, ahead_ms: AHEAD_MS, fatal, moment })
  const ended = await promisify(execFile)(process.execPath, [CHILD, order], {
    timeout: 90_000,
    killSignal: 'SIGTERM',
  }).then(
    () => 'by itself',
    (error: { signal?: string }) => error.signal,
  )
  expect(ended).toBe('SIGKILL')
}

const BASE = { PLUMBLINE_LISTEN: '127.0.0.1:0', PLUMBLINE_DNS_PROVIDER: 'none' }

/** A drift that was noticed and that nobody was told of. Answers what the file should be. */
async function noticedDrift(world: NotificationsWorld, directory: string): Promise<[string, string]> {
  const at = await openTestHouse({ env: { ...world.env, ...BASE }, clock: world.clock, directory })
  await createActive(at.call)
  const bytes = at.routes()
  appendFileSync(at.house.routes_path, '# stranger\n')
  const conditions = async () => JSON.stringify((await at.call('GET', '/api/conditions')).body)
  await expect.poll(conditions, PATIENCE).toContain('"reason":"drifting"')
  world.clock.step(11 * MINUTE_MS)
  const noticed = async () => (await openAlerts(at)).map(({ noticed_at }) => noticed_at !== null)
  await expect.poll(noticed, PATIENCE).toEqual([true])
  await at.house.close()
  return [at.house.routes_path, bytes]
}

const told = async (at: TestHouse) => (await openAlerts(at)).map((trouble) => trouble.told.length)

const ALL = [
  ['delivery owed webhook', 'before'],
  ['delivery owed webhook', 'after'],
  ['delivery sent webhook', 'before'],
  ['delivery sent webhook', 'after'],
  ['mail begun', 'before'],
  ['mail begun', 'after'],
  ['mail sending', 'before'],
  ['mail sending', 'after'],
  ['mail sent', 'before'],
  ['mail sent', 'after'],
  ['delivery sent mail', 'before'],
  ['delivery sent mail', 'after'],
] as const
/** One in so many. */
const EVERY = TIER === 'nightly' ? 1 : 3

it.each(ALL.filter((_, i) => i % EVERY === 2 % EVERY))(
  'killed at "%s", %s it is durable',
  async (fatal, moment) => {
    await using world = await notificationsWorld()
    const directory = newFolder('told')
    const [path, bytes] = await noticedDrift(world, directory)
    await killedAt(world, directory, fatal, moment)
    world.clock.step(AHEAD_MS - 11 * MINUTE_MS)
    await using at = await openTestHouse({ env: { ...world.env, ...BASE }, clock: world.clock, directory })
    await expect.poll(() => told(at), PATIENCE).toEqual([2])
    const deliveries = new Set(world.receiver.taken.map(({ delivery }) => delivery))
    expect(deliveries.size, 'a repeat has the id of the first').toBe(1)
    expect(new Set(world.receiver.taken.map(({ body }) => body)).size).toBe(1)
    const mails = world.sink.mails.length
    expect(mails).toBeLessThanOrEqual(1)
    // Only one that may have been on its way is given up for that.
    if (fatal !== 'mail sending' && fatal !== 'mail sent') expect(mails).toBe(1)
    writeFileSync(path, bytes)
    await expect.poll(() => openAlerts(at), PATIENCE).toEqual([])
    world.clock.step(2 * MINUTE_MS)
    const ends = async () => [(await openAlerts(at)).length, world.titles().at(-1), world.subjects().at(-1)]
    const over = 'Plumbline: over: routes drifting'
    await expect.poll(ends, PATIENCE).toEqual([0, over, over])
    expect(world.titles().filter((title) => title === over)).toHaveLength(1)
    expect(world.sink.mails).toHaveLength(mails + 1)
  },
)
