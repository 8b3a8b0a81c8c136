/** The printed line of `authorized_keys` at a real sshd: the key runs the export, whatever else it asks for. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { itInDepth } from '../kit/in-depth.ts'
import { freePort } from '../kit/ports.ts'
import { TOOL_PATH, until, whichProgram } from '../peers/peer.ts'
import { makeSshKey } from '../peers/ssh-key.ts'
import { describePeers } from '../peers/peers.ts'
import { run } from './command.ts'
import { type Sshd, SSHD_PROGRAMS, startSshd } from '../peers/sshd.ts'

const EXPORT = '{"format":"plumbline-wg/1","interfaces":[]}'
const SSH_MS = 20_000

describePeers(SSHD_PROGRAMS, 'the line of a gateway', () => {
  let sshd: Sshd
  let identity_file: string
  /** Something behind the gateway that nobody is to reach through it. */
  let behind: Server
  let reached = 0

  beforeAll(async () => {
    sshd = await startSshd()
    identity_file = join(sshd.directory, 'vpn')
    await makeSshKey(identity_file)
    const script = join(sshd.directory, 'wg-export')
    writeFileSync(script, `#!/bin/sh\nprintf '%s' '${EXPORT}'\n`, { mode: 0o755 })
    const { code, out } = await run(['vpn', 'gateway-line', `${identity_file}.pub`], {})
    expect([code, out]).toEqual([0, expect.stringContaining('command="/data/plumbline/wg-export" ')])
    writeFileSync(sshd.authorized_keys, out.replace('/data/plumbline/wg-export', script), { mode: 0o600 })
    behind = createServer((socket) => {
      reached++
      socket.end('reached')
    })
    await new Promise<void>((resolve) => behind.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    behind.close()
    await sshd.stop()
  })

  const base = (key: string): readonly string[] => [
    '-F',
    'none',
    '-i',
    key,
    ...[
      'BatchMode=yes',
      'IdentitiesOnly=yes',
      'IdentityAgent=none',
      'ExitOnForwardFailure=yes',
      `UserKnownHostsFile=${join(sshd.directory, 'known_hosts')}`,
      'GlobalKnownHostsFile=/dev/null',
      'ConnectTimeout=10',
    ].flatMap((option) => ['-o', option]),
  ]
  type Ran = { readonly code: number; readonly out: string; readonly err: string }
  const runs = (program: string, args: readonly string[]) =>
    new Promise<Ran>((resolve) => {
      const options = { timeout: SSH_MS, env: { PATH: TOOL_PATH, LC_ALL: 'C.UTF-8' } }
      const child = execFile(whichProgram(program)!, args, options, (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err }),
      )
      child.stdin!.on('error', () => undefined).end()
    })
  const ssh = (key: string, ...words: readonly string[]) =>
    runs('ssh', [...base(key), '-p', String(sshd.port), ...words])
  const door = () => `${sshd.user}@127.0.0.1`
  const place = () => `127.0.0.1:${(behind.address() as AddressInfo).port}`

  it('is not printed for the private half, which never leaves its owner', async () => {
    const { code, out, err } = await run(['vpn', 'gateway-line', identity_file], {})
    expect([code, out]).toEqual([64, ''])
    expect(err).toContain('is a private key')
  })

  it('lets nobody through to what is behind the gateway, whom the key of an administrator brings there', async () => {
    const refused = await ssh(identity_file, '-W', place(), door())
    expect([refused.code, refused.out]).toEqual([255, ''])
    expect(refused.err).toMatch(/administratively prohibited/)
    expect(reached).toBe(0)
    expect(await ssh(sshd.identity_file, '-W', place(), door())).toMatchObject({ code: 0, out: 'reached' })
    expect(reached).toBe(1)
  })

  itInDepth('forwards no port from here (-L), nor as a proxy (-D)', async () => {
    for (const [flag, to] of [
      ['-L', `:${place()}`],
      ['-D', ''],
    ] as const) {
      const port = await freePort()
      const before = reached
      // A command that lasts would end with the export; without one the connection stays until somebody uses it.
      const child = execFile(
        whichProgram('ssh')!,
        [...base(identity_file), '-p', String(sshd.port), '-N', flag, `127.0.0.1:${port}${to}`, door()],
        { timeout: SSH_MS, env: { PATH: TOOL_PATH } },
      )
      let said = ''
      child.stderr!.on('data', (text: string) => (said += text))
      try {
        await until('what becomes of a connection', async () => {
          await connectsTo(port, flag === '-D' ? socks((behind.address() as AddressInfo).port) : null)
          return said.includes('administratively prohibited')
        })
        expect(reached, flag).toBe(before)
      } finally {
        child.kill('SIGKILL')
      }
    }
  })

  it('opens no port there (-R)', async () => {
    const words = ['-N', '-R', `127.0.0.1:0:${place()}`, door()]
    const refused = await ssh(identity_file, ...words)
    expect(refused.code).toBe(255)
    expect(refused.err).toMatch(/remote port forwarding failed/)
  })

  itInDepth('gives no terminal and no shell: the export is all that runs', async () => {
    const answer = await ssh(identity_file, '-tt', door())
    expect(answer).toMatchObject({ code: 255, out: '' })
    expect(answer.err).toMatch(/PTY allocation request failed/)
    expect(await ssh(identity_file, '-T', door(), 'sh')).toMatchObject({ code: 0, out: EXPORT })
    expect((await ssh(sshd.identity_file, '-tt', door(), 'tty')).out).toMatch(/^\/dev\/pts\//)
  })

  itInDepth('moves no file: sftp and scp get the export', async () => {
    const target = join(sshd.directory, 'moved')
    const own = (program: string, key: string, ...words: readonly string[]) =>
      runs(program, [...base(key), '-P', String(sshd.port), ...words])
    const from = join(sshd.directory, 'host.pub')
    for (const [program, words] of [
      ['sftp', [`${door()}:${from}`, target]],
      ['scp', [`${door()}:${from}`, target]],
      ['scp', [from, `${door()}:${target}`]],
      ['scp', ['-O', from, `${door()}:${target}`]],
    ] as const) {
      expect((await own(program, identity_file, ...words)).code, words.join(' ')).not.toBe(0)
      expect(() => readFileSync(target), words.join(' ')).toThrow('ENOENT')
    }
    expect(await own('sftp', sshd.identity_file, `${door()}:${from}`, target)).toMatchObject({ code: 0 })
    expect(readFileSync(target)).toEqual(readFileSync(from))
  })
})

/** Resolves when it is over, whatever came of it. */
function connectsTo(port: number, greeting: Buffer | null): Promise<void> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.on('connect', () => greeting && socket.write(greeting))
    socket.on('error', () => undefined).on('close', () => resolve())
    socket.resume().setTimeout(2000, () => socket.destroy())
  })
}

/** SOCKS 5 without a password: connect to 127.0.0.1. */
const socks = (port: number): Buffer =>
  Buffer.from([5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1, port >> 8, port & 0xff])
