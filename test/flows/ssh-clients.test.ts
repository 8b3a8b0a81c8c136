/** The clients of the SSH gateway over a whole house, with a real sshd as the judge of who gets in. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { runTool } from '../peers/peer.ts'
import { describePeers } from '../peers/peers.ts'
import { type Sshd, SSHD_PROGRAMS, startSshd } from '../peers/sshd.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'

const ALL = '/api/ssh-clients'

describePeers(SSHD_PROGRAMS, 'SSH clients at a real gateway', () => {
  let gateway: Sshd
  let folder: string
  let at: TestHouse

  beforeAll(async () => {
    gateway = await startSshd()
    folder = mkdtempSync(join(tmpdir(), 'plumbline-keys-'))
    for (const name of ['alice', 'bob'])
      await runTool('ssh-keygen', [
        '-q',
        '-t',
        'ed25519',
        '-N',
        '',
        '-C',
        `${name}@lap top`,
        '-f',
        join(folder, name),
      ])
  })
  afterAll(async () => {
    await gateway.stop()
    rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    rmSync(gateway.authorized_keys, { force: true })
    at = await openTestHouse({ env: { PLUMBLINE_AUTHORIZED_KEYS: gateway.authorized_keys } })
  })
  afterEach(() => at[Symbol.asyncDispose]())

  const keyOf = (name: string) => readFileSync(join(folder, `${name}.pub`), 'utf8')
  const logIn = (name: string, words?: readonly string[]) => gateway.logIn(join(folder, name), words)
  const file = () => readFileSync(gateway.authorized_keys, 'utf8')
  const states = async () => {
    const { body } = await at.call('GET', ALL)
    const clients = body['clients'] as unknown as readonly { name: string; state: string }[]
    return clients.map(({ name, state }) => `${name} ${state}`)
  }

  it('a key that was added logs in when the answer comes, and one that was removed does not', async () => {
    expect(await logIn('alice').catch(() => null)).toBeNull()
    const added = await at.call('POST', ALL, { body: { public_key: keyOf('alice') }, key: null })
    expect(added).toMatchObject({
      status: 200,
      body: {
        success: true,
        created: true,
        type: 'ssh-ed25519',
        bits: 256,
        name: 'alice@lap-top',
        warnings: [],
      },
    })
    const shown = await runTool('ssh-keygen', ['-l', '-f', join(folder, 'alice.pub')])
    expect(shown.split(' ')[1]).toBe(added.body['fingerprint'])
    expect(await logIn('alice', ['echo', 'in'])).toBe('in\n')
    expect(await logIn('bob')).toBeNull()
    expect(statSync(gateway.authorized_keys).mode & 0o777).toBe(0o600)

    const removed = await at.call('DELETE', ALL, { body: { key: added.body['fingerprint'] }, key: null })
    expect(removed).toMatchObject({ status: 200, body: { name: 'alice@lap-top', warnings: [] } })
    expect(await logIn('alice')).toBeNull()
  })

  it('foreign lines keep their bytes and their access, are shown, and are never meant by a removal', async () => {
    const foreign = `# mine\r\n\r\n${keyOf('bob').trim()}`
    writeFileSync(gateway.authorized_keys, foreign, { mode: 0o640 })
    await at.call('POST', ALL, { body: { public_key: keyOf('alice'), name: 'alice' } })
    expect(file().startsWith(`${foreign}\n# plumbline:begin`)).toBe(true)
    expect(statSync(gateway.authorized_keys).mode & 0o777).toBe(0o640)
    expect(await logIn('bob', ['echo', 'bob'])).toBe('bob\n')
    expect(await logIn('alice', ['echo', 'alice'])).toBe('alice\n')
    expect(await states()).toEqual(['alice deployed', 'bob@lap-top foreign'])
    const refused = await at.call('DELETE', ALL, { body: { key: keyOf('bob') } })
    expect(refused.status).toBe(404)
    await at.call('DELETE', ALL, { body: { key: keyOf('alice') } })
    expect(file().startsWith(`${foreign}\n# plumbline:begin`)).toBe(true)
    expect(await logIn('bob', ['echo', 'bob'])).toBe('bob\n')
  })

  it('a key that is put between our lines by hand is taken out again, and one that was taken out is back', async () => {
    await at.call('POST', ALL, { body: { public_key: keyOf('alice'), name: 'alice' } })
    const ours = file()
    writeFileSync(gateway.authorized_keys, ours.replace(/^restrict.*$/m, keyOf('bob').trim()))
    await expect.poll(file, { timeout: 5000 }).toBe(ours)
    expect(await logIn('bob')).toBeNull()
    expect(await logIn('alice', ['echo', 'alice'])).toBe('alice\n')
    appendFileSync(gateway.authorized_keys, '# a remark\n')
    expect((await at.call('GET', '/api/drift')).body).toMatchObject({ drift: false })
  })
})
