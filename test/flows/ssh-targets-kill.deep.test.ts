/** A daemon that is killed while it deploys the SSH gateway's files: at the next start both are whole, and of one release. */
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { brokenPromises } from '../broken-promises.ts'
import { spread } from '../faults/sweep.ts'
import { childsEnd } from '../kit/child.ts'
import { programOf } from '../kit/programs.ts'
import { TIER } from '../kit/tier.ts'
import type { Errand } from './children/ssh-proxy.ts'
import { envIn, openTestHouse } from './test-house.ts'
import { newFolder } from '../kit/new-folder.ts'

const PROGRAM = programOf(new URL('children/ssh-proxy.ts', import.meta.url))
/** One file is the new one, the other is not yet. The gate takes this point alone. */
const BETWEEN = 'rename, after #1'
const MAX_POINTS = TIER === 'nightly' ? 1_000 : 8
const KEYS = [
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJH2T0bmeVXeUu8cVGfq3Dmt9hzHbmJAf0QWbnRcyuBt',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJH2T0bmeVXeUu8cVGfq3Dmt9hzHbmJAf0QWbnRcyuBu',
] as const
const listed = (name: string, last: number, key: string) => `${name}=root@127.9.0.${last}:1 ${key}`
const BEFORE = [listed('goes', 1, KEYS[0]), listed('moves', 2, KEYS[0]), listed('stays', 3, KEYS[1])].join()
const AFTER = [listed('moves', 9, KEYS[1]), listed('stays', 3, KEYS[1]), listed('comes', 4, KEYS[0])].join()
const DEPLOY = '/companions/inventory/api/deploy-ssh-proxy'
const LIST = '/companions/inventory/api/ssh-targets'

const root = newFolder('ssh-killed')
const [base, life] = [join(root, 'base'), join(root, 'life')]
const directory = join(life, 'data')
const folder = join(life, 'gateway')
const [config, known] = [join(folder, 'targets.conf'), join(folder, 'known_hosts')]
const OURS = ['known_hosts', 'targets.conf', 'theirs.conf'] as const
const envWith = (targets: string) => ({
  ...envIn(directory),
  PLUMBLINE_SSH_TARGETS: targets,
  PLUMBLINE_SSH_PROXY_CONFIG: config,
  PLUMBLINE_SSH_PROXY_KNOWN_HOSTS: known,
})

/** How far the database is stands in the first line. */
const pair = () => [config, known].map((path) => readFileSync(path, 'utf8').replace(/^.*\n/, ''))
let old: readonly string[]
let next: readonly string[]
let points: readonly string[]

beforeAll(async () => {
  await using at = await openTestHouse({ directory, env: envWith(BEFORE) })
  expect(await at.call('POST', DEPLOY)).toMatchObject({ status: 200 })
  await at.house.close()
  writeFileSync(join(folder, 'theirs.conf'), 'Host theirs\n')
  cpSync(life, base, { recursive: true })
  old = pair()
  points = await pointsOfALife()
  next = pair()
})

const groupOf = (point: string) => point.split(' #', 1)[0]!

async function pointsOfALife(): Promise<readonly string[]> {
  const found = (await killed(null)).points
  expect(new Set(found.map(groupOf)).size).toBeGreaterThanOrEqual(6)
  expect(found).toContain(BETWEEN)
  return found
}

async function killed(dies_at: string | null): Promise<{ has_died: boolean; points: readonly string[] }> {
  rmSync(life, { recursive: true, force: true })
  cpSync(base, life, { recursive: true })
  const errand: Errand = { env: envWith(AFTER), folder, dies_at }
  const { signal, out, err } = await childsEnd(PROGRAM, errand)
  if (signal === 'SIGKILL') return { has_died: true, points: [] }
  const told = JSON.parse(out || '{}') as { readonly status?: number; readonly points?: readonly string[] }
  expect(told.status, `${dies_at}: ${out}${err}`).toBe(200)
  return { has_died: false, points: told.points! }
}

/** No half file is left, wherever it was begun. */
const filesBeside = (data: string): readonly string[] =>
  readdirSync(life, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(data))
    .map(({ name }) => name)
    .toSorted()

/** What the next life makes of it. @returns which release stands */
async function restarted(point: string): Promise<'old' | 'next'> {
  expect(brokenPromises(directory, 'at death'), point).toEqual([])
  await using at = await openTestHouse({ directory, env: envWith(AFTER) })
  const targets = (await at.call('GET', LIST)).body as unknown as readonly Record<string, unknown>[]
  const comes = targets.find(({ name }) => name === 'comes')
  const release = comes!['released'] === true ? 'next' : 'old'
  await expect.poll(pair, { timeout: 30_000, message: point }).toEqual(release === 'next' ? next : old)
  expect(filesBeside(directory), point).toEqual(OURS)
  expect(await at.call('POST', DEPLOY), point).toMatchObject({ status: 200, body: { success: true } })
  expect(pair(), point).toEqual(next)
  const written = () => [config, known].map((path) => statSync(path).ino)
  const before = written()
  expect(await at.call('POST', DEPLOY), point).toMatchObject({ status: 200, body: { success: true } })
  expect(written(), point).toEqual(before)
  expect(readFileSync(join(folder, 'theirs.conf'), 'utf8'), point).toBe('Host theirs\n')
  await at.house.close()
  expect(brokenPromises(directory, 'at rest'), point).toEqual([])
  return release
}

it('at each point of a deploy, both files are of one release afterwards', { timeout: 600_000 }, async () => {
  expect(next).not.toEqual(old)
  let missed = 0
  const chosen = spread(points, MAX_POINTS, groupOf)
  for (const point of chosen) {
    const { has_died } = await killed(point)
    missed += has_died ? 0 : 1
    const release = await restarted(point)
    // What is written was released before.
    if (has_died && !point.startsWith('transaction')) expect(release, point).toBe('next')
  }
  // The background has transactions of its own, so that a last one may come later or not at all.
  expect(missed).toBeLessThanOrEqual(chosen.length / 5)
})
