/** The users file in the spelling of whoever reads it: what our own parser takes is not what the SSO provider takes. */
import { expect, it } from 'vitest'
import { A_HASH, OWNER, peopleWorld } from './people-world.ts'
import { openTestHouse } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'

const FOX = { display_name: 'Fox 🦊', email: 'fox@example.net', username: 'fox' }
/** As an older version of ours wrote it. */
const OLDER = `${OWNER}  "fox":
    disabled: false
    displayname: "Fox \\ud83e\\udd8a \\\\ud83e"
    password: "${A_HASH}"
    email: "fox@example.net"
    groups: []
`

itInDepth('a name beyond U+FFFF is written in the one spelling that every reader takes', async () => {
  await using world = await peopleWorld()
  await using at = await openTestHouse({ env: world.env })
  expect((await at.call('POST', '/api/users/invite', { body: FOX })).status).toBe(201)
  expect(world.text()).toContain('displayname: "Fox \\U0001f98a"')
  expect(world.user('fox')?.display_name).toBe(FOX.display_name)
})

it('our older spelling is drift, told as ours, and mended by the next pass', async () => {
  await using world = await peopleWorld(OLDER)
  await using at = await openTestHouse({ env: { ...world.env, PLUMBLINE_MODE: 'observe' } })
  const drift = await at.call('GET', '/api/drift')
  expect(JSON.stringify(drift.body)).toContain('renderer_changed')
  expect(drift.body['drift']).toBe(true)
  expect(world.text()).toBe(OLDER)
  await at.call('PUT', '/api/modes/*', { body: { mode: 'repair' } })
  await expect.poll(() => world.text()).toContain('displayname: "Fox \\U0001f98a \\\\ud83e"')
  expect(world.text()).toBe(OLDER.replace('\\ud83e\\udd8a', '\\U0001f98a'))
  await expect.poll(async () => (await at.call('GET', '/api/drift')).body['drift']).toBe(false)
})

itOneIn(2).each([
  ['a flag in quotes', `  bad: {displayname: B, password: '${A_HASH}', disabled: "false"}\n`],
  ['an entry without a password', '  bad: {displayname: B}\n'],
])('while the provider refuses the file for %s, no revocation is in force', async (_name, line) => {
  await using world = await peopleWorld()
  await using at = await openTestHouse({ env: world.env })
  expect((await at.call('POST', '/api/users/invite', { body: FOX })).status).toBe(201)
  const before = world.text()
  world.write(before.replace('users:\n', `users:\n${line}`))
  await expect.poll(async () => (await at.call('GET', '/api/drift')).body['drift']).toBe(true)
  const answer = await at.call('POST', '/api/users/fox/revoke')
  expect(answer.status, JSON.stringify(answer.body)).toBe(503)
  expect(answer.body['detail']).toContain('user bad has')
  // The user is disabled all the same, for whoever mends the file.
  expect(world.user('fox')?.disabled).toBe(true)
  expect((await at.call('GET', '/api/control-plane/health')).body['ok']).toBe(false)
  world.write(world.text().replace(line, ''))
  expect((await at.call('POST', '/api/users/fox/revoke')).status).toBe(200)
  await expect.poll(async () => (await at.call('GET', '/api/drift')).body['drift']).toBe(false)
})

itInDepth('a file that only our own parser takes is no file: nobody is told of a revocation', async () => {
  await using world = await peopleWorld()
  await using at = await openTestHouse({ env: world.env })
  expect((await at.call('POST', '/api/users/invite', { body: FOX })).status).toBe(201)
  const broken = world.text().replace('The Owner', 'The \\/ Owner')
  world.write(broken)
  const answer = await at.call('POST', '/api/users/fox/revoke')
  expect(answer.status).toBe(503)
  expect(answer.body['detail']).toContain('line 5')
  expect(world.text()).toBe(broken)
})

it('half a surrogate pair is refused in every text of every body, and the field is named', async () => {
  await using world = await peopleWorld()
  await using at = await openTestHouse({ env: world.env })
  const half = '"a\\ud83e"'
  const bodies: readonly (readonly [string, string, string, string])[] = [
    ['POST', '/api/users/invite', `{"display_name": ${half}, "email": "a@example.com"}`, 'display_name'],
    [
      'POST',
      '/api/users/invite',
      `{"display_name": "a", "email": "a@example.com", "groups": ["b", ${half}]}`,
      'groups.1',
    ],
    ['POST', '/api/domains', `{"domain": "a.example.com", "note": ${half}}`, 'note'],
    ['POST', '/api/domains', `{"domain": "a.example.com", ${half}: 1}`, 'a\ufffd'],
    ['POST', '/api/ssh-clients', `{"public_key": "ssh-ed25519 AAAA", "name": ${half}}`, 'name'],
    ['PUT', '/api/modes/*', `{"mode": "suspend", "reason": ${half}}`, 'reason'],
    ['POST', '/api/email/send', `{"to": "a@example.com", "subject": ${half}, "body": "x"}`, 'subject'],
  ]
  for (const [method, path, body, field] of bodies) {
    const answer = await at.call(method, path, { body })
    expect(answer.status, body).toBe(422)
    const errors = answer.body['errors'] as unknown as { loc: string[]; msg: string }[]
    expect(errors.map(({ loc }) => loc.join('.'))).toContain(`body.${field}`)
    const about = errors.find(({ loc }) => loc.join('.') === `body.${field}`)
    expect(about?.msg).toContain('half a surrogate pair')
  }
})
