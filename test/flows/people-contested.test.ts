/** Somebody who keeps putting another users file back: what lets in more is undone every time, what does not is given way to. */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { usersDocuments } from '../../src/features/people/users-file/documents.ts'
import { peopleWorld } from './people-world.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const JO = { display_name: 'Jo Doe', email: 'jo@example.net', groups: ['family', 'blocked'] }
const POLICIES = `policies:
  - domain: wiki.example.com
    access:
      - { groups: [blocked], policy: deny }
      - { groups: [family], policy: one_factor }
  - domain: admin.example.com
    access:
      - { groups: [admins], policy: two_factor }
`

async function house() {
  const world = await peopleWorld()
  const folder = dirname(world.users_path)
  writeFileSync(join(folder, 'policies.yml'), POLICIES)
  const env = {
    PLUMBLINE_SSO_RULES_FILE: join(folder, 'rules.yml'),
    PLUMBLINE_SSO_POLICIES_FILE: join(folder, 'policies.yml'),
  }
  const at = await openTestHouse({ env: { ...world.env, ...env, PLUMBLINE_MODE: 'repair' } })
  expect((await at.call('POST', '/api/users/invite', { body: JO })).status).toBe(201)
  return { world, at, ours: world.text() }
}

/** The file with other groups for the one whom we invited. */
function regrouped(text: string, groups: readonly string[]): string {
  const edited = usersDocuments.edit(text, [{ kind: 'regroup', username: 'jo.doe', groups }])
  if (!edited.ok) throw new Error(edited.msg)
  return edited.text
}

const reasons = async ({ call }: TestHouse) =>
  ((await call('GET', '/api/conditions')).body as unknown as readonly Record<string, unknown>[])
    .filter(({ component }) => component === 'people')
    .map(({ reason }) => reason)

itInDepth.each([
  ['that a rule lets in', 'admins'],
  ['that no rule names, but maybe a backend', 'staff'],
])('a group %s is taken away again each time, and a person is told', async (_what, added) => {
  const { world, at, ours } = await house()
  await using _world = world
  await using _at = at
  for (let round = 1; round <= 5; round++) {
    world.write(regrouped(ours, ['family', 'blocked', added]))
    await expect.poll(() => world.user('jo.doe')?.groups.toSorted()).toEqual(['blocked', 'family'])
  }
  await expect.poll(() => reasons(at)).toEqual(['contested'])
})

itInDepth(
  'a group that a rule refuses is given back each time; one that only lets in is given way to after three times',
  async () => {
    const { world, at, ours } = await house()
    await using _world = world
    await using _at = at
    for (let round = 1; round <= 5; round++) {
      world.write(regrouped(ours, ['family']))
      await expect.poll(() => world.user('jo.doe')?.groups.length).toBe(2)
    }
    for (let round = 1; round <= 3; round++) {
      world.write(regrouped(ours, ['blocked']))
      await expect.poll(() => world.user('jo.doe')?.groups.length).toBe(2)
    }
    world.write(regrouped(ours, ['blocked']))
    await expect.poll(async () => (await at.call('GET', '/api/drift')).body['drift']).toBe(true)
    await expect.poll(() => reasons(at)).toEqual(['contested'])
    expect(world.user('jo.doe')?.groups).toEqual(['blocked'])
  },
)

it('who was revoked and is written anew with a password stays out, however often', async () => {
  const { world, at, ours } = await house()
  await using _world = world
  await using _at = at
  expect((await at.call('POST', '/api/users/jo.doe/revoke')).status).toBe(200)
  for (let round = 1; round <= 5; round++) {
    world.write(ours)
    await expect.poll(() => world.user('jo.doe')?.disabled).toBe(true)
  }
})
