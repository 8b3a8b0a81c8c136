/** The bodies of adding and removing a client: one name for the key in both, and a fault names the field that was sent. */
import { mkdtempDisposableSync } from 'node:fs'
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
