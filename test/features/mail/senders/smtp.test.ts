/** Mail over SMTP to a real server that misbehaves: refused, unknown and sent are never mistaken for one another. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { smtpMailer, type SmtpOptions } from '../../../../src/features/mail/senders/smtp/mailer.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import type { Mail } from '../../../../src/features/mail/port.ts'
import { freePort } from '../../../kit/ports.ts'
import { smtpSink, type SmtpSink } from '../../../fakes/mail/smtp-sink.ts'
import { newFolder } from '../../../kit/new-folder.ts'

const PASSWORD = 'a-password-that-nobody-may-see'

const MAIL: Mail = {
  message_id: '<1@example.com>',
  at: 0,
  from: { address: 'me@example.com', name: 'Me' },
  to: [{ address: 'a@example.net', name: null }],
  cc: [{ address: 'b@example.net', name: null }],
  bcc: [{ address: 'c@example.net', name: null }],
  reply_to: null,
  subject: 'Hello',
  text: 'x',
  html: null,
}

const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const at = (port: number, options: Partial<SmtpOptions> = {}) =>
  smtpMailer({
    host: '127.0.0.1',
    port,
    tls: 'none',
    login: null,
    ca: null,
    senders: ['me@example.com'],
    gate: { run: (work) => work() },
    ...options,
  })

async function sink(options?: Parameters<typeof smtpSink>[0]): Promise<SmtpSink> {
  const made = await smtpSink(options)
  closing.push(() => made.close())
  return made
}

const never = () => new AbortController().signal
const ready = async () => {}

it('a mail arrives at every recipient, and the hidden one is in no header', async () => {
  const server = await sink()
  let asked = 0
  const outcome = await at(server.port).send(MAIL, async () => void asked++, never())
  expect(outcome).toMatchObject({ kind: 'sent', rejected: [] })
  expect(asked).toBe(1)
  expect(server.mails[0]?.to).toEqual(['a@example.net', 'b@example.net', 'c@example.net'])
  expect(server.mails[0]?.raw.toString()).not.toContain('c@example.net')
})

it('a relay that is known dead is not looked at, while a mail insists', async () => {
  const server = await sink()
  const dead = new Failure('component_unavailable', 'It is unreachable.')
  const gate: SmtpOptions['gate'] = {
    run: (work, { insists }) => (insists === true ? work() : Promise.reject(dead)),
  }
  const mailer = at(server.port, { gate })
  await expect(mailer.check(never())).rejects.toBe(dead)
  expect(await mailer.send(MAIL, ready, never())).toMatchObject({ kind: 'sent' })
})

it.each([
  [{ reply: 550, at: 'from' }, 'refused', false],
  [{ reply: 451, at: 'from' }, 'refused', true],
  [{ reply: 550, at: 'to' }, 'refused', false],
  [{ reply: 452, at: 'to' }, 'refused', true],
  [{ reply: 554, at: 'data' }, 'refused', false],
  [{ reply: 451, at: 'data' }, 'refused', true],
] as const)('%j is %s', async (how, kind, passing) => {
  const server = await sink()
  server.misbehave(how)
  expect(await at(server.port).send(MAIL, ready, never())).toMatchObject({ kind, passing })
  expect(server.mails).toEqual([])
})

it.each(['vanish', 'forget'] as const)(
  'a server that says nothing after the text (%s) leaves it unknown',
  async (how) => {
    const server = await sink()
    server.misbehave(how)
    expect(await at(server.port).send(MAIL, ready, never())).toMatchObject({ kind: 'unknown' })
  },
)

it('nobody there, and a server that hangs up at once, is refused for now', async () => {
  const port = await freePort()
  const closed = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1')
  await once(closed, 'listening')
  expect(await at(port).send(MAIL, ready, never())).toMatchObject({ kind: 'refused', passing: true })
  await new Promise((resolve) => closed.close(resolve))
  expect(await at(port).send(MAIL, ready, never())).toMatchObject({ kind: 'refused', passing: true })
})

it('a server that never speaks ends by the signal, refused while nothing is out', async () => {
  const mute = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  closing.push(() => new Promise((resolve) => mute.close(() => resolve())))
  const stop = new AbortController()
  mute.once('connection', () => stop.abort(new Error('enough')))
  const { port } = mute.address() as AddressInfo
  expect(await at(port).send(MAIL, ready, stop.signal)).toMatchObject({ kind: 'refused', passing: true })
})

it('what fails right before the text goes out is certainly not sent', async () => {
  const server = await sink()
  const outcome = await at(server.port).send(MAIL, () => Promise.reject(new Error('disk full')), never())
  expect(outcome).toMatchObject({ kind: 'refused' })
  expect(server.mails).toEqual([])
})

it('a login over TLS works with the authority given, fails without it, and shows no password', async () => {
  const folder = newFolder('tls')
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      cert,
    ],
    { stdio: 'ignore' },
  )
  const ca = readFileSync(cert, 'utf8')
  const tls = { key: readFileSync(key, 'utf8'), cert: ca, authOptional: false }
  for (const secure of [true, false]) {
    const server = await sink({
      ...tls,
      secure,
      onAuth: ({ password }, _session, done) =>
        password === PASSWORD
          ? done(null, { user: 'me' })
          : done(new Error(`no entry with ${password}, sent as ${asSent(password!).join(' or ')}`)),
    })
    const options = { host: 'localhost', tls: secure ? 'implicit' : 'starttls' } as const
    const login = { user: 'me', password: new Secret(PASSWORD) }
    const good = at(server.port, { ...options, ca, login })
    expect(await good.send(MAIL, ready, never())).toMatchObject({ kind: 'sent' })
    await good.check(never())
    const untrusted = await at(server.port, { ...options, login }).send(MAIL, ready, never())
    expect(untrusted).toMatchObject({
      kind: 'refused',
      detail: expect.stringMatching(/has a certificate that is not trusted\. .*PLUMBLINE_SMTP_CA_FILE/),
    })
    expect(JSON.stringify(untrusted)).not.toMatch(/node|--use/i)
    const byAddress = await at(server.port, { ...options, host: '127.0.0.1', ca, login }).send(
      MAIL,
      ready,
      never(),
    )
    expect(byAddress).toMatchObject({ detail: expect.stringContaining('has a certificate for another name') })
    const wrong = at(server.port, {
      ...options,
      ca,
      login: { user: 'me', password: new Secret(`${PASSWORD}!`) },
    })
    const refused = await wrong.send(MAIL, ready, never())
    expect(refused).toMatchObject({ kind: 'refused', code: 'provider_credentials' })
    for (const text of [PASSWORD, ...asSent(`${PASSWORD}!`)])
      expect(JSON.stringify(refused)).not.toContain(text)
    await expect(wrong.check(never())).rejects.toMatchObject({ code: 'provider_credentials' })
  }
})

/** The words of AUTH PLAIN and AUTH LOGIN: base64 keeps nothing secret. */
const asSent = (password: string): readonly string[] =>
  [`\u0000me\u0000${password}`, password].map((text) => Buffer.from(text).toString('base64'))

it('a server without TLS at the port is told in words, where TLS is asked for from the first byte', async () => {
  const server = await sink()
  const outcome = await at(server.port, { tls: 'implicit' }).send(MAIL, ready, never())
  expect(outcome).toMatchObject({ detail: expect.stringContaining('does not speak TLS at this port') })
})

it('a server without STARTTLS gets neither a mail nor a password where it is asked for', async () => {
  const server = await sink()
  const outcome = await at(server.port, { tls: 'starttls' }).send(MAIL, ready, never())
  expect(outcome).toMatchObject({ kind: 'refused' })
  expect(server.mails).toEqual([])
})
