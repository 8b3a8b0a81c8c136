/** Host keys: the first is kept, another is never taken for it, and what a server sends is no line of a file. */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { withContact } from '../../../src/features/ssh-targets/host-keys.ts'
import type { SshTarget } from '../../../src/features/ssh-targets/records.ts'
import { contactHost } from '../../../src/features/ssh-targets/sshd/contact.ts'
import { itOneIn } from '../../kit/in-depth.ts'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJH2T0bmeVXeUu8cVGfq3Dmt9hzHbmJAf0QWbnRcyuBt'
const OTHER = `ssh-ed25519 ${Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from('ssh-ed25519'), Buffer.from([0, 0, 0, 32]), Buffer.alloc(32, 7)]).toString('base64')}`
const row = (over: Partial<SshTarget> = {}): SshTarget => ({
  id: 'guest:lab/101',
  name: 'web',
  address: '192.0.2.1',
  port: 22,
  user: 'root',
  source: 'guest',
  cluster: 'lab',
  vmid: 101,
  state: 'present',
  lost_at: null,
  host_key: null,
  key_origin: null,
  shown_key: null,
  shown_at: null,
  ...over,
})
const known = row({ host_key: KEY, key_origin: 'contact' })
const shown = (key: string) => ({ known: true, key }) as const

describe('what a target shows', () => {
  it('is kept where none is known', () => {
    expect(withContact(row(), shown(KEY), 5)).toEqual({ row: known, warning: null })
  })

  it('is a finding since its first sight where another one is known, until the known one is shown again', () => {
    const { row: changed, warning } = withContact(known, shown(OTHER), 5)
    expect(changed).toEqual({ ...known, shown_key: OTHER, shown_at: 5 })
    expect(warning).toMatch(
      /web \(192\.0\.2\.1\) shows another host key.*PLUMBLINE_SSH_TARGETS: web=root@192\.0\.2\.1:22/,
    )
    expect(withContact(changed, shown(OTHER), 9).row).toEqual(changed)
    expect(withContact(changed, { known: false, detail: 'It is down.' }, 9).row).toEqual(changed)
    expect(withContact(changed, shown(KEY), 9)).toEqual({ row: known, warning: null })
  })

  it.each([
    ['a further line', `${KEY} x\nnas ${OTHER}`],
    ['a comment', `${KEY} x`],
    ['another type', KEY.replace('ssh-ed25519', 'ssh-rsa')],
    ['nothing', ' '],
  ])('is not taken where it has %s', (_what, key) => {
    expect(withContact(row(), shown(key), 5).row).toEqual(row())
    expect(withContact(known, shown(key), 5).row).toEqual(known)
  })

  it('is missed where the target does not answer, and nobody is let through', () => {
    expect(withContact(row(), { known: false, detail: 'It is down.' }, 5)).toEqual({
      row: row(),
      warning: 'No host key of web is known, so ssh lets nobody through: It is down.',
    })
    expect(withContact(known, undefined, 5)).toEqual({ row: known, warning: null })
  })
})

describe('a contact', () => {
  let server: Server | null = null
  const sockets: Socket[] = []
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
    server?.close()
  })
  async function listening(met: (socket: Socket) => void): Promise<number> {
    server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
      met(socket)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as { port: number }).port
  }
  const contact = (port: number, signal = new AbortController().signal) =>
    contactHost({ host: '127.0.0.1', port, type: null }, signal)

  itOneIn(2).each([
    ['closes', (socket: Socket) => socket.end()],
    ['speaks HTTP', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['sends noise', (socket: Socket) => socket.end(`SSH-2.0-x\r\n${'\u0000\u0001\u0002'.repeat(20_000)}`)],
    ['says nothing', () => undefined],
  ])('with one that %s ends without a key', async (_what, met) => {
    expect(await contact(await listening(met))).toMatchObject({ known: false })
  })

  it('ends with its caller', async () => {
    const stop = new AbortController()
    const asked = contact(await listening(() => stop.abort(new Error('enough'))), stop.signal)
    await expect(asked).rejects.toThrow('enough')
  })
})
