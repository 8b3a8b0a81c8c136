/** The bodies of adding and removing a client: one name for the key in both, and a fault names the field that was sent. */
import { mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SAID } from '../model/ssh/keys.ts'
import { openTestHouse } from './test-house.ts'

const ALL = '/api/ssh-clients'
const KEY = SAID.ED25519.join(' ')

it('adding and removing call the key alike, and either name is one for both', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'plumbline-keys-'))
  const keys = join(folder.path, 'authorized_keys')
  await using at = await openTestHouse({ env: { PLUMBLINE_AUTHORIZED_KEYS: keys } })
  for (const [added, removed] of [
    ['public_key', 'public_key'],
    ['key', 'key'],
    ['public_key', 'key'],
  ] as const) {
    const one = await at.call('POST', ALL, { body: { [added]: KEY } })
    expect(one.status, JSON.stringify(one.body)).toBe(200)
    const gone = await at.call('DELETE', ALL, { body: { [removed]: KEY } })
    expect(gone.status, JSON.stringify(gone.body)).toBe(200)
  }
  for (const method of ['POST', 'DELETE'] as const) {
    const fault = async (body: object) =>
      (await at.call(method, ALL, { body })).body['errors'] as unknown as object[]
    expect(await fault({})).toEqual([{ loc: ['body', 'public_key'], msg: 'is required', type: 'missing' }])
    const both = { key: KEY, public_key: KEY }
    expect(await fault(both)).toMatchObject([{ loc: ['body', 'public_key'], type: 'duplicate' }])
    expect(await fault({ key: 'short' })).toMatchObject([{ loc: ['body', 'key'] }])
    expect(await fault({ public_key: 'short' })).toMatchObject([{ loc: ['body', 'public_key'] }])
  }
})

it('changing one option of a client leaves the others; null and an empty list clear', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'plumbline-keys-'))
  const keys = join(folder.path, 'authorized_keys')
  await using at = await openTestHouse({ env: { PLUMBLINE_AUTHORIZED_KEYS: keys } })
  const change = (options: object) => at.call('POST', ALL, { body: { public_key: KEY, options } })
  const line = () => readFileSync(keys, 'utf8').match(/^restrict.*? ssh-ed25519/m)?.[0]
  const end = '2099-01-31T12:00:00Z'
  await change({ command: 'backup', from: ['192.0.2.7'], port_forwarding: true, expires_at: end })
  const limits = 'from="192.0.2.7",command="backup",expiry-time="20990131120000Z"'
  expect(line()).toBe(`restrict,pty,port-forwarding,${limits} ssh-ed25519`)
  expect((await change({ pty: false })).status).toBe(200)
  expect(line()).toBe(`restrict,port-forwarding,${limits} ssh-ed25519`)
  // Judged by what comes of it: ports may be forwarded already.
  expect((await change({ permit_open: ['db.lan:5432'] })).status).toBe(200)
  const refused = await change({ port_forwarding: false, permit_open: ['db.lan:5432'] })
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: [{ loc: ['body', 'options', 'port_forwarding'] }] },
  })
  await change({ command: null, from: [], expires_at: null, permit_open: [], port_forwarding: false })
  expect(line()).toBe('restrict ssh-ed25519')
})

it('of a new client the rest is as by default, and judged so', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'plumbline-keys-'))
  const env = { PLUMBLINE_AUTHORIZED_KEYS: join(folder.path, 'authorized_keys') }
  await using at = await openTestHouse({ env: { ...env, PLUMBLINE_SSH_CLIENT_OPTIONS: 'none' } })
  const options = { permit_open: ['db.lan:5432'] }
  const refused = await at.call('POST', ALL, { body: { public_key: KEY, options } })
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: [{ loc: ['body', 'options', 'port_forwarding'] }] },
  })
})
