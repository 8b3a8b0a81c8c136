/** An `authorized_keys` file over SFTP, against a real sshd: the port's contract, and whatever can go wrong on the way. */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { remoteAuthorizedKeys } from '../../../../src/features/ssh-clients/sshd/authorized-keys.ts'
import type { SshServer } from '../../../../src/io/ssh/connection.ts'
import { fingerprintOf } from '../../../../src/model/ssh/public-key.ts'
import { sha256 } from '../../../../src/kernel/digest.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import { strictModesFaults } from '../../../../src/model/ssh/strict-modes.ts'
import type { AuthorizedKeys } from '../../../../src/features/ssh-clients/authorized-keys-port.ts'
import { authorizedKeysContract, besides, failureOf } from '../../../contract/authorized-keys.ts'
import { cuttingProxy } from '../../../flows/cutting-proxy.ts'
import { runTool } from '../../../peers/peer.ts'
import { describePeers } from '../../../peers/peers.ts'
import { type Sshd, SSHD_PROGRAMS, startSshd } from '../../../peers/sshd.ts'
import { byTier, inDepth } from '../../../kit/tier.ts'
import { itInDepth } from '../../../kit/in-depth.ts'
import { makeSshKey } from '../../../peers/ssh-key.ts'

const soon = () => AbortSignal.timeout(60_000)
const blobOf = (line: string): Buffer => Buffer.from(line.split(' ')[1] ?? '', 'base64')

const serverOf = (sshd: Sshd, changes: Partial<SshServer> = {}): SshServer => ({
  host: '127.0.0.1',
  port: sshd.port,
  user: sshd.user,
  identity_file: sshd.identity_file,
  passphrase: null,
  host_keys: [{ type: 'ssh-ed25519', fingerprint: fingerprintOf(blobOf(sshd.host_key)) }],
  settings: {
    host_key: 'PLUMBLINE_AUTHORIZED_KEYS_HOST_KEY',
    identity: 'PLUMBLINE_AUTHORIZED_KEYS_IDENTITY',
    passphrase: 'PLUMBLINE_AUTHORIZED_KEYS_PASSPHRASE',
  },
  ...changes,
})

/** Nobody is known dead. */
const OPEN = {
  gate: { run: <T>(work: () => Promise<T>) => work(), close: () => undefined },
  onBack: () => ({ close: () => undefined }),
}

const keysAt = (sshd: Sshd, changes: Partial<SshServer> = {}, path = sshd.authorized_keys): AuthorizedKeys =>
  remoteAuthorizedKeys({
    ...OPEN,
    server: serverOf(sshd, changes),
    path,
    place: 'sftp://gate',
    installation_id: 'me',
  })

describePeers(SSHD_PROGRAMS, 'authorized_keys over SFTP', () => {
  let sshd: Sshd

  beforeAll(async () => {
    sshd = await startSshd()
  })
  afterAll(() => sshd.stop())
  beforeEach(() => {
    rmSync(dirname(sshd.authorized_keys), { recursive: true, force: true })
    mkdirSync(dirname(sshd.authorized_keys), { mode: 0o700 })
  })

  inDepth(() => {
    describe('the contract', () => {
      authorizedKeysContract(() => ({ file: keysAt(sshd), path: sshd.authorized_keys }))
    })
  })

  it('a look and the write that follows from it are one login', async () => {
    const logins = () => sshd.log().split('Accepted publickey').length - 1
    const before = logins()
    await keysAt(sshd).rewrite(async () => Buffer.from('# new\n'), { evidence: false }, soon())
    expect(readFileSync(sshd.authorized_keys, 'utf8')).toBe('# new\n')
    expect(logins() - before).toBe(1)
  })

  it('a host key that is not pinned ends the session before anything is said, whatever its fingerprint looks like', async () => {
    await makeSshKey(join(sshd.directory, 'other'))
    const other = fingerprintOf(blobOf(readFileSync(join(sshd.directory, 'other.pub'), 'utf8')))
    const logins = () => sshd.log().split('Accepted publickey').length
    const before = logins()
    for (const type of ['ssh-ed25519', null]) {
      const file = keysAt(sshd, { host_keys: [{ type, fingerprint: other }] })
      const failure = await failureOf(file.look(soon()))
      expect(failure.code).toBe('provider_credentials')
      expect(failure.message).toContain(fingerprintOf(blobOf(sshd.host_key)))
    }
    const none = await failureOf(keysAt(sshd, { host_keys: [] }).look(soon()))
    expect(none.code).toBe('provider_credentials')
    expect(logins()).toBe(before)
    await keysAt(sshd).look(soon())
    expect(logins()).toBe(before + 1)
  })

  it('a pin by fingerprint alone is as good, and one of several is enough', async () => {
    const fingerprint = fingerprintOf(blobOf(sshd.host_key))
    const host_keys = [
      { type: null, fingerprint: 'SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU' },
      { type: null, fingerprint },
    ]
    expect(await keysAt(sshd, { host_keys }).look(soon())).toEqual({ kind: 'absent' })
  })

  it('a pinned type that the server does not have is named', async () => {
    const host_keys = [{ type: 'ecdsa-sha2-nistp256', fingerprint: 'SHA256:x' }]
    expect(await failureOf(keysAt(sshd, { host_keys }).look(soon()))).toMatchObject({
      code: 'provider_credentials',
      message: expect.stringContaining('no host key of the pinned type') as string,
    })
  })

  itInDepth(
    'a key that the server does not take, one that does not parse and one that is not there are told apart',
    async () => {
      const folder = sshd.directory
      await makeSshKey(join(folder, 'stranger'))
      await runTool('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'secret-words', '-f', join(folder, 'locked')])
      writeFileSync(join(folder, 'garbage'), 'no key\n')
      const said = async (name: string) =>
        failureOf(keysAt(sshd, { identity_file: join(folder, name) }).look(soon()))
      expect((await said('stranger')).message).toContain('does not let')
      expect((await said('locked')).message).toContain('PLUMBLINE_AUTHORIZED_KEYS_PASSPHRASE is not set')
      expect((await said('garbage')).message).toContain('does not parse')
      expect((await said('missing')).message).toContain('ENOENT')
      for (const name of ['stranger', 'locked', 'garbage', 'missing'])
        expect((await said(name)).code).toBe('provider_credentials')
    },
  )

  inDepth(() => {
    it('a key with a passphrase is opened by it, by no other, and what is said holds neither', async () => {
      const identity_file = join(sshd.directory, 'sealed')
      await runTool('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'open-sesame', '-f', identity_file])
      const admins = join(sshd.directory, 'admin.pub')
      writeFileSync(admins, readFileSync(admins, 'utf8') + readFileSync(`${identity_file}.pub`, 'utf8'))
      const opened = keysAt(sshd, { identity_file, passphrase: new Secret('open-sesame') })
      expect(await opened.look(soon())).toEqual({ kind: 'absent' })
      const failure = await failureOf(
        keysAt(sshd, { identity_file, passphrase: new Secret('wrong-words') }).look(soon()),
      )
      expect(failure.code).toBe('provider_credentials')
      expect(failure.message).toContain('is not opened by PLUMBLINE_AUTHORIZED_KEYS_PASSPHRASE')
      expect(inspect(failure, { depth: 10 })).not.toMatch(/open-sesame|wrong-words/)
      // Replaced by another one under the same name, it is opened anew.
      rmSync(identity_file)
      await runTool('ssh-keygen', ['-q', '-t', 'rsa', '-b', '3072', '-N', 'open-sesame', '-f', identity_file])
      expect((await failureOf(opened.look(soon()))).message).toContain('does not let')
    })
  })

  itInDepth('owners and modes are seen from the file up to the home or the root', async () => {
    const file = keysAt(sshd)
    expect((await file.see(soon())).way).toBeNull()
    writeFileSync(sshd.authorized_keys, '', { mode: 0o600 })
    chmodSync(dirname(sshd.authorized_keys), 0o777)
    const way = (await file.see(soon())).way!
    expect(way.uid).toBe(process.getuid!())
    expect(way.steps.slice(0, 3).map(({ path, mode }) => [path, mode & 0o777])).toEqual([
      [sshd.authorized_keys, 0o600],
      [dirname(sshd.authorized_keys), 0o777],
      [sshd.directory, 0o700],
    ])
    expect(strictModesFaults(way)).toContain(
      `${dirname(sshd.authorized_keys)} may be written by everybody: chmod o-w ${dirname(sshd.authorized_keys)}`,
    )
  })

  it('a server that is not there, that hangs up, that is silent and that speaks nonsense', async () => {
    const sockets = new Set<Socket>()
    let greet: (socket: Socket) => void = () => undefined
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined))
      greet(socket)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const look = (signal: AbortSignal) => keysAt(sshd, { port }).look(signal)

    greet = (socket) => socket.destroy()
    expect((await failureOf(look(soon()))).code).toBe('component_unavailable')
    greet = (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    expect((await failureOf(look(soon()))).code).toBe('component_unavailable')
    greet = (socket) => socket.write(Buffer.alloc(4 * 1024 * 1024, 'x'))
    expect((await failureOf(look(soon()))).code).toBe('component_unavailable')
    const calling_off = new AbortController()
    greet = () => calling_off.abort('enough')
    await expect(look(calling_off.signal)).rejects.toBe('enough')
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
    const gone = await failureOf(look(soon()))
    expect(gone.message).toContain('ECONNREFUSED')
  })

  itInDepth(
    'cut off after any number of bytes, the old or the new file stands, whole, and the next write tidies up',
    async () => {
      const proxy = await cuttingProxy(sshd.port)
      const file = keysAt(sshd, { port: proxy.port })
      const texts = [Buffer.alloc(50_000, 'a'), Buffer.alloc(50_000, 'b')] as const
      writeFileSync(sshd.authorized_keys, texts[0])
      const before = proxy.sent
      await file.replace(texts[1], { expected: sha256([texts[0]]), evidence: false }, soon())
      const whole = proxy.sent - before
      const cuts = byTier(3, 8, 120)
      const left = new Set<string>()
      for (let i = 0; i < cuts; i++) {
        writeFileSync(sshd.authorized_keys, texts[0])
        const cut = new AbortController()
        proxy.cutAfter(Math.floor((whole * (i + 1)) / (cuts + 1)), i % 2 === 0 ? 'before' : 'after', () =>
          cut.abort(new DOMException('cut', 'AbortError')),
        )
        const expected = sha256([texts[0]])
        await file.replace(texts[1], { expected, evidence: false }, cut.signal).catch(() => undefined)
        const stands = readFileSync(sshd.authorized_keys)
        expect(texts.map((text) => text.equals(stands))).toContain(true)
        for (const name of besides(sshd.authorized_keys)) left.add(name.replace(/[0-9a-f]{16}$/, ''))
      }
      expect([...left]).toEqual(['.plumbline-temp-'])
      writeFileSync(sshd.authorized_keys, texts[0])
      await file.replace(texts[1], { expected: sha256([texts[0]]), evidence: false }, soon())
      expect(besides(sshd.authorized_keys)).toEqual([])
      await proxy.close()
    },
  )
})

inDepth(() => {
  describePeers(SSHD_PROGRAMS, 'servers that are set up otherwise', () => {
    const withServer = async (
      options: Parameters<typeof startSshd>[0],
      use: (sshd: Sshd) => Promise<void>,
    ) => {
      const sshd = await startSshd(options)
      try {
        await use(sshd)
      } finally {
        await sshd.stop()
      }
    }

    it('one that offers only key exchanges that we do not have says so, and what would help', () =>
      withServer({ config: 'KexAlgorithms sntrup761x25519-sha512@openssh.com\n' }, async (sshd) => {
        const failure = await failureOf(keysAt(sshd).look(soon()))
        expect(failure.code).toBe('component_unavailable')
        expect(failure.message).toContain('curve25519-sha256')
      }))

    it('one without SFTP is unavailable', () =>
      withServer({ subsystem: '' }, async (sshd) => {
        expect((await failureOf(keysAt(sshd).look(soon()))).code).toBe('component_unavailable')
      }))

    it.each(['posix-rename', 'write', 'open', 'rename,posix-rename'])(
      'one whose SFTP refuses %s leaves the old file',
      (denied) =>
        withServer({ subsystem: `Subsystem sftp internal-sftp -P ${denied}` }, async (sshd) => {
          writeFileSync(sshd.authorized_keys, '# old\n')
          const expected = sha256(['# old\n'])
          const failure = await failureOf(
            keysAt(sshd).replace(Buffer.from('# new\n'), { expected, evidence: false }, soon()),
          )
          expect(['component_unavailable', 'storage_unwritable']).toContain(failure.code)
          expect(readFileSync(sshd.authorized_keys, 'utf8')).toBe('# old\n')
          expect(besides(sshd.authorized_keys)).toEqual([])
        }),
    )

    it('one without fsync is written to all the same', () =>
      withServer({ subsystem: 'Subsystem sftp internal-sftp -P fsync' }, async (sshd) => {
        await keysAt(sshd).replace(Buffer.from('# new\n'), { expected: null, evidence: false }, soon())
        expect(readFileSync(sshd.authorized_keys, 'utf8')).toBe('# new\n')
      }))

    it('a path from the home leads there', () =>
      withServer({ subsystem: `Subsystem sftp internal-sftp -d ${'/'}` }, async (sshd) => {
        const file = keysAt(sshd, {}, sshd.authorized_keys.slice(1))
        await file.replace(Buffer.from('# new\n'), { expected: null, evidence: false }, soon())
        expect(readFileSync(sshd.authorized_keys, 'utf8')).toBe('# new\n')
      }))
  })
})
