/** The e-mail calls over a real mail server and a strict Gmail: senders, budget, repeats, and what cannot be smuggled in. */
import { describe, expect, it } from 'vitest'
import { movedClock } from '../kit/moved-clock.ts'
import { CLIENT, fakeGmail } from '../fakes/mail/gmail.ts'
import { peopleWorld } from './people-world.ts'
import { openTestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const MAIL = { from_address: 'plumbline@example.com', to: ['jo@example.net'], subject: 'Hi', text: 'there' }

describe('over SMTP', () => {
  itInDepth('a verified sender sends, keyless on this host, and everything else is named', async () => {
    await using world = await peopleWorld()
    await using at = await openTestHouse({ env: world.env })
    const send = (body: object) => at.call('POST', '/api/email/send', { body, key: null })
    const answer = await send({ ...MAIL, cc: ['c@example.net'], bcc: ['b@example.net'] })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(answer.body).toMatchObject({ success: true, state: 'sent', rejected: [] })
    expect(world.sink.mails[0]?.to).toEqual(['jo@example.net', 'c@example.net', 'b@example.net'])
    expect(world.sink.mails[0]?.email.messageId).toBe(answer.body['message_id'])
    const wrong: readonly (readonly [object, string])[] = [
      [{ from_address: 'other@example.com' }, 'from_address'],
      [{ from_address: 'plumbline@ехample.com' }, 'from_address'],
      [{ to: [] }, 'to'],
      [{ to: ['a@b.de, c@d.ef'] }, 'to'],
      [{ to: ['a@b.de', 'A@B.DE'] }, 'to'],
      [{ to: ['a@b.de\r\nBcc: x@y.de'] }, 'to'],
      [{ subject: 'x\r\nBcc: x@example.com' }, 'subject'],
      [{ subject: 'x\u2028y' }, 'subject'],
      [{ from_name: 'x\ny' }, 'from_name'],
      [{ reply_to: 'x' }, 'reply_to'],
      [{ text: undefined }, 'text'],
      [{ attachments: [] }, 'attachments'],
      [{ to: Array.from({ length: 51 }, (_, i) => `a${i}@example.net`) }, 'to'],
    ]
    for (const [change, field] of wrong) {
      const refused = await send({ ...MAIL, ...change })
      expect(refused.status, JSON.stringify(change)).toBe(422)
      expect(JSON.stringify(refused.body['errors'] ?? refused.body), JSON.stringify(change)).toContain(field)
    }
    expect(world.sink.mails).toHaveLength(1)
    expect((await at.call('GET', '/api/email/aliases', { key: null })).body).toEqual([
      { address: 'plumbline@example.com', name: null, is_default: true },
    ])
  })

  itInDepth('a repeat under one key is one mail', async () => {
    await using world = await peopleWorld()
    await using at = await openTestHouse({ env: world.env })
    const headers = { 'idempotency-key': 'one' }
    const answers = [
      await at.call('POST', '/api/email/send', { body: MAIL, headers }),
      await at.call('POST', '/api/email/send', { body: MAIL, headers }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]!.body).toEqual(answers[1]!.body)
    expect(world.sink.mails).toHaveLength(1)
  })

  itInDepth('the budget holds, also over a restart, and says when to come back', async () => {
    await using world = await peopleWorld()
    const env = { ...world.env, PLUMBLINE_MAIL_PER_MINUTE: '3' }
    await using at = await openTestHouse({ env, clock: movedClock({ stands: true }) })
    for (let i = 0; i < 2; i++)
      expect((await at.call('POST', '/api/email/send', { body: MAIL })).status).toBe(200)
    const full = await at.call('POST', '/api/email/send', { body: MAIL })
    expect(full.status).toBe(429)
    expect(Number(full.headers.get('retry-after'))).toBeGreaterThan(0)
    await using again = await at.reopen()
    expect((await again.call('POST', '/api/email/send', { body: MAIL })).status).toBe(429)
    expect((await again.call('GET', '/api/email/health')).body['budget']).toMatchObject({
      minute: { used: 2, limit: 3 },
    })
    expect(world.sink.mails).toHaveLength(2)
  })

  it('mails of a clock that was ahead use up no budget when it is set right', async () => {
    await using world = await peopleWorld()
    const env = { ...world.env, PLUMBLINE_MAIL_PER_MINUTE: '1', PLUMBLINE_MAIL_PER_DAY: '2' }
    const clock = movedClock({ stands: true })
    await using at = await openTestHouse({ env, clock })
    const send = async () => (await at.call('POST', '/api/email/send', { body: MAIL })).status
    clock.step(3 * 24 * 3_600_000)
    expect([await send(), await send()]).toEqual([200, 429])
    clock.step(-3 * 24 * 3_600_000)
    expect((await at.call('GET', '/api/email/health')).body['budget']).toMatchObject({ minute: { used: 0 } })
    expect([await send(), await send()]).toEqual([200, 429])
  })

  itInDepth('recipients may be limited to domains', async () => {
    await using world = await peopleWorld()
    await using at = await openTestHouse({
      env: { ...world.env, PLUMBLINE_MAIL_RECIPIENT_DOMAINS: 'example.net' },
    })
    expect((await at.call('POST', '/api/email/send', { body: MAIL })).status).toBe(200)
    const other = await at.call('POST', '/api/email/send', { body: { ...MAIL, to: ['x@example.org'] } })
    expect(other.status).toBe(422)
  })

  it('a mail that vanished is unknown, one that was refused is an error, and health says what it knows', async () => {
    await using world = await peopleWorld()
    const clock = movedClock()
    await using at = await openTestHouse({ env: world.env, clock })
    world.sink.misbehave('forget')
    const lost = await at.call('POST', '/api/email/send', { body: MAIL })
    expect(lost.body).toMatchObject({ success: false, state: 'unknown' })
    world.sink.misbehave({ reply: 554, at: 'data' })
    expect((await at.call('POST', '/api/email/send', { body: MAIL })).status).toBe(502)
    world.sink.misbehave(null)
    const health = await at.call('GET', '/api/email/health')
    expect(health.body).toMatchObject({ configured: true, ok: true, provider: 'smtp', token: null })
    expect(health.body['last_unknown_at']).not.toBeNull()
    await world.sink.close()
    clock.pass(15_000)
    expect((await at.call('GET', '/api/email/health')).body).toMatchObject({ configured: true, ok: false })
  })

  itInDepth(
    'an invitation whose mail server is away is a user without a mail, and the mail follows once',
    async () => {
      await using world = await peopleWorld()
      await using at = await openTestHouse({ env: world.env })
      world.sink.misbehave({ reply: 451, at: 'from' })
      const answer = await at.call('POST', '/api/users/invite', {
        body: { display_name: 'Jo', email: 'jo@example.net' },
      })
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      expect(answer.body['warnings']).toHaveLength(1)
      expect(world.user('jo')).toMatchObject({ disabled: false })
      world.sink.misbehave(null)
      expect((await at.call('POST', '/api/users/jo/resend')).status).toBe(200)
      expect(world.sink.mails).toHaveLength(1)
      // Asked for again by a person, it is sent again.
      expect((await at.call('POST', '/api/users/jo/resend')).status).toBe(200)
      expect(world.sink.mails).toHaveLength(2)
    },
  )

  it('a mail once more that the server puts off goes by itself, and asked for again it is no second one', async () => {
    await using world = await peopleWorld()
    const clock = movedClock()
    await using at = await openTestHouse({ env: world.env, clock })
    await at.call('POST', '/api/users/invite', { body: { display_name: 'Jo', email: 'jo@example.net' } })
    const resend = (query = '') => at.call('POST', `/api/users/jo/resend${query}`)
    world.sink.misbehave({ reply: 451, at: 'from' })
    expect(await resend()).toMatchObject({
      status: 503,
      body: {
        username: 'jo',
        saved: true,
        detail: expect.stringMatching(
          /^The mail to jo is saved, but it is not out yet: .*451.*\. It is tried again by itself\.$/,
        ),
      },
    })
    world.sink.misbehave(null)
    clock.pass(60_000)
    const invitation = async () => (await at.call('GET', '/api/users/jo')).body['invitation']
    await expect.poll(invitation, { timeout: 15_000 }).toMatchObject({ step: 'done', mail: 'sent' })
    expect(world.sink.mails).toHaveLength(2)
    expect((await resend('?dry_run=true')).body['plan']).toMatchObject({ actions: [] })
    const { body } = await resend()
    expect(body['message']).toBe('The invitation of jo was sent again.')
    expect(body['warnings']).toEqual([expect.stringContaining('asked for before')])
    expect(world.sink.mails).toHaveLength(2)
    // Whoever has heard of it and asks again wants another one.
    expect((await resend()).body['warnings']).toEqual([])
    expect(world.sink.mails).toHaveLength(3)
  })

  it('a mail once more is not said to be sent where it was refused, or where nobody knows', async () => {
    await using world = await peopleWorld()
    await using at = await openTestHouse({ env: world.env })
    await at.call('POST', '/api/users/invite', { body: { display_name: 'Jo', email: 'jo@example.net' } })
    const message = async () => (await at.call('POST', '/api/users/jo/resend')).body['message']
    world.sink.misbehave({ reply: 554, at: 'data' })
    expect(await message()).toBe('The invitation of jo was not sent again.')
    world.sink.misbehave('vanish')
    expect(await message()).toBe('Whether the invitation of jo was sent again is not known.')
  })
})

describe('a dry run', () => {
  it('shows the mail as it would go and the budget, and sends, counts and keeps nothing', async () => {
    await using world = await peopleWorld()
    await using at = await openTestHouse({ env: { ...world.env, PLUMBLINE_MAIL_PER_MINUTE: '1' } })
    const body = { ...MAIL, subject: 'Grüße', bcc: ['b@example.net'] }
    const plan = async () => at.call('POST', '/api/email/send?dry_run=true', { body, key: null })
    const planned = await plan()
    expect(planned.status, JSON.stringify(planned.body)).toBe(200)
    expect(planned.body).toMatchObject({
      dry_run: true,
      provider: 'smtp',
      recipients: ['jo@example.net', 'b@example.net'],
      budget_left: { minute: 1 },
      plan: {
        scope: { kind: 'call' },
        rows: [],
        actions: [{ component: 'mail', item: 'mail to jo@example.net, b@example.net', after: 'Grüße' }],
        applyable: true,
      },
    })
    expect((await plan()).body['budget_left']).toMatchObject({ minute: 1 })
    expect(world.sink.mails).toHaveLength(0)
    expect((await at.call('POST', '/api/email/send', { body })).status).toBe(200)
    const { headers, size_bytes } = planned.body['message'] as unknown as {
      headers: readonly { name: string; value: string }[]
      size_bytes: number
    }
    const [sent] = world.sink.mails
    expect(headers.map(({ name }) => name.toLowerCase())).toEqual(
      sent!.email.headers.map(({ key }) => key).filter((key) => key !== 'received'),
    )
    expect(headers.find(({ name }) => name === 'Subject')?.value).toMatch(/^=\?UTF-8\?/)
    expect(headers.some(({ name }) => name === 'Bcc')).toBe(false)
    expect(size_bytes).toBeGreaterThan(200)
    // What the real call would be refused for, the dry run is refused for.
    expect((await plan()).status).toBe(429)
    const wrong = { ...body, from_address: 'x@example.org' }
    expect((await at.call('POST', '/api/email/send?dry_run=true', { body: wrong })).status).toBe(422)
    const refresh = await at.call('POST', '/api/email/refresh-token?dry_run=true')
    expect(refresh.body).toMatchObject({
      success: true,
      refreshed: false,
      dry_run: true,
      plan: { scope: { kind: 'call' }, actions: [] },
    })
  })
})

describe('over the Gmail API', () => {
  itInDepth('senders, a mail, the token and its renewal', async () => {
    const google = await fakeGmail()
    try {
      const env = {
        PLUMBLINE_MAIL_PROVIDER: 'gmail',
        PLUMBLINE_GMAIL_CLIENT_ID: CLIENT.id,
        PLUMBLINE_GMAIL_CLIENT_SECRET: CLIENT.secret,
        PLUMBLINE_GMAIL_REFRESH_TOKEN: CLIENT.refresh_token,
        PLUMBLINE_GMAIL_URL: google.base,
        PLUMBLINE_GMAIL_TOKEN_URL: google.token_url,
      }
      await using at = await openTestHouse({ env: { ...env } })
      const aliases = (await at.call('GET', '/api/email/aliases')).body as unknown as { address: string }[]
      expect(aliases.map(({ address }) => address)).toEqual(['me@example.org', 'alerts@example.net'])
      const send = (from_address: string) =>
        at.call('POST', '/api/email/send', { body: { ...MAIL, from_address } })
      expect((await send('Alerts@Example.net')).status).toBe(200)
      expect(google.taken[0]?.toString()).toContain('From: Alerts <alerts@example.net>')
      expect((await send('new@example.net')).status).toBe(422)
      expect(google.taken).toHaveLength(1)
      // Taken, and the answer lost: found in the mailbox before anybody is told.
      for (const how of [{ taken_then: 'reset' }, { taken_then: 503 }] as const) {
        google.misbehave('send', how)
        const lost = await send('me@example.org')
        expect(lost.body).toMatchObject({ success: true, state: 'sent', detail: null })
        expect(lost.body['provider_id']).toBe(`18c${google.taken.length}`)
      }
      google.grant('gmail.send', 'gmail.settings.basic')
      google.misbehave('send', { taken_then: 'reset' })
      const hidden = await send('me@example.org')
      expect(hidden.body).toMatchObject({ success: false, state: 'unknown' })
      expect(hidden.body['detail']).toContain('gmail.readonly')
      expect(google.taken).toHaveLength(4)
      const renewed = await at.call('POST', '/api/email/refresh-token', { key: null })
      expect(renewed.body).toMatchObject({ success: true, refreshed: true, token: { state: 'valid' } })
      // Later than any time that can be written down.
      for (const expires_in of [1e300, '9'.repeat(400), 8.64e12, -1, null, {}]) {
        google.expires_in = expires_in
        expect(await at.call('POST', '/api/email/refresh-token')).toMatchObject({ status: 200 })
        const { status, body } = await at.call('GET', '/api/email/health')
        expect([status, body['ok']], JSON.stringify(expires_in)).toEqual([200, true])
      }

      google.misbehave('token', { status: 400, reason: 'invalid_grant' }, { always: true })
      const refused = await at.call('POST', '/api/email/refresh-token')
      expect(refused.status).toBe(503)
      expect(refused.body).toMatchObject({ code: 'provider_credentials' })
      const health = await at.call('GET', '/api/email/health')
      expect(health.body['token']).toMatchObject({ state: 'needs_consent' })
      expect(JSON.stringify(health.body)).not.toContain(CLIENT.refresh_token)
    } finally {
      await google.close()
    }
  })

  it('half of the settings is no start, and every missing one is named', async () => {
    await expect(openTestHouse({ env: { PLUMBLINE_MAIL_PROVIDER: 'gmail' } })).rejects.toThrow(
      /GMAIL_CLIENT_ID[^]*GMAIL_CLIENT_SECRET[^]*GMAIL_REFRESH_TOKEN/,
    )
    await expect(openTestHouse({ env: { PLUMBLINE_MAIL_PROVIDER: 'smtp' } })).rejects.toThrow(
      /PLUMBLINE_SMTP_SERVER[^]*PLUMBLINE_MAIL_FROM/,
    )
  })
})
