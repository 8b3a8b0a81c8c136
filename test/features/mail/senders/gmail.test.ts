/** The Gmail API behind a strict stand-in that misbehaves: tokens, senders, and what became of a mail. */
import PostalMime from 'postal-mime'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createHttpClient } from '../../../../src/io/http-client/create-client.ts'
import { gmailMailer } from '../../../../src/features/mail/senders/gmail/mailer.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import { KNOWN_DEAD } from '../../../../src/kernel/async/peer-gate.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import type { HttpClient } from '../../../../src/ports/http-client.ts'
import type { Mail, Mailer } from '../../../../src/features/mail/port.ts'
import { CLIENT, type FakeGmail, fakeGmail } from '../../../fakes/mail/gmail.ts'

const MAIL: Mail = {
  message_id: '<1@example.org>',
  at: 0,
  from: { address: 'me@example.org', name: 'Me' },
  to: [{ address: 'a@example.net', name: null }],
  cc: [],
  bcc: [{ address: 'c@example.net', name: null }],
  reply_to: null,
  subject: 'Grüße',
  text: 'x',
  html: null,
}

let google: FakeGmail
let http: HttpClient
let now = 1_000_000
const clock = { ...systemClock, now: () => now }

beforeEach(async () => {
  now = 1_000_000
  google = await fakeGmail()
  http = createHttpClient({ clock })
})
afterEach(async () => {
  await http.close()
  await google.close()
})

const mailerWith = (change: { refresh_token?: string; client_secret?: string; base?: string } = {}): Mailer =>
  gmailMailer({
    http,
    clock,
    base: change.base ?? google.base,
    token_url: google.token_url,
    client_id: CLIENT.id,
    client_secret: new Secret(change.client_secret ?? CLIENT.secret),
    refresh_token: new Secret(change.refresh_token ?? CLIENT.refresh_token),
  })

const signal = () => new AbortController().signal
const ready = async () => {}
const tokenCalls = () => google.calls.filter((call) => call === 'POST /token').length

it('a mail goes out with one token for many, and hidden recipients are told to Gmail', async () => {
  const mailer = mailerWith()
  expect(await mailer.send(MAIL, ready, signal())).toEqual({
    kind: 'sent',
    provider_id: '18c1',
    rejected: [],
  })
  await mailer.send(MAIL, ready, signal())
  expect(tokenCalls()).toBe(1)
  const parsed = await PostalMime.parse(google.taken[0]!)
  expect(parsed).toMatchObject({ subject: 'Grüße', messageId: '<1@example.org>' })
  expect(parsed.bcc?.[0]?.address).toBe('c@example.net')
  expect(mailer.token()).toMatchObject({ state: 'valid', reason: null })
})

it('a mail that meets an API known to be dead was certainly not sent', async () => {
  let is_dead = false
  const inner = http
  const gated: HttpClient = {
    close: () => inner.close(),
    request: (request) => {
      const details = { retry_after_ms: 4000, inside: KNOWN_DEAD }
      if (is_dead) return Promise.reject(new Failure('component_unavailable', 'It is unreachable.', details))
      return inner.request(request)
    },
  }
  http = gated
  const mailer = mailerWith()
  await mailer.check(signal())
  is_dead = true
  expect(await mailer.send(MAIL, ready, signal())).toMatchObject({
    kind: 'refused',
    passing: true,
    retry_after_ms: 4000,
  })
})

it('only the primary address and verified aliases are senders', async () => {
  expect(await mailerWith().senders(signal())).toEqual([
    { address: 'me@example.org', name: 'Me', is_default: true },
    { address: 'alerts@example.net', name: 'Alerts', is_default: false },
  ])
})

it('calls at the same time share one refresh, and a token is renewed before its end', async () => {
  const mailer = mailerWith()
  await Promise.all(Array.from({ length: 20 }, () => mailer.send(MAIL, ready, signal())))
  expect(tokenCalls()).toBe(1)
  now += (3599 - 299) * 1000
  await mailer.send(MAIL, ready, signal())
  expect(tokenCalls()).toBe(2)
})

it('a token that is refused is renewed once, and the mail goes out once', async () => {
  const mailer = mailerWith()
  google.misbehave('send', { status: 401, reason: 'authError' })
  expect(await mailer.send(MAIL, ready, signal())).toMatchObject({ kind: 'sent' })
  expect(google.taken).toHaveLength(1)
  google.misbehave('send', { status: 401, reason: 'authError' }, { always: true })
  expect(await mailer.send(MAIL, ready, signal())).toMatchObject({ kind: 'refused', passing: false })
  expect(google.taken).toHaveLength(1)
})

it('a revoked grant is presented once, says what to do, and is tried again only when a person asks', async () => {
  const mailer = mailerWith({ refresh_token: 'revoked' })
  for (let i = 0; i < 5; i++)
    expect(await mailer.send(MAIL, ready, signal())).toMatchObject({
      kind: 'refused',
      code: 'provider_credentials',
    })
  expect(tokenCalls()).toBe(1)
  expect(mailer.token()).toMatchObject({ state: 'needs_consent' })
  expect(mailer.token()?.reason).toContain('PLUMBLINE_GMAIL_REFRESH_TOKEN')
  await expect(mailer.refresh(signal())).rejects.toMatchObject({ code: 'provider_credentials' })
  expect(tokenCalls()).toBe(2)
  await expect(mailer.check(signal())).rejects.toMatchObject({ code: 'provider_credentials' })
  expect(tokenCalls()).toBe(2)
  expect(JSON.stringify(mailer.token())).not.toContain('revoked"')
})

it.each([
  [
    { status: 403, reason: 'rateLimitExceeded' },
    { kind: 'refused', code: 'provider_busy', passing: true },
  ],
  [
    { status: 403, reason: 'dailyLimitExceeded' },
    { kind: 'refused', code: 'provider_busy', passing: true },
  ],
  [
    { status: 429, reason: 'x', headers: { 'retry-after': '7' } },
    { kind: 'refused', retry_after_ms: 7000 },
  ],
  [
    { status: 403, reason: 'insufficientPermissions' },
    { kind: 'refused', code: 'provider_credentials', passing: false },
  ],
  [
    { status: 403, reason: 'domainPolicy' },
    { kind: 'refused', passing: false },
  ],
  [
    { status: 400, reason: 'invalidArgument' },
    { kind: 'refused', code: 'provider_refused', passing: false },
  ],
  [{ status: 302, reason: 'elsewhere' }, { kind: 'unknown' }],
  [{ taken_then: 500 }, { kind: 'unknown' }],
  [{ taken_then: 503 }, { kind: 'unknown' }],
  [{ taken_then: 'reset' }, { kind: 'unknown' }],
  ['reset', { kind: 'unknown' }],
] as const)('an answer to a send like %j means %j', async (how, outcome) => {
  google.misbehave('send', how)
  expect(await mailerWith().send(MAIL, ready, signal())).toMatchObject(outcome)
  const doubled = typeof how === 'object' && 'taken_then' in how ? 1 : 0
  expect(google.taken).toHaveLength(doubled)
})

it('a mail is found by its Message-ID once the index shows it, and what was never taken is absent', async () => {
  const mailer = mailerWith()
  expect(await mailer.find(MAIL.message_id, signal())).toBe('absent')
  google.misbehave('send', { taken_then: 'reset' })
  expect(await mailer.send(MAIL, ready, signal())).toMatchObject({ kind: 'unknown' })
  google.lag(1)
  expect(await mailer.find(MAIL.message_id, signal())).toBe('absent')
  expect(await mailer.find(MAIL.message_id, signal())).toEqual({ provider_id: '18c1' })
  expect(await mailer.find('<2@example.org>', signal())).toBe('absent')
})

it.each([
  [{ status: 503, reason: 'backendError' }, 'component_unavailable'],
  [{ status: 429, reason: 'x' }, 'provider_busy'],
  ['reset', 'component_unavailable'],
] as const)('a search that ends in %j finds nothing out', async (how, code) => {
  google.misbehave('find', how)
  await expect(mailerWith().find(MAIL.message_id, signal())).rejects.toMatchObject({ code })
})

it('a search without its scope names the scope', async () => {
  google.grant('gmail.send', 'gmail.settings.basic')
  await expect(mailerWith().find(MAIL.message_id, signal())).rejects.toThrow('gmail.readonly')
})

it('silence ends by the signal and leaves it unknown', async () => {
  google.misbehave('send', { taken_then: 'silence' })
  const stop = new AbortController()
  const sent = mailerWith().send(MAIL, ready, stop.signal)
  await expect.poll(() => google.taken.length).toBe(1)
  stop.abort(new Error('enough'))
  expect(await sent).toMatchObject({ kind: 'unknown' })
})

it('trouble with the token, or nobody there, is certainly not sent', async () => {
  google.misbehave('token', 'reset')
  expect(await mailerWith().send(MAIL, ready, signal())).toMatchObject({ kind: 'refused', passing: true })
  google.misbehave('token', { status: 503, reason: 'backendError' })
  expect(await mailerWith().send(MAIL, ready, signal())).toMatchObject({ kind: 'refused', passing: true })
  expect(await mailerWith({ client_secret: 'wrong' }).send(MAIL, ready, signal())).toMatchObject({
    kind: 'refused',
    code: 'provider_credentials',
  })
  const nobody = mailerWith({ base: 'http://127.0.0.1:9' })
  expect(await nobody.send(MAIL, ready, signal())).toMatchObject({ kind: 'refused', passing: true })
  expect(google.taken).toEqual([])
})

it('senders that cannot be listed are an error that names the scope', async () => {
  google.misbehave('senders', { status: 403, reason: 'insufficientPermissions' })
  await expect(mailerWith().senders(signal())).rejects.toThrow('gmail.settings.basic')
})

it('no message, state or outcome holds a secret', async () => {
  const mailer = mailerWith({ refresh_token: 'very-secret-refresh', client_secret: 'very-secret-client' })
  const outcome = await mailer.send(MAIL, ready, signal())
  const error = await mailer.check(signal()).catch((thrown: Error) => `${thrown.message} ${thrown.stack}`)
  expect(JSON.stringify([outcome, mailer.token(), error])).not.toContain('very-secret')
})
