/** The mode of the users file and its folder: told to everybody whom it concerns, and the file's put right in place. */
import { chmodSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { peopleWorld } from './people-world.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const JO = { display_name: 'Jo Doe', email: 'jo@example.net', groups: ['family'] }

interface Told {
  readonly drift: boolean | null
  readonly cause: string | null
}
const users = async ({ call }: TestHouse): Promise<readonly Told[]> =>
  (await call('GET', '/api/users')).body as unknown as readonly Told[]
const page = async ({ call }: TestHouse): Promise<Told> => {
  const { body } = await call('GET', '/api/control-plane/health')
  return (body['components'] as unknown as readonly (Told & { readonly name: string })[]).find(
    ({ name }) => name === 'people',
  )!
}

async function house(mode: 'observe' | 'repair') {
  const world = await peopleWorld()
  const at = await openTestHouse({ env: { ...world.env, PLUMBLINE_MODE: mode } })
  expect((await at.call('POST', '/api/users/invite', { body: JO })).status).toBe(201)
  return { world, at }
}

it('is told at once, in its own endpoint and on the page, and by a look of the timer alone', async () => {
  const { world, at } = await house('observe')
  await using _world = world
  await using _at = at
  const folder = dirname(world.users_path)
  const cases = [
    [world.users_path, 0o666],
    [world.users_path, 0o000],
    [folder, 0o000],
  ] as const
  for (const [path, mode] of cases) {
    const before = statSync(path).mode & 0o777
    chmodSync(path, mode)
    const message = `${path} ${mode.toString(8)}`
    await expect.poll(() => page(at), { message }).toMatchObject({ drift: true, cause: 'access' })
    for (const user of await users(at)) expect(user, message).toMatchObject({ drift: true, cause: 'access' })
    expect(statSync(path).mode & 0o777).toBe(mode)
    chmodSync(path, before)
    for (const user of await users(at)) expect(user).toMatchObject({ drift: false, cause: null })
    expect(await page(at)).toMatchObject({ drift: false })
  }
})

itInDepth('is put right in place, with no byte moved; a group that was let in stays so', async () => {
  const { world, at } = await house('repair')
  await using _world = world
  await using _at = at
  const { ino } = statSync(world.users_path)
  const text = world.text()
  const modes = [
    [0o640, 0o640],
    [0o000, 0o640],
    [0o662, 0o640],
  ] as const
  for (const [mode, mended] of modes) {
    chmodSync(world.users_path, mode)
    await expect.poll(() => statSync(world.users_path).mode & 0o777).toBe(mended)
    await expect.poll(async () => (await users(at)).every(({ drift }) => drift === false)).toBe(true)
  }
  expect(world.text()).toBe(text)
  expect(statSync(world.users_path).ino).toBe(ino)
})
