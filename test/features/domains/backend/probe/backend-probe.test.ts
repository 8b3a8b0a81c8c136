/** Probing real sockets: what is there, what is not, and what never ends. */
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { backendProbe } from '../../../../../src/features/domains/backend/probe/backend-probe.ts'
import type { BackendPlace } from '../../../../../src/features/domains/backend/probe/port.ts'
import { itInDepth } from '../../../../kit/in-depth.ts'

const NEVER = new AbortController().signal
const probe = backendProbe({ within_ms: 3000, greeting_ms: 300 })

const open: { server: Server; sockets: Set<Socket> }[] = []
afterEach(async () => {
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function listening(server: Server): Promise<BackendPlace> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  open.push({ server, sockets })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { address: '127.0.0.1', port: (server.address() as { port: number }).port, name: 'app.internal' }
}

const raw = (serve: (socket: Socket) => void) => listening(createServer(serve))
const http = (serve: RequestListener) => listening(createHttp(serve))
const GET = { tls: false, path: '/' }

describe('a connection', () => {
  it('is there, and waits to be asked', async () => {
    expect(await probe.connect(await raw(() => undefined), NEVER)).toEqual({ ok: true, greeting: '' })
  })

  it('says what greets it, as far as it can be printed', async () => {
    const place = await raw((socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n\u0007'.padEnd(9000, 'x')))
    const seen = await probe.connect(place, NEVER)
    expect(seen).toMatchObject({
      ok: true,
      greeting: expect.stringMatching(/^SSH-2\.0-OpenSSH_9\.2 {3}x+$/) as string,
    })
    expect((seen as { greeting: string }).greeting).toHaveLength(256)
  })

  it('that is refused is refused', async () => {
    const place = await raw(() => undefined)
    await new Promise((resolve) => open.pop()!.server.close(resolve))
    expect(await probe.connect(place, NEVER)).toEqual({ ok: false, failure: 'refused' })
  })

  it('ends with the caller', async () => {
    const gone = new AbortController()
    const asked = probe.connect(await raw(() => undefined), gone.signal)
    gone.abort(new Error('gone'))
    await expect(asked).rejects.toThrow('gone')
  })
})

describe('a GET', () => {
  it('goes to the address and says the name', async () => {
    let host: string | undefined
    const place = await http((request, response) => {
      host = request.headers.host
      response.end('hello')
    })
    expect(await probe.get(place, GET, NEVER)).toMatchObject({
      ok: true,
      status: 200,
      text: 'hello',
      truncated: false,
    })
    expect(host).toBe(`app.internal:${place.port}`)
  })

  it('follows no redirect', async () => {
    let asked = 0
    const place = await http((_request, response) => {
      asked++
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
    })
    expect(await probe.get(place, GET, NEVER)).toMatchObject({ ok: true, status: 302 })
    expect(asked).toBe(1)
  })

  it('reads 64 KiB of an endless body', async () => {
    const place = await http((_request, response) => {
      const pour = () => {
        while (response.write('x'.repeat(16_384)));
        response.once('drain', pour)
      }
      pour()
    })
    const seen = await backendProbe({ within_ms: 60_000 }).get(place, GET, NEVER)
    expect(seen).toMatchObject({ ok: true, truncated: true })
    expect((seen as { text: string }).text).toHaveLength(65_536)
  })

  itInDepth('takes what came of an answer that drips', async () => {
    const place = await http((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write('<!doctype html>')
    })
    // What came within the time counts, and on a busy machine the first bytes take a while.
    const patient = backendProbe({ within_ms: 5000 })
    expect(await patient.get(place, GET, NEVER)).toMatchObject({
      ok: true,
      text: '<!doctype html>',
      truncated: true,
    })
  })

  it.each([
    ['silence', () => undefined, 'timeout'],
    ['a greeting in place of HTTP', (socket: Socket) => void socket.end('220 mail ESMTP\r\n'), 'not_http'],
    ['a hangup', (socket: Socket) => void socket.destroy(), 'broke_off'],
    [
      'headers without end',
      (socket: Socket) => void socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(60_000)}`),
      'not_http',
    ],
  ])('answered with %s is trouble', async (_what, serve, failure) => {
    expect(await probe.get(await raw(serve), GET, NEVER)).toEqual({ ok: false, failure })
  })

  it('over TLS to a port without it is trouble of TLS', async () => {
    const place = await http((_request, response) => response.end())
    const seen = await probe.get(place, { tls: true, path: '/' }, NEVER)
    expect(seen).toMatchObject({ ok: false, failure: 'tls_failed' })
  })

  it('shows an upgrade that is taken', async () => {
    const server = createHttp()
    server.on('upgrade', (_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
    })
    expect(await probe.get(await listening(server), { ...GET, upgrade: true }, NEVER)).toMatchObject({
      ok: true,
      status: 101,
      headers: { upgrade: 'websocket' },
    })
  })

  it('refuses a name in place of an address', () => {
    expect(() => probe.get({ address: 'localhost', port: 1, name: 'x' }, GET, NEVER)).toThrow('is no address')
  })
})

describe('resolving', () => {
  const resolving = (addressesOf: (name: string) => Promise<readonly string[]>) =>
    backendProbe({ addressesOf, within_ms: 50 }).resolve('x', NEVER)

  it('gives canonical addresses, each once', async () => {
    expect(await resolving(async () => ['::ffff:10.0.0.1', '10.0.0.1', '2001:DB8::1'])).toEqual([
      '10.0.0.1',
      '2001:db8::1',
    ])
  })

  it('ends although the resolver does not', async () => {
    expect(await resolving(() => new Promise(() => undefined))).toEqual([])
  })
})
