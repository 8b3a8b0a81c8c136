/** What a person is shown before the decision over an older database, what survives it, and that it is made once. */
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ED25519, OTHER } from '../model/ssh/keys.ts'
import { run } from './command.ts'
import { goodAt, keepEarlier, setBackTo } from './older-database.ts'
import { OWNER, type PeopleWorld, peopleWorld } from './people-world.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { describeInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const RESUME = '/api/releases/resume'
const CLOSED = 'closed.example.com'
const LISTED = 'listed.example.com'
const GONE = 'gone.example.com'
const NEW = 'new.example.com'

let people: PeopleWorld
let at: TestHouse
let env: Readonly<Record<string, string>>

beforeEach(async () => {
  people = await peopleWorld(OWNER)
  const directory = newFolder('resume')
  env = { ...people.env, PLUMBLINE_AUTHORIZED_KEYS: join(directory, 'keys', 'authorized_keys') }
  at = await openTestHouse({ directory, env })
})
afterEach(async () => {
  await at[Symbol.asyncDispose]()
  await people[Symbol.asyncDispose]()
})

const good = goodAt(() => at)

interface Planned {
  readonly hash: string
  readonly warnings: readonly string[]
  readonly changes: Readonly<Record<string, readonly string[]>>
  readonly outside: { readonly actions: readonly object[]; readonly unified_diff: string | null }
  readonly diff: {
    readonly added: readonly { readonly domain: string }[]
    readonly removed: readonly { readonly domain: string }[]
    readonly changed: readonly { readonly domain: string; readonly fields: object }[]
  }
}
type Side = 'database' | 'world'
const planFor = async (take: Side) => (await good('POST', RESUME, { take })) as unknown as Planned
const domainsOf = (rows: readonly { readonly domain: string }[]) => rows.map(({ domain }) => domain)

/** Killed as it stands, and started again over the database as it was before the changes of a newer one. */
async function broughtBack(): Promise<void> {
  const closed = await createActive(at.call, { domain: CLOSED })
  const listed = await createActive(at.call, {
    domain: LISTED,
    middleware_config: { extra_middlewares: ['ip-allow-list-private', 'no-index'] },
  })
  const gone = await createActive(at.call, { domain: GONE })
  await good('POST', '/api/ssh-clients', { public_key: ED25519, name: 'laptop-of-jo' })
  await good('POST', '/api/users/invite', {
    email: 'kim@example.com',
    display_name: 'Kim of Jo',
    username: 'kim',
  })
  using earlier = await keepEarlier(at.directory, 'backup', () =>
    create(at.call, { domain: 'survives.example.com' }),
  )
  await good('PUT', `/api/domains/${closed}`, { auth_required: false })
  await good('PUT', `/api/domains/${listed}`, { middleware_config: { extra_middlewares: ['no-index'] } })
  await good('POST', '/api/deploy-all')
  await good('POST', `/api/domains/${gone}/disable`)
  await createActive(at.call, { domain: NEW })
  await good('DELETE', '/api/ssh-clients', { key: 'laptop-of-jo' })
  await good('POST', '/api/ssh-clients', { public_key: OTHER, name: 'phone-of-jo' })
  await good('POST', '/api/users/owner/revoke')
  await good('POST', '/api/users/kim/revoke')
  at = await setBackTo(earlier, at)
}

/** Of somebody who was in the users file before us. */
async function expectOwnerRevoked(): Promise<void> {
  expect(await good('GET', '/api/users/owner')).toMatchObject({
    disabled: true,
    origin: 'file',
    display_name: 'The Owner',
    revoked_at: expect.any(String) as unknown,
  })
  people.write(people.text().replace('disabled: true', 'disabled: false'))
  await expect.poll(() => people.user('owner')).toMatchObject({ disabled: true })
}

it('the world: each field that changes is shown, each route that loses a check or is opened, and revocations stay', async () => {
  await broughtBack()
  const { diff, warnings, changes, hash } = await planFor('world')
  expect(domainsOf(diff.added)).toEqual([NEW])
  expect(domainsOf(diff.removed)).toEqual([GONE])
  expect(diff.changed).toMatchObject([
    { domain: CLOSED, fields: { auth_required: { before: true, after: false } } },
    { domain: LISTED, fields: { middleware_config: {} } },
  ])
  expect(warnings).toEqual(
    expect.arrayContaining([
      `${CLOSED} loses a check: sign-in (auth_required).`,
      `${LISTED} loses a check: IP allow list (ip-allow-list-private).`,
      `${NEW} is opened: it was not reachable, and will be behind sign-in (auth_required).`,
    ]),
  )
  expect(changes['people_revoked']).toEqual(['kim', 'owner'])
  await good('POST', `${RESUME}?confirm=${hash}`, { take: 'world' })
  await expectOwnerRevoked()
  expect((await good('GET', '/api/users/kim'))['revoked_at']).not.toBeNull()
})

it('is over where it was made and could not be taken up then: asked once more, it is', async () => {
  await broughtBack()
  const { hash } = await planFor('database')
  const { world } = at.house.engine
  const resumed = world.resumed.bind(world)
  world.resumed = () => Promise.reject(new Error('disk I/O error'))
  const first = await at.call('POST', `${RESUME}?confirm=${hash}`, { body: { take: 'database' } })
  expect(first.status).toBe(500)
  world.resumed = resumed
  expect(world.failure()).not.toBeNull()
  const second = await at.call('POST', `${RESUME}?confirm=${hash}`, { body: { take: 'database' } })
  expect([second.status, second.body]).toEqual([409, expect.objectContaining({ code: 'conflict' })])
  expect(world.failure()).toBeNull()
  expect(await good('POST', '/api/deploy-all')).toMatchObject({ success: true })
})

describeInDepth('the database', () => {
  it('is taken once, after what lives again and what leaves was named, also by the command; a revocation stays', async () => {
    await broughtBack()
    const { diff, warnings, changes, outside, hash } = await planFor('database')
    expect(changes).toMatchObject({
      live_again: [GONE],
      taken_down: [NEW],
      changed_back: [CLOSED, LISTED],
      keys_let_in: [expect.stringContaining('laptop-of-jo')],
      keys_shut_out: [expect.stringContaining('phone-of-jo')],
      people_let_in: ['kim'],
      people_revoked: ['owner'],
    })
    expect(diff.changed).toMatchObject([
      { domain: CLOSED, fields: { auth_required: { before: false, after: true } } },
      { domain: LISTED },
    ])
    expect(warnings.join(' ')).toContain(`${GONE} is opened`)
    expect(warnings.join(' ')).toContain('kim is not revoked any more')
    expect(outside.unified_diff).toContain(`+    "plumbline-site_${GONE}"`)
    expect(outside.actions).toContainEqual(expect.objectContaining({ component: 'ssh-gateway' }))
    await expectSaidByTheCommand()
    const answers = await Promise.all(
      [1, 2].map(() => at.call('POST', `${RESUME}?confirm=${hash}`, { body: { take: 'database' } })),
    )
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({ code: 'conflict' })
    expect(await good('GET', '/api/audit?action=resume_releases')).toHaveLength(1)
    await expectOwnerRevoked()
    expect((await good('GET', '/api/users/kim'))['revoked_at']).toBeNull()
  })
})

async function expectSaidByTheCommand(): Promise<void> {
  const words = ['releases', 'resume', '--take', 'database']
  const { out, err, code } = await run(words, { ...env, PLUMBLINE_DATA_DIR: at.directory })
  expect(code, err).toBe(0)
  expect(out).toContain(`live again: ${GONE}`)
  expect(out).toContain('auth_required: false -> true')
  expect(out).toMatch(/keys let in: SHA256:\S+ laptop-of-jo/)
  expect(err).toContain(`warning: ${GONE} is opened`)
}
