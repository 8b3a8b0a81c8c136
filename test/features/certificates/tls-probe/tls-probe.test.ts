/** Handshakes with real servers on loopback: what is seen of good ones, and how trouble is told. */
import { createServer as createPlainServer, type Server, type Socket } from 'node:net'
import { createServer, type TlsOptions } from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../../kit/ports.ts'
import { tlsProbe } from '../../../../src/features/certificates/tls-probe/tls-probe.ts'
import { factsOf } from '../../../../src/features/certificates/x509/read-certificate.ts'
import {
  type CertificateAuthority,
  certificateAuthority,
  type Issued,
} from '../../../fakes/certificate-authority.ts'
import { badDates } from '../../../fakes/doctored-certificates.ts'

const NAME = 'app.example.com'
const NEVER = new AbortController().signal

let authority: CertificateAuthority
let issued: Issued
beforeAll(() => {
  authority = certificateAuthority()
  issued = authority.issue({ names: [NAME] })
})
afterAll(() => authority.close())

const servers = new Set<Server>()
const sockets = new Set<Socket>()
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers) await new Promise((resolve) => server.close(resolve))
  sockets.clear()
  servers.clear()
})

async function listening(server: Server): Promise<number> {
  servers.add(server)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as { readonly port: number }).port
}

const secure = (options: TlsOptions) => listening(createServer(options))
const plain = (each: (socket: Socket) => void) => listening(createPlainServer(each))
const probe = (port: number, { name = NAME, signal = NEVER, within_ms = 5000 } = {}) =>
  tlsProbe({ factsOf, within_ms }).handshake({ host: '127.0.0.1', port, name }, signal)

it.each(['TLSv1.2', 'TLSv1.3'] as const)(
  '%s: the protocol, the chain as served, and the verdict',
  async (version) => {
    const port = await secure({
      cert: issued.cert,
      key: issued.key,
      minVersion: version,
      maxVersion: version,
    })
    expect(await probe(port)).toMatchObject({
      ok: true,
      protocol: version,
      chain: [{ names: [NAME], issuer: 'Test Intermediate' }, { issuer: 'Test Intermediate' }],
      distrust: expect.stringMatching(/SELF_SIGNED|UNABLE/),
    })
  },
)

it('the name is asked for, a wildcard by a name below it, an address by none', async () => {
  const asked: string[] = []
  const port = await secure({
    cert: issued.cert,
    key: issued.key,
    SNICallback: (name, done) => (asked.push(name), done(null)),
  })
  for (const name of [NAME, '*.example.com', '127.0.0.1']) expect((await probe(port, { name })).ok).toBe(true)
  expect(asked).toEqual([NAME, 'plumbline-any.example.com'])
})

it('nothing is sent: the server sees a handshake and an end', async () => {
  const data: Buffer[] = []
  const ended = Promise.withResolvers<void>()
  const server = createServer({ cert: issued.cert, key: issued.key, maxVersion: 'TLSv1.2' }, (socket) =>
    socket.on('data', (chunk) => data.push(chunk)).on('error', () => undefined),
  )
  server.on('connection', (socket: Socket) => socket.on('close', () => ended.resolve()))
  expect((await probe(await listening(server))).ok).toBe(true)
  await ended.promise
  expect(data).toEqual([])
})

it.each<[string, (socket: Socket) => void, RegExp]>([
  ['an SMTP greeting', (socket) => socket.end('220 mail.example.com ESMTP\r\n'), /does not speak TLS/],
  ['an HTTP refusal', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), /does not speak TLS/],
  ['an SSH banner', (socket) => socket.end('SSH-2.0-OpenSSH_10.0\r\n'), /does not speak TLS/],
  ['zeros', (socket) => socket.end(Buffer.alloc(4096)), /does not speak TLS/],
  ['nothing, and hangs up', (socket) => socket.end(), /broke the connection off|hung up/],
  ['a reset', (socket) => socket.resetAndDestroy(), /broke the connection off/],
  ['alert handshake_failure', (socket) => socket.end(alert(40)), /refused the handshake.*handshake_failure/],
  ['alert internal_error', (socket) => socket.end(alert(80)), /refused the handshake.*internal_error/],
  ['alert unrecognized_name', (socket) => socket.end(alert(112)), /no certificate for this name/],
  ['alert protocol_version', (socket) => socket.end(alert(70)), /no version of TLS/],
])('a server that sends %s', async (_title, each, words) => {
  const answer = await probe(await plain((socket) => socket.once('data', () => each(socket))))
  expect(answer).toMatchObject({ ok: false, detail: expect.stringMatching(words) })
})

it.each([
  ['handshake_failure', 40, true],
  ['internal_error', 80, true],
  ['unrecognized_name', 112, true],
  ['protocol_version', 70, undefined],
])('alert %s says that there is nothing for this name: %s', async (_title, description, refused) => {
  const port = await plain((socket) => socket.once('data', () => socket.end(alert(description))))
  const answer = await probe(port)
  expect(answer.ok || answer.refused).toBe(refused)
})

/** A fatal alert in a record of TLS 1.2 (RFC 5246 §7.2). */
const alert = (description: number): Buffer => Buffer.from([21, 3, 3, 0, 2, 2, description])

it('silence ends by the bound', async () => {
  const port = await plain(() => undefined)
  expect(await probe(port, { within_ms: 50 })).toMatchObject({
    ok: false,
    detail: `127.0.0.1:${port} did not finish a handshake within 0.05 s.`,
  })
})

it('nobody listens, or there is no such name', async () => {
  const port = await freePort()
  expect(await probe(port)).toMatchObject({ ok: false, detail: expect.stringMatching(/refuses connections/) })
  const nowhere = await tlsProbe({ factsOf }).handshake(
    { host: 'nowhere.invalid', port: 443, name: NAME },
    NEVER,
  )
  expect(nowhere).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/^nowhere.invalid:443 .* resolver of this host.*[^.]\.$/),
  })
})

it('who gives up gets their own reason, and the connection is gone', async () => {
  const closed = Promise.withResolvers<void>()
  const leaving = new AbortController()
  const port = await plain((socket) => {
    socket.on('close', () => closed.resolve())
    leaving.abort(new Error('gone home'))
  })
  await expect(probe(port, { signal: leaving.signal })).rejects.toThrow('gone home')
  await closed.promise
  await expect(probe(port, { signal: leaving.signal })).rejects.toThrow('gone home')
})

it('above a good certificate one whose dates are none: the good one is seen, and nothing breaks', async () => {
  const [leaf, above] = issued.cert.split(/(?<=-----END CERTIFICATE-----\n)/)
  const bad = `-----BEGIN CERTIFICATE-----\n${badDates(above!).toString('base64')}\n-----END CERTIFICATE-----\n`
  const port = await secure({ cert: leaf! + bad, key: issued.key })
  expect(await probe(port)).toMatchObject({ ok: true, chain: [{ names: [NAME] }] })
})

it('a certificate that cannot be read is an answer', async () => {
  const port = await secure({ cert: issued.cert, key: issued.key })
  const unreadable = tlsProbe({
    factsOf: () => {
      throw new Error('unreadable')
    },
  })
  expect(await unreadable.handshake({ host: '127.0.0.1', port, name: NAME }, NEVER)).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/cannot be read/),
  })
})
