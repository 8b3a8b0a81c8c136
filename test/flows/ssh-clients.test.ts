/** The clients of the SSH gateway over a whole house, with a real sshd as the judge of who gets in. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync, appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import Database from 'better-sqlite3'
import { runTool } from '../peers/peer.ts'
import { describePeers } from '../peers/peers.ts'
import { type Sshd, SSHD_PROGRAMS, startSshd } from '../peers/sshd.ts'
import { randomFrom, spoilt } from '../fuzz/ssh/keys.ts'
import { withoutStamp } from '../../src/features/ssh-clients/model/block.ts'
import { OTHER as VICTIM, RSA, SAID } from '../model/ssh/keys.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'
import { byTier } from '../kit/tier.ts'
import { itInDepth } from '../kit/in-depth.ts'
import type { ClientsAnswer } from '../../src/features/ssh-clients/views.ts'
import { newFolder } from '../kit/new-folder.ts'
import { makeSshKey } from '../peers/ssh-key.ts'

const ALL = '/api/ssh-clients'

describePeers(SSHD_PROGRAMS, 'SSH clients at a real gateway', () => {
  let gateway: Sshd
  let folder: string
  let at: TestHouse

  beforeAll(async () => {
    gateway = await startSshd()
    folder = newFolder('keys')
    for (const name of ['alice', 'bob']) await makeSshKey(join(folder, name), `${name}@lap top`)
  })
  afterAll(() => gateway.stop())
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

  itInDepth(
    'a small RSA key is not let in anew; one that is there already stays, is shown, and can be taken away',
    async () => {
      const refused = await at.call('POST', ALL, { body: { public_key: `${RSA} old` } })
      expect(refused).toMatchObject({ status: 422, body: { errors: [{ loc: ['body', 'public_key'] }] } })
      expect(refused.body['detail']).toMatch(/has 2048 bits.*at least 3072.*ed25519/)
      expect((await at.call('POST', ALL, { body: { public_key: keyOf('alice') } })).status).toBe(200)
      // As an earlier version let it in, and as somebody else did on another line.
      await at.house.close()
      const [type, key] = RSA.split(' ')
      const database = new Database(join(at.directory, 'plumbline.db'))
      database
        .prepare(
          `INSERT INTO ssh_clients SELECT ?, ?, ?, 2048, 'old', options, 1, 1, 1 FROM ssh_clients LIMIT 1`,
        )
        .run(SAID.RSA[2], type, key)
      database.close()
      appendFileSync(gateway.authorized_keys, `${RSA} theirs\n`)
      at = await at.reopen()
      await expect.poll(async () => (await states()).includes('old deployed')).toBe(true)
      expect(await states()).toContain('theirs foreign')
      const { clients } = (await at.call('GET', ALL)).body as unknown as ClientsAnswer
      for (const { name, weakness } of clients)
        if (name === 'alice-lap-top') expect(weakness).toBeNull()
        else if (name === 'old' || name === 'theirs') expect(weakness).toContain('3072')
      const changed = await at.call('POST', ALL, { body: { public_key: RSA, name: 'older' } })
      expect(changed.status, JSON.stringify(changed.body)).toBe(200)
      expect((await at.call('DELETE', ALL, { body: { key: RSA } })).status).toBe(200)
      expect(file()).toContain(`${RSA} theirs`)
    },
  )

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

  itInDepth(
    'foreign lines keep their bytes and their access, are shown, and are never meant by a removal',
    async () => {
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
    },
  )

  itInDepth(
    'a key that is put between our lines by hand is taken out again, and one that was taken out is back',
    async () => {
      await at.call('POST', ALL, { body: { public_key: keyOf('alice'), name: 'alice' } })
      const ours = file()
      writeFileSync(gateway.authorized_keys, ours.replace(/^restrict.*$/m, keyOf('bob').trim()))
      await expect.poll(file).toBe(ours)
      expect(await logIn('bob')).toBeNull()
      expect(await logIn('alice', ['echo', 'alice'])).toBe('alice\n')
      appendFileSync(gateway.authorized_keys, '# a remark\n')
      expect((await at.call('GET', '/api/drift')).body).toMatchObject({ drift: false })
    },
  )

  itInDepth('what a key may be used for is what sshd lets it do', async () => {
    const cleared = { command: null, from: [], expires_at: null }
    const tried = async (options: object, words: readonly string[] = ['echo', 'asked']) => {
      const body = { public_key: keyOf('alice'), name: 'alice', options: { ...cleared, ...options } }
      const answer = await at.call('POST', ALL, { body })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      return logIn('alice', words)
    }
    expect(await tried({})).toBe('asked\n')
    expect(await tried({ command: 'echo forced "$SSH_ORIGINAL_COMMAND"'.replaceAll('"', "'") })).toBe(
      'forced $SSH_ORIGINAL_COMMAND\n',
    )
    expect(await tried({ from: ['192.0.2.0/24', '2001:db8::/32'] })).toBeNull()
    expect(await tried({ from: ['192.0.2.7', '127.0.0.0/8'] })).toBe('asked\n')
    expect(await tried({ expires_at: '2020-01-01T00:00:00Z' })).toBeNull()
    expect(await tried({ expires_at: '2099-01-01T00:00:00Z' })).toBe('asked\n')
    const all = {
      pty: true,
      port_forwarding: true,
      agent_forwarding: true,
      x11_forwarding: true,
      user_rc: true,
    }
    const permit = { permit_open: ['db.lan:5432', '[::1]:*'], permit_listen: ['8080', 'localhost:*'] }
    expect(await tried({ ...all, ...permit })).toBe('asked\n')
    const { body } = await at.call('GET', ALL)
    expect(body['clients']).toMatchObject([{ revision: 7, options: { ...all, ...permit, expires_at: null } }])
  })

  itInDepth(
    'the same key again is no error and no second line; a new name or new options are taken over',
    async () => {
      const body = { public_key: keyOf('alice') }
      await at.call('POST', ALL, { body })
      const once = file()
      const again = await at.call('POST', ALL, { body: { public_key: keyOf('alice').replace('@', ' at ') } })
      expect(again).toMatchObject({ status: 200, body: { created: false, name: 'alice@lap-top' } })
      expect(file()).toBe(once)
      await at.call('POST', ALL, { body: { ...body, name: 'a.l', options: { pty: false } } })
      expect(withoutStamp(file())).toBe(
        withoutStamp(once).replace('restrict,pty,', 'restrict,').replace('alice@lap-top', 'a.l'),
      )
      const trail = await at.call('GET', '/api/audit')
      const entries = trail.body as unknown as readonly { action: string; revision_after: number }[]
      expect(entries.map(({ action, revision_after }) => [action, revision_after])).toEqual([
        ['change_ssh_client', 2],
        ['add_ssh_client', 1],
      ])
    },
  )

  it('whoever takes port forwarding away need not name the ports, which the answer and the dry run say', async () => {
    const ports = { permit_open: ['10.0.0.1:22'], permit_listen: ['8080'] }
    const given = { port_forwarding: true, ...ports, command: 'true' }
    await at.call('POST', ALL, { body: { public_key: keyOf('alice'), options: given } })
    const taking = (options: object) => ({ body: { public_key: keyOf('alice'), options } })
    const warning = 'No ports may be forwarded any more, so these are dropped: 10.0.0.1:22, 8080.'
    const away = taking({ port_forwarding: false })
    const dry = await at.call('POST', `${ALL}?dry_run=true`, away)
    expect(dry.body).toMatchObject({ plan: { warnings: [warning] } })
    expect((await at.call('POST', ALL, taking({ port_forwarding: false, ...ports }))).status).toBe(422)
    expect(await at.call('POST', ALL, away)).toMatchObject({ status: 200, body: { warnings: [warning] } })
    const { body } = await at.call('GET', ALL)
    const left = { port_forwarding: false, permit_open: [], permit_listen: [], command: 'true' }
    expect(body['clients']).toMatchObject([{ options: left }])
    expect((await at.call('POST', ALL, taking({ permit_open: ['10.0.0.1:22'] }))).status).toBe(422)
  })

  it('a text that any key could contain removes nothing, and several matches are named', async () => {
    for (const name of ['alice', 'bob'])
      await at.call('POST', ALL, { body: { public_key: keyOf(name), name: `${name}-on-gate` } })
    const before = file()
    for (const key of ['', '  ', 'ssh-', 'ssh-ed25519', 'AAAA', 'AAAAC3NzaC1lZDI1NTE5AAAAI', 'SHA256:'])
      expect((await at.call('DELETE', ALL, { body: { key } })).status, key).toBe(422)
    const several = await at.call('DELETE', ALL, { body: { key: '-on-gate' } })
    expect(several.status).toBe(409)
    expect(several.body['candidates']).toHaveLength(2)
    expect((await at.call('DELETE', ALL, { body: { key: 'nobody-here' } })).status).toBe(404)
    expect(file()).toBe(before)
  })

  itInDepth('a dry run shows the line that would come, change or go, and changes none', async () => {
    const add = { public_key: keyOf('alice'), name: 'alice-on-gate' }
    const dry = async (method: 'POST' | 'DELETE', body: object) => {
      const answer = await at.call(method, `${ALL}?dry_run=true`, { body })
      expect(answer.status).toBe(200)
      return answer.body['plan']
    }
    const item = expect.stringMatching(/^SHA256:\S+ alice-on-gate$/) as unknown
    const line = expect.stringContaining('alice-on-gate') as unknown
    const base = { component: 'ssh-gateway', item }
    expect(await dry('POST', add)).toMatchObject({
      actions: [{ ...base, verb: 'create', before: null, after: line }],
      warnings: [],
    })
    expect(existsSync(gateway.authorized_keys) && file().includes('alice-on-gate')).toBe(false)
    await at.call('POST', ALL, { body: add })
    expect(await dry('POST', add)).toMatchObject({
      actions: [],
      warnings: [expect.stringContaining('is there already')],
    })
    expect(await dry('POST', { ...add, options: { agent_forwarding: true } })).toMatchObject({
      actions: [{ ...base, verb: 'update', before: line, after: line }],
    })
    expect(await dry('DELETE', { public_key: 'alice-on-gate' })).toMatchObject({
      actions: [{ ...base, verb: 'delete', before: line, after: null }],
      warnings: [],
    })
    expect(file()).toContain('alice-on-gate')
  })

  itInDepth(
    'a key that stands on a foreign line as well is told of, since it goes on logging in',
    async () => {
      writeFileSync(gateway.authorized_keys, keyOf('alice'))
      const added = await at.call('POST', ALL, { body: { public_key: keyOf('alice') } })
      expect(added.body['warnings']).toHaveLength(1)
      const { body } = await at.call('GET', ALL)
      expect(body['clients']).toMatchObject([
        { managed: true, also_foreign: true, line_options: null },
        { managed: false, state: 'foreign', options: null, line_options: '' },
      ])
      // What has ended is said to be so before and after.
      const past = { public_key: keyOf('bob'), options: { expires_at: '2020-01-01T00:00:00Z' } }
      const dry = await at.call('POST', `${ALL}?dry_run=true`, { body: past })
      expect(dry.body).toMatchObject({ plan: { warnings: [expect.stringContaining('expired at 2020')] } })
      const done = await at.call('POST', ALL, { body: past })
      expect(done.body['warnings']).toEqual([expect.stringContaining('expired at 2020')])
      const removed = await at.call('DELETE', ALL, { body: { key: keyOf('alice') } })
      expect(removed.body['warnings']).toHaveLength(1)
      expect(await logIn('alice', ['echo', 'still'])).toBe('still\n')
    },
  )

  itInDepth(
    'a damaged block is left alone, a removal says that it is not there yet, and the cure heals it',
    async () => {
      for (const name of ['alice', 'bob'])
        await at.call('POST', ALL, { body: { public_key: keyOf(name), name: `${name}-key` } })
      const whole = file()
      const damaged = whole.replace(/^# plumbline:end.*$/m, '')
      writeFileSync(gateway.authorized_keys, damaged)
      const removed = await at.call('DELETE', ALL, { body: { key: 'alice-key' } })
      expect(removed).toMatchObject({ status: 409, body: { saved: true } })
      expect(String(removed.body['detail'])).toMatch(/ends nowhere.*Put the two marker lines back/s)
      expect(file()).toBe(damaged)
      expect(await states()).toEqual(['bob-key unknown'])
      expect((await at.call('GET', '/api/drift')).body).toMatchObject({ drift: true })
      writeFileSync(gateway.authorized_keys, whole)
      await expect.poll(() => file().includes('alice-key')).toBe(false)
      expect(await logIn('alice')).toBeNull()
      expect(await logIn('bob', ['echo', 'bob'])).toBe('bob\n')
    },
  )

  itInDepth(
    'after a restart, and after an edit while the daemon was down, the gateway is what was saved',
    async () => {
      await at.call('POST', ALL, { body: { public_key: keyOf('alice'), name: 'alice' } })
      const ours = file()
      await at.house.close()
      writeFileSync(gateway.authorized_keys, ours.replace(/^restrict.*$/m, keyOf('bob').trim()))
      at = await at.reopen()
      await expect.poll(file).toBe(ours)
    },
  )

  itInDepth('in observe mode drift is only reported, and what a caller asks for is done', async () => {
    await at.house.close()
    at = await openTestHouse({
      env: { PLUMBLINE_AUTHORIZED_KEYS: gateway.authorized_keys, PLUMBLINE_MODE: 'observe' },
    })
    await at.call('POST', ALL, { body: { public_key: keyOf('alice'), name: 'alice' } })
    expect(await logIn('alice', ['echo', 'alice'])).toBe('alice\n')
    writeFileSync(gateway.authorized_keys, file().replace(/^restrict.*\n/m, ''))
    expect((await at.call('GET', '/api/drift')).body).toMatchObject({ drift: true })
    expect(await states()).toEqual(['alice missing'])
  })

  /** 200 tries in the deep tier. */
  const HOSTILE = byTier(5, 200)

  itInDepth(
    'whatever is asked of us, a key that nobody listed never logs in, and the listed one always does',
    async () => {
      await at.call('POST', ALL, { body: { public_key: keyOf('alice'), name: 'alice' } })
      const mallory = keyOf('bob').split(' ').slice(0, 2).join(' ')
      const pool = { keys: [keyOf('alice').split(' ').slice(0, 2).join(' '), VICTIM] }
      let taken = 0
      for (let i = 0; i < HOSTILE; i++) {
        const random = randomFrom(`hostile ${i}`)
        const smuggled = `${random.pick(['\n', '\r\n', '\r', '"\n', '\\n', ' ', '\0', '\u2028', ' ssh-ed25519 AAAA\n'])}${mallory}`
        const line = spoilt(`hostile ${i}`, pool)
        const where = random.below(5)
        const body = {
          public_key:
            where === 0
              ? `${line}${smuggled}`
              : where === 1
                ? `${pool.keys[i % 2]!} x${smuggled}`
                : `${VICTIM} c${i}`,
          ...(where === 2 && { name: `v${smuggled}` }),
          ...(where === 3 && { options: { command: `id${smuggled}` } }),
          ...(where === 4 && { options: { from: [`127.0.0.1${smuggled}`] } }),
        }
        const { status } = await at.call('POST', ALL, { body })
        expect([200, 422], JSON.stringify(body)).toContain(status)
        if (status === 200) taken++
        expect(await logIn('bob'), JSON.stringify(body)).toBeNull()
        if (i % 4 === 0) expect(await logIn('alice', ['echo', 'in'])).toBe('in\n')
      }
      if (HOSTILE === 200) process.stderr.write(`${HOSTILE} hostile bodies: ${taken} taken, 0 strangers in\n`)
      const shown = await runTool('ssh-keygen', ['-l', '-f', gateway.authorized_keys])
      const { body } = await at.call('GET', ALL)
      const clients = body['clients'] as unknown as readonly { fingerprint: string }[]
      expect(
        shown
          .trim()
          .split('\n')
          .map((line) => line.split(' ')[1]),
      ).toEqual(clients.map(({ fingerprint }) => fingerprint))
    },
    HOSTILE === 200 ? 300_000 : 60_000,
  )
})
