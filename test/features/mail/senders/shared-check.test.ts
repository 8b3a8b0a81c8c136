/** Whether the provider takes mail is asked once for all who want to know, on a real mail server that counts logins. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PeerGate } from '../../../../src/kernel/async/peer-gate.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import type { Mail } from '../../../../src/features/mail/port.ts'
import { smtpMailer } from '../../../../src/features/mail/senders/smtp/mailer.ts'
import { type SharedCheck, withSharedCheck } from '../../../../src/features/mail/senders/shared-check.ts'
import { handClock } from '../../../fakes/hand-clock.ts'
import { type SmtpSink, smtpSink } from '../../../fakes/mail/smtp-sink.ts'

const never = new AbortController().signal
let sink: SmtpSink
let shared: SharedCheck
let logins = 0
let password = 'right'
const clock = handClock()

beforeEach(async () => {
  logins = 0
  password = 'right'
  sink = await smtpSink({
    authMethods: ['PLAIN'],
    onAuth({ password: given }, _session, done) {
      logins++
      if (given === password) done(null, { user: 'plumbline' })
      else done(new Error('wrong'))
    },
  })
  const gate = new PeerGate({ clock, place: 'smtp', probe: async () => undefined, signOf: () => 'silent' })
  const server = { host: '127.0.0.1', port: sink.port, tls: 'none', ca: null } as const
  const login = { user: 'plumbline', password: new Secret('right') }
  const senders = ['plumbline@example.com']
  shared = withSharedCheck(smtpMailer({ ...server, login, senders, gate }), clock)
})
afterEach(() => sink.close())

const check = (options?: { readonly afresh?: boolean }) => shared.mailer.check(never, options)

it('twenty who ask at once, and whoever asks within 15 seconds, cost one login', async () => {
  await Promise.all(Array.from({ length: 20 }, () => check()))
  clock.pass(14_999)
  await check()
  expect(logins).toBe(1)
  clock.pass(1)
  await check()
  expect(logins).toBe(2)
})

it('a login that is refused is not tried for each who asks, either', async () => {
  password = 'another'
  const asked = await Promise.allSettled(Array.from({ length: 20 }, () => check()))
  expect(asked.every(({ status }) => status === 'rejected')).toBe(true)
  await expect(check()).rejects.toMatchObject({ code: 'provider_credentials' })
  expect(logins).toBe(1)
})

it('a fresh look, a send and a new token ask anew', async () => {
  await check()
  await check({ afresh: true })
  expect(logins).toBe(2)
  await shared.mailer.refresh(never)
  await check()
  expect(logins).toBe(3)
  const mail: Mail = {
    message_id: '<1@example.com>',
    at: 0,
    from: { address: 'plumbline@example.com', name: null },
    to: [{ address: 'jo@example.net', name: null }],
    cc: [],
    bcc: [],
    reply_to: null,
    subject: 'Hi',
    text: 'there',
    html: null,
  }
  expect(await shared.mailer.send(mail, async () => undefined, never)).toMatchObject({ kind: 'sent' })
  await check()
  expect(logins).toBe(5)
})

it('whoever goes away ends nobody else’s question', async () => {
  const leaving = new AbortController()
  const first = shared.mailer.check(leaving.signal)
  const second = check()
  leaving.abort(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  await second
  expect(logins).toBe(1)
})

it('the stop ends a question that is under way', async () => {
  const asking = check()
  shared.stop()
  await expect(asking).rejects.toThrow('stopped')
})
