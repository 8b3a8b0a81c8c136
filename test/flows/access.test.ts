/** Who can open what: by the rules that run and the groups in the users file, over the API and on the command line. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from './command.ts'
import { createActive } from './test-house.ts'
import { openSsoHouse } from './sso-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const USERS = `
users:
  ana: { displayname: Ana, password: $argon2id$secret, groups: [admins] }
  bob: { displayname: Bob, password: x, groups: [staff] }
  carl: { displayname: Carl, password: x, groups: [admins], disabled: true }
  "no": { displayname: No, password: x }
`
const POLICIES = `
policies:
  - domain: admin.example.com
    access: [{ groups: [admins], policy: two_factor }]
    bypass: [/healthz]
`

async function house(users = USERS) {
  const folder = newFolder('people')
  const file = join(folder, 'users.yml')
  writeFileSync(file, users)
  const at = await openSsoHouse({
    opened: false,
    policies: POLICIES,
    env: { PLUMBLINE_SSO_USERS_FILE: file },
  })
  await createActive(at.call, { domain: 'admin.example.com' })
  await createActive(at.call, { domain: 'app.example.com' })
  await createActive(at.call, { domain: 'open.example.com', auth_required: false })
  return {
    ...at,
    [Symbol.asyncDispose]: async () => {
      await at[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Answer {
  readonly rules: string
  readonly people: boolean
  readonly notes: readonly string[]
  readonly entries: readonly {
    readonly domain: string
    readonly username: string | null
    readonly policy: string
    readonly can_open: boolean | null
    readonly exceptions: readonly unknown[]
  }[]
}

itInDepth('a host: everybody who is known, and somebody who is not', async () => {
  await using at = await house()
  const { body, status } = await at.call('GET', '/api/access?host=ADMIN.example.com')
  expect(status).toBe(200)
  const { rules, people, entries } = body as unknown as Answer
  expect({ rules, people }).toEqual({ rules: 'running', people: true })
  expect(entries.map(({ username, policy, can_open }) => [username, policy, can_open])).toEqual([
    [null, 'deny', false],
    ['ana', 'two_factor', true],
    ['bob', 'deny', false],
    ['carl', 'two_factor', false],
    ['no', 'deny', false],
  ])
  expect(entries[1]!.exceptions).toEqual([
    { policy: 'bypass', resources: ['^/healthz$'], methods: [], networks: [] },
  ])
  expect(JSON.stringify(body)).not.toContain('argon2')
  // What the rules say of a name is no answer about a domain.
  const nobody = await at.call('GET', '/api/access?host=nosuch.example.com')
  expect(nobody.body).toMatchObject({
    entries: expect.arrayContaining([
      expect.objectContaining({ served_by: null, detail: expect.stringMatching(/^No deployed domain/) }),
    ]),
  })
})

itInDepth('a user: every deployed domain; one that nobody knows is not found', async () => {
  await using at = await house()
  const { body } = await at.call('GET', '/api/access?user=bob')
  const { entries } = body as unknown as Answer
  expect(entries.map(({ domain, can_open }) => [domain, can_open])).toEqual([
    ['admin.example.com', false],
    ['app.example.com', true],
    ['open.example.com', true],
  ])
  expect((await at.call('GET', '/api/access?user=mallory')).status).toBe(404)
  const unasked = (await at.call('GET', '/api/access')).body as unknown as {
    entries: { username: string | null }[]
  }
  expect(new Set(unasked.entries.map(({ username }) => username))).toEqual(new Set([null]))
})

itInDepth(
  'a host without a record of its own is as open as the star that serves it, and no record of its own is hidden by one',
  async () => {
    await using at = await house()
    await createActive(at.call, { domain: '*.example.com', auth_required: false })
    const opens = async (query: string) => {
      const { entries } = (await at.call('GET', `/api/access?${query}`)).body as unknown as Answer
      return entries.map(({ domain, can_open }) => `${domain} ${can_open}`)
    }
    // One label: what lies deeper is served by nobody.
    for (const [host, can_open] of [
      ['any.example.com', true],
      ['ANY.example.com', true],
      ['*.example.com', true],
      ['open.example.com', true],
      ['app.example.com', false],
      ['a.b.example.com', false],
      ['example.com', false],
    ] as const) {
      const name = host.toLowerCase()
      expect((await opens(`host=${host}`))[0], host).toBe(`${name} ${can_open}`)
      expect((await opens(`host=${host}&user=bob`))[0], host).toBe(
        `${name} ${can_open || name.startsWith('app.')}`,
      )
    }
    expect(await opens('user=bob')).toContain('*.example.com true')
  },
)

itInDepth('rules that are written and not loaded do not count: what runs does', async () => {
  await using at = await house()
  at.authelia.next = 'refused'
  writeFileSync(at.rules_path, 'access_control: { default_policy: one_factor }')
  const { body } = await at.call('GET', '/api/access?user=bob&host=admin.example.com')
  expect(body).toMatchObject({ rules: 'running', entries: [{ can_open: false }] })
})

itInDepth('without a readable users file groups are unknown, and so is who gets in by one', async () => {
  await using at = await house('users: [')
  const { body } = await at.call('GET', '/api/access?user=bob')
  const { people, entries, notes } = body as unknown as Answer
  expect(people).toBe(false)
  expect(notes[0]).toContain('users.yml')
  expect(entries.map(({ domain, can_open }) => [domain, can_open])).toEqual([
    ['admin.example.com', null],
    ['app.example.com', true],
    ['open.example.com', true],
  ])
})

itInDepth('on the command line, without a daemon', async () => {
  const folder = newFolder('access')
  const [users, estate] = [join(folder, 'users.yml'), join(folder, 'estate.yml')]
  writeFileSync(users, USERS)
  const record = 'environment: production, backend_host: 10.0.0.5, backend_port: 80, status: active'
  writeFileSync(
    estate,
    `plumbline: 1\ndomains:\n  - { domain: app.example.com, service_type: http, ${record} }\n`,
  )
  const env = {
    PLUMBLINE_DATA_DIR: join(folder, 'data'),
    PLUMBLINE_DNS_PROVIDER: 'none',
    PLUMBLINE_SSO_RULES_FILE: join(folder, 'access-control.yml'),
    PLUMBLINE_SSO_USERS_FILE: users,
  }
  expect(await run(['import', estate], env)).toMatchObject({ code: 0 })
  const told = await run(['access', '--host', 'app.example.com'], env)
  expect(told, told.err).toMatchObject({ code: 0 })
  expect(told.out).toMatch(/^app\.example\.com {2}bob +opens/m)
  expect(told.out).toMatch(/^app\.example\.com {2}carl +closed +one_factor +The user is disabled/m)
  expect(told.err).toContain('Whether the SSO provider runs these rules is not known')
  expect(await run(['access'], env)).toMatchObject({ code: 64 })
  expect((await run(['access', 'lift', 'app.example.com', '--yes'], env)).err).toContain('not in quarantine')
})

itInDepth(
  'a TCP domain is open whatever its record says: sign-in does not apply, and nobody is told that it is closed',
  async () => {
    await using at = await house()
    const tcp = {
      domain: 'db.example.com',
      protocol: 'tcp',
      tcp_entrypoint: 'websecure',
      auth_required: true,
    }
    const id = await createActive(at.call, tcp)
    expect((await at.call('GET', `/api/domains/${id}`)).body).toMatchObject({
      auth_required: true,
      auth_applies: false,
    })
    const { entries } = (await at.call('GET', '/api/access?host=db.example.com')).body as unknown as {
      readonly entries: readonly { readonly can_open: unknown; readonly detail: string }[]
    }
    expect(entries.map(({ can_open }) => can_open)).toEqual(entries.map(() => true))
    expect(entries[0]?.detail).toContain('it is TCP')
    const body = { auth_applies: true }
    expect((await at.call('PUT', `/api/domains/${id}`, { body })).status).toBe(422)
  },
)

it('a protected domain without TLS is closed to everybody: nobody can sign in over plain http', async () => {
  await using at = await house()
  await createActive(at.call, { domain: 'plain.example.com', ssl_enabled: false })
  const { body } = await at.call('GET', '/api/access?host=plain.example.com&user=ana')
  const { entries } = body as unknown as Answer
  expect(entries).toMatchObject([{ can_open: false, detail: expect.stringContaining('plain http') }])
})
