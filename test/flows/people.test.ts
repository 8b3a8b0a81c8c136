/** People: invited, listed, regrouped and revoked, over a real users file and a real mail server. */
import { existsSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { schemaFaults } from '../features/people/users-file/schema.ts'
import { A_HASH, OWNER, peopleWorld } from './people-world.ts'
import { openTestHouse } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'

const JO = { display_name: 'José Müller', email: 'jo@example.net', groups: ['family', 'dev'] }

it('an invited person is in the users file, knows how to sign in, and nobody knows the password', async () => {
  await using world = await peopleWorld()
  await using at = await openTestHouse({ env: world.env })
  const answer = await at.call('POST', '/api/users/invite', { body: JO })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  expect(answer.body).toMatchObject({ success: true, username: 'jose.muller', warnings: [] })
  expect(answer.body['user']).toMatchObject({
    in_file: true,
    disabled: false,
    invitation: { step: 'done', detail: null, mail: 'sent' },
  })

  expect(world.text().startsWith(OWNER)).toBe(true)
  expect(schemaFaults(world.text())).toEqual([])
  expect(world.user('jose.muller')).toMatchObject({
    display_name: 'José Müller',
    email: 'jo@example.net',
    groups: ['dev', 'family'],
    disabled: false,
  })
  expect(statSync(world.users_path).mode & 0o777).toBe(0o600)

  expect(world.sink.mails).toHaveLength(1)
  const { email, to } = world.sink.mails[0]!
  expect(to).toEqual(['jo@example.net'])
  expect(email.from?.address).toBe('plumbline@example.com')
  expect(email.text).toContain('jose.muller')
  expect(email.text).toContain('https://auth.example.com')
  // Neither the answer nor the mail nor the audit trail nor the database shows a hash.
  const audit = await at.call('GET', '/api/audit')
  for (const text of [JSON.stringify(answer.body), email.text ?? '', JSON.stringify(audit.body)])
    expect(text).not.toContain('argon2')
  expect(JSON.stringify(audit.body)).toContain('invite_user')
})

itInDepth(
  'the same suggestion makes another name, the same address is a conflict, and a bad one is named',
  async () => {
    await using world = await peopleWorld()
    await using at = await openTestHouse({ env: world.env })
    const invite = (body: object) => at.call('POST', '/api/users/invite', { body })
    expect((await invite(JO)).body['username']).toBe('jose.muller')
    expect((await invite({ ...JO, email: 'jo2@example.net' })).body['username']).toBe('jose.muller2')
    expect((await invite({ ...JO, username: 'Owner', email: 'x@example.net' })).body['username']).toBe(
      'owner2',
    )
    expect((await invite({ ...JO, email: 'JO@example.net' })).status).toBe(409)
    expect((await invite({ ...JO, email: 'owner@example.com' })).status).toBe(409)
    for (const username of ['root', 'no', 'null', '123', '__proto__', '  ', '-', 'ADMIN'])
      expect((await invite({ ...JO, username, email: 'y@example.net' })).status, username).toBe(422)
    for (const email of ['x', 'a@b', 'a@b.c, d@e.f', 'a\r\nBcc: b@c.de@example.com', '<a@b.cd>'])
      expect((await invite({ ...JO, email })).status, email).toBe(422)
    for (const display_name of ['a\nb', '', ' ', 'x\u0000', 'Kim \u202eeoP'])
      expect((await invite({ ...JO, display_name, email: 'z@example.net' })).status).toBe(422)
    expect([...world.users().keys()]).toEqual(['owner', 'jose.muller', 'jose.muller2', 'owner2'])
    expect(world.sink.mails).toHaveLength(3)
  },
)

itInDepth('a dry run says the name and changes nothing', async () => {
  await using world = await peopleWorld()
  await using at = await openTestHouse({ env: world.env })
  const answer = await at.call('POST', '/api/users/invite?dry_run=true', { body: JO })
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({
    username: 'jose.muller',
    instructions: {
      subject: 'You have been invited',
      text: expect.stringContaining('User name: jose.muller') as string,
    },
  })
  // A slip is seen before the press: nobody is in these yet.
  expect(answer.body['plan']).toMatchObject({
    warnings: [
      expect.stringContaining('group dev') as string,
      expect.stringContaining('group family') as string,
    ],
  })
  expect(answer.body['plan']).toMatchObject({
    actions: [
      {
        component: 'people',
        verb: 'create',
        item: 'user jose.muller',
        before: null,
        after: 'in dev, family',
      },
    ],
  })
  expect(world.text()).toBe(OWNER)
  expect((await at.call('GET', '/api/users')).body).toHaveLength(1)
  expect(world.sink.mails).toEqual([])
})

itInDepth('a dry run of other groups, and of a revocation, shows them and changes nothing', async () => {
  await using world = await peopleWorld()
  await using at = await openTestHouse({ env: world.env })
  await at.call('POST', '/api/users/invite', { body: JO })
  const text = world.text()
  const dry = async (method: 'POST' | 'PUT', path: string, body?: object) =>
    (await at.call(method, `/api/users/jose.muller/${path}?dry_run=true`, body && { body })).body['plan']
  const planned = { component: 'people', verb: 'update', item: 'user jose.muller' }
  expect(await dry('PUT', 'groups', { groups: ['admins'] })).toMatchObject({
    actions: [{ ...planned, after: 'in admins' }],
  })
  expect(await dry('POST', 'revoke')).toMatchObject({ actions: [{ ...planned, after: 'disabled' }] })
  expect(await dry('POST', 'resend')).toMatchObject({
    actions: [
      { component: 'mail', verb: 'create', item: `to ${JO.email}`, after: 'the invitation once more' },
    ],
  })
  expect(world.text()).toBe(text)
})

it('a repeat of an invitation that is not done goes on with it; one that asks for other groups is refused', async () => {
  await using world = await peopleWorld()
  await using at = await openTestHouse({ env: world.env })
  world.sink.misbehave({ reply: 451, at: 'data' })
  const invite = (body: object) => at.call('POST', '/api/users/invite', { body })
  expect((await invite(JO)).status).toBe(201)
  expect((await invite({ ...JO, groups: [...JO.groups].toReversed() })).status).toBe(201)
  for (const other of [{ groups: ['admins'] }, { display_name: 'Somebody Else' }]) {
    const refused = await invite({ ...JO, ...other })
    expect([refused.status, refused.body['code']]).toEqual([409, 'conflict'])
    expect(refused.body['detail']).toContain('was invited already as jose.muller')
  }
  expect(world.user('jose.muller')?.groups.toSorted()).toEqual(JO.groups.toSorted())
})

itInDepth(
  'a revoked person is disabled, stays so when the provider drops the flag, and never comes back',
  async () => {
    await using world = await peopleWorld()
    await using at = await openTestHouse({ env: world.env })
    await at.call('POST', '/api/users/invite', { body: JO })
    const answer = await at.call('POST', '/api/users/jose.muller/revoke')
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(world.user('jose.muller')?.disabled).toBe(true)
    const text = world.text()
    expect((await at.call('POST', '/api/users/jose.muller/revoke')).status).toBe(200)
    expect(world.text()).toBe(text)
    expect((await at.call('POST', '/api/users/nobody/revoke')).status).toBe(404)

    // Authelia up to 4.39.20 writes the file anew at each change of a password: no comments, other order, no flag.
    const hash = world.user('jose.muller')!.password
    world.write(
      `users:\n    jose.muller:\n        password: ${hash}\n        displayname: José Müller\n        email: jo@example.net\n        groups:\n            - dev\n            - family\n    owner:\n        password: ${A_HASH}\n        displayname: The Owner\n        email: owner@example.com\n        groups:\n            - admins\n`,
    )
    await expect.poll(() => world.user('jose.muller')?.disabled).toBe(true)
    expect(world.user('owner')).toMatchObject({ disabled: false, password: A_HASH, groups: ['admins'] })

    const again = await at.call('POST', '/api/users/invite', { body: JO })
    expect(again.body['username']).toBe('jose.muller2')
    expect(world.user('jose.muller')?.disabled).toBe(true)
  },
)

it('a user who was there before can be revoked by name, and nobody else is touched', async () => {
  const guest = `  guest: {displayname: Guest, password: '${A_HASH}', pet: Rex} # keep\n`
  await using world = await peopleWorld(`${OWNER}${guest}`)
  await using at = await openTestHouse({ env: world.env })
  expect((await at.call('POST', '/api/users/guest/revoke')).status).toBe(200)
  expect(world.text()).toBe(`${OWNER}${guest.replace('{', '{disabled: true, ')}`)
  const regrouped = await at.call('PUT', '/api/users/owner/groups', { body: { groups: [] } })
  expect([regrouped.status, regrouped.body['detail']]).toEqual([
    404,
    'Nobody named "owner" was invited here; who stands in the users file (PLUMBLINE_SSO_USERS_FILE) alone is changed there.',
  ])
  expect((await at.call('POST', '/api/users/owner/resend')).status).toBe(404)
})

itInDepth(
  'groups are what the database says, also after an edit by hand, and a lost user comes back',
  async () => {
    await using world = await peopleWorld()
    await using at = await openTestHouse({ env: world.env })
    await at.call('POST', '/api/users/invite', { body: JO })
    const answer = await at.call('PUT', '/api/users/jose.muller/groups', { body: { groups: ['family'] } })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(world.user('jose.muller')?.groups).toEqual(['family'])
    world.write(world.text().replace('["family"]', '["family", "admins"]'))
    await expect.poll(() => world.user('jose.muller')?.groups).toEqual(['family'])
    const before = world.user('jose.muller')!.password
    world.write(OWNER)
    await expect.poll(() => world.user('jose.muller')?.groups).toEqual(['family'])
    expect(world.user('jose.muller')?.password).not.toBe(before)
    expect(schemaFaults(world.text())).toEqual([])
  },
)

itInDepth(
  'a file that does not exist is not made by an invitation, and one that is lost later is not made anew',
  async () => {
    await using world = await peopleWorld(null)
    await using at = await openTestHouse({ env: world.env, opened: false })
    for (const query of ['', '?dry_run=true']) {
      const refused = await at.call('POST', `/api/users/invite${query}`, { body: JO })
      expect(refused.status).toBe(503)
      expect(refused.body['detail']).toContain(`${world.users_path} does not exist`)
      expect(refused.body['detail']).toContain('PLUMBLINE_SSO_USERS_FILE')
    }
    expect(existsSync(world.users_path)).toBe(false)
    const unread = await at.call('GET', '/api/users')
    expect([unread.status, unread.body['detail']]).toEqual([503, expect.stringContaining('does not exist')])
    world.write('users: {}\n')
    expect((await at.call('GET', '/api/users')).body).toEqual([])
    expect((await at.call('POST', '/api/users/invite', { body: JO })).status).toBe(201)
    expect([...world.users().keys()]).toEqual(['jose.muller'])
    const { rmSync } = await import('node:fs')
    rmSync(world.users_path)
    const answer = await at.call('POST', '/api/users/invite', { body: { ...JO, email: 'x@example.net' } })
    expect(answer.status).toBe(503)
    expect(answer.body['detail']).toContain('is gone')
    expect(existsSync(world.users_path)).toBe(false)
  },
)

itOneIn(6).each([
  ['cut in the middle', `users:\n  owner:\n    password: '${A_HASH}\n`, 503],
  ['empty', '', 503],
  ['no YAML', '\u0000', 503],
  ['a list', '- owner\n', 503],
  ['with a broken user', `${OWNER}  bad:\n    displayname: Bad\n`, 409],
  ['with a plain-text password', `${OWNER}  bad:\n    displayname: Bad\n    password: "$plaintext$x"\n`, 409],
])('a users file that is %s is left as it is, and nobody is invited', async (_name, text, status) => {
  await using world = await peopleWorld(text)
  await using at = await openTestHouse({ env: world.env, opened: false })
  const answer = await at.call('POST', '/api/users/invite', { body: JO })
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  expect(world.text()).toBe(text)
  expect(world.sink.mails).toEqual([])
  // Nobody is told that there is nobody.
  const can_be_read = status === 409
  for (const path of ['/api/users', '/api/users/owner'])
    expect((await at.call('GET', path)).status).toBe(can_be_read ? 200 : 503)
  world.write(OWNER)
  expect((await at.call('POST', '/api/users/invite', { body: JO })).body['username']).toBe('jose.muller')
})

it('without a users file nothing is managed and everything says so', async () => {
  await using at = await openTestHouse()
  expect((await at.call('GET', '/api/users')).body).toEqual([])
  expect((await at.call('POST', '/api/users/invite', { body: JO })).status).toBe(503)
  expect((await at.call('GET', '/api/email/health')).body).toMatchObject({ configured: false, ok: null })
  expect((await at.call('GET', '/api/email/aliases')).body).toEqual([])
})

itInDepth('a mail address that mail may not go to is told once, and nobody waits for it', async () => {
  await using world = await peopleWorld()
  const env = { ...world.env, PLUMBLINE_MAIL_RECIPIENT_DOMAINS: 'example.com' }
  await using at = await openTestHouse({ env })
  const answer = await at.call('POST', '/api/users/invite', {
    body: { display_name: 'Jo Doe', email: 'jo@example.net' },
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  expect(JSON.stringify(answer.body['warnings'])).toMatch(/no domain that may receive mail/)
  expect(answer.body['message']).toBe('jo.doe was taken in; the mail has not gone out.')
  const { body } = await at.call('GET', '/api/users/jo.doe')
  expect(body['invitation']).toMatchObject({ step: 'done' })
  expect(world.sink.mails).toHaveLength(0)
})

itInDepth('a text that can be no user name is told from one that nobody has', async () => {
  await using world = await peopleWorld()
  await using at = await openTestHouse({ env: world.env })
  const statuses = async (name: string) => {
    const path = `/api/users/${encodeURIComponent(name)}`
    const answers = [
      await at.call('GET', path),
      await at.call('POST', `${path}/revoke`),
      await at.call('POST', `${path}/resend`),
      await at.call('PUT', `${path}/groups`, { body: { groups: ['family'] } }),
    ]
    return answers.map(({ status }) => status)
  }
  expect(await statuses('nobody')).toEqual([404, 404, 404, 404])
  for (const name of ['not a name', '-x', 'jö', 'a:b'])
    expect(await statuses(name), name).toEqual([422, 422, 422, 422])
})
