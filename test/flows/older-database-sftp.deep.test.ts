/** A database that was set back, with the keys on a real gateway over SFTP: a revoked key lets nobody in before the decision. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { makeSshKey } from '../peers/ssh-key.ts'
import { describePeers } from '../peers/peers.ts'
import { type Sshd, SSHD_PROGRAMS, startSshd } from '../peers/sshd.ts'
import { keepEarlier, setBackTo, WAYS } from './older-database.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { newFolder } from '../kit/new-folder.ts'

const CLIENTS = '/api/ssh-clients'
const RESUME = '/api/releases/resume'

describePeers(SSHD_PROGRAMS, 'a database that was set back, before a gateway over SFTP', () => {
  let gateway: Sshd
  let folder: string
  let at: TestHouse

  beforeAll(async () => {
    gateway = await startSshd()
    folder = newFolder('setback')
    for (const name of ['alice', 'bob']) await makeSshKey(join(folder, name), name)
  })
  afterAll(() => gateway.stop())
  beforeEach(async () => {
    rmSync(gateway.authorized_keys, { force: true })
    at = await openTestHouse({
      env: {
        PLUMBLINE_AUTHORIZED_KEYS: `sftp://${gateway.user}@127.0.0.1:${gateway.port}${gateway.authorized_keys}`,
        PLUMBLINE_AUTHORIZED_KEYS_IDENTITY: gateway.identity_file,
        PLUMBLINE_AUTHORIZED_KEYS_HOST_KEY: gateway.host_key,
      },
    })
  })
  afterEach(() => at[Symbol.asyncDispose]())

  const keyOf = (name: string) => readFileSync(join(folder, `${name}.pub`), 'utf8')
  const letsIn = async (name: string) => (await gateway.logIn(join(folder, name))) !== null
  const call = async (method: string, path: string, body: object) => {
    const answer = await at.call(method, path, { body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body
  }
  /** Every key has been looked at since the start, so whatever would be written has been. */
  const settled = () =>
    expect.poll(() => at.house.engine.lastReports().length).toBe(at.house.engine.keys().length)

  const cases = WAYS.flatMap((way) => [[way, 'world'] as const, [way, 'database'] as const])
  const TITLE = '%s: the key that was revoked since stays out until the decision for the %s'

  it.each(cases)(TITLE, async (way, take) => {
    await createActive(at.call)
    await call('POST', CLIENTS, { public_key: keyOf('alice') })
    using earlier = await keepEarlier(at.directory, way, () =>
      create(at.call, { domain: 'draft.example.com' }),
    )
    await call('DELETE', CLIENTS, { key: keyOf('alice') })
    await call('POST', CLIENTS, { public_key: keyOf('bob') })
    const bytes = readFileSync(gateway.authorized_keys)
    at = await setBackTo(earlier, at)
    await settled()
    const refused = await at.call('POST', CLIENTS, { body: { public_key: keyOf('alice') } })
    expect(refused).toMatchObject({ status: 409, body: { code: 'restored_from_backup' } })
    expect((await at.call('POST', '/api/reconcile')).status).toBe(409)
    expect(readFileSync(gateway.authorized_keys)).toEqual(bytes)
    expect([await letsIn('alice'), await letsIn('bob')]).toEqual([false, true])

    const plan = await call('POST', RESUME, { take })
    await call('POST', `${RESUME}?confirm=${plan['hash'] as unknown as string}`, { take })
    const drift = async () => (await at.call('GET', '/api/drift')).body['drift']
    await expect.poll(drift).toBe(false)
    const keeps_world = take === 'world'
    expect([await letsIn('alice'), await letsIn('bob')]).toEqual([!keeps_world, keeps_world])
  })
})
