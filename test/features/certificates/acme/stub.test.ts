/** What comes of an authority that goes by the book, and of one that refuses: the right answer, and no secret in it. */
import { X509Certificate } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { ariId } from '../../../../src/features/certificates/acme/ari-id.ts'
import { makeRequest } from '../../../../src/features/certificates/acme/make-request.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import { type Misconduct, problem } from '../../../fakes/acme/misconduct.ts'
import { itInDepth, itOneIn } from '../../../kit/in-depth.ts'
import { describePeers } from '../../../peers/peers.ts'
import { newAccountKey, signal } from './authority-world.ts'
import { answered, eachStub, finalised, NAMES, refusals, type StubRig } from './stub-client.ts'

const HMAC = 'Y2FuYXJ5LWhtYWMta2V5LW9mLXRoZS1leHRlcm5hbC1hY2NvdW50'
const wish = { names: NAMES, replaces: null }
const account_key = newAccountKey()

describePeers(['openssl'], 'ACME at a scripted authority', () => {
  const current = eachStub(account_key)
  const refused = refusals(account_key, [HMAC])
  let rig: StubRig
  beforeEach(() => {
    rig = current()
  })

  describe('that behaves', () => {
    it('issues in eleven requests, for two names', async () => {
      const order = await finalised(rig.acme)
      const chain = await rig.acme.certificate(order, signal)
      expect(new X509Certificate(chain).subjectAltName).toContain(`DNS:${NAMES[1]}`)
      expect(rig.stub.requests).toHaveLength(11)
    })

    itInDepth('wants an external account, and gets the binding', async () => {
      rig.stub.ways.external_accounts['kid-1'] = HMAC
      expect((await refused(rig.acme.account(signal))).code).toBe('provider_credentials')
      const wrong = rig.client({ eab: { kid: 'kid-1', hmac_key: new Secret('b3RoZXI') } })
      expect((await refused(wrong.account(signal))).code).toBe('provider_credentials')
      const right = rig.client({ eab: { kid: 'kid-1', hmac_key: new Secret(HMAC) } })
      expect((await right.account(signal)).url).toMatch(/account\/1$/)
    })

    itInDepth('tells when to renew, and when to ask again', async () => {
      const chain = await rig.acme.certificate(await finalised(rig.acme), signal)
      rig.stub.ways.renewal = {
        start: '2026-12-01T00:00:00Z',
        end: '2026-12-02T00:00:00Z',
        explanation: 'https://ca.example/why',
        retry_after: '21600',
      }
      expect(await rig.client().renewalWindow(ariId(chain)!, signal)).toEqual({
        start: Date.UTC(2026, 11, 1),
        end: Date.UTC(2026, 11, 2),
        explanation_url: 'https://ca.example/why',
        retry_after_ms: 21_600_000,
      })
    })

    it('tells by which names CAA records allow it, and nothing where it tells none', async () => {
      expect(await rig.acme.caaIdentities(signal)).toEqual([])
      rig.stub.ways.caa_identities = ['CA.example', 'other.example', 7, 'no name!']
      expect(await rig.client().caaIdentities(signal)).toEqual(['ca.example', 'other.example'])
    })

    itInDepth('is asked by several clients at once, and each gets its own answers', async () => {
      const strangers = Array.from({ length: 4 }, () => rig.client({ ca_file: null }))
      const friends = Array.from({ length: 4 }, () => rig.client({ account_key: newAccountKey() }))
      const outcomes = await Promise.all([
        ...strangers.map((acme) => refused(acme.account(signal))),
        ...friends.map(async (acme) => acme.certificate(await finalised(acme), signal)),
      ])
      for (const failure of outcomes.slice(0, 4))
        expect(failure).toMatchObject({ code: 'component_unavailable' })
      for (const chain of outcomes.slice(4)) expect(chain).toContain('BEGIN CERTIFICATE')
      expect(
        new Set((await Promise.all(friends.map((acme) => acme.account(signal)))).map(({ url }) => url)).size,
      ).toBe(4)
    })

    it('knows no window for a certificate that is not its own', async () => {
      rig.stub.ways.renewal = { start: '2026-12-01T00:00:00Z', end: '2026-12-02T00:00:00Z' }
      expect(await rig.acme.renewalWindow('unknown', signal)).toBeNull()
    })

    itInDepth('hears what is replaced only where it has renewal information', async () => {
      rig.stub.ways.refuse_replaces = problem('alreadyReplaced', 'replaced before', { status: 409 })
      await rig.acme.newOrder({ names: NAMES, replaces: 'aYhb.AIdl' }, signal)
      rig.stub.ways.renewal = { start: '2026-12-01T00:00:00Z', end: '2026-12-02T00:00:00Z' }
      const failure = await refused(rig.client().newOrder({ names: NAMES, replaces: 'aYhb.AIdl' }, signal))
      expect(failure.code).toBe('conflict')
    })

    it('forgets the account: the next call opens it again', async () => {
      await rig.acme.account(signal)
      rig.stub.misbehave('new-order', problem('accountDoesNotExist', 'no such account', { status: 400 }))
      expect((await refused(rig.acme.newOrder(wish, signal))).code).toBe('provider_credentials')
      expect((await rig.acme.newOrder(wish, signal)).status).toBe('pending')
    })

    itInDepth('refuses a request for other names than were ordered', async () => {
      const { csr } = await makeRequest(['other.example.org'])
      const failure = await refused(rig.acme.finalize(await answered(rig.acme), csr, signal))
      expect(failure).toMatchObject({ code: 'provider_refused', details: { facts: { problem: 'badCSR' } } })
    })

    itOneIn(2).each(['pending', 'invalid'] as const)(
      'leaves an order %s, and says so without waiting',
      async (verdict) => {
        rig.stub.ways.verdict = verdict
        rig.stub.ways.reason = { type: 'caa', detail: 'CAA record for example.org\u0007 prevents\nissuance' }
        const order = await answered(rig.acme)
        expect(order.status).toBe(verdict)
        const error = verdict === 'invalid' ? 'CAA record for example.org prevents issuance (caa)' : null
        expect(order.error).toBe(error)
        const { dns } = await rig.acme.authorization(order.authorization_urls[0]!, signal)
        expect(dns).toMatchObject({ status: verdict, error })
      },
    )
  })

  describe('that refuses', () => {
    const later = { headers: { 'retry-after': '3600' } }
    itOneIn(4).each([
      [
        'rateLimited',
        problem('rateLimited', 'too many certificates', { status: 429, ...later }),
        'provider_busy',
        3_600_000,
      ],
      [
        'rateLimited by 503',
        problem('rateLimited', 'busy', { status: 503, ...later }),
        'provider_busy',
        3_600_000,
      ],
      [
        '429 as a page',
        {
          status: 429,
          body: '<h1>Slow down</h1>',
          headers: { 'content-type': 'text/html', 'retry-after': '60' },
        },
        'provider_busy',
        60_000,
      ],
      [
        '503 as a page',
        {
          status: 503,
          body: '<h1>Down</h1>',
          headers: { 'content-type': 'text/html', 'retry-after': '120' },
        },
        'component_unavailable',
        120_000,
      ],
      [
        'serverInternal',
        problem('serverInternal', 'oops', { status: 500 }),
        'component_unavailable',
        undefined,
      ],
      [
        'unauthorized',
        problem('unauthorized', 'the account is deactivated'),
        'provider_credentials',
        undefined,
      ],
      [
        'rejectedIdentifier',
        problem('rejectedIdentifier', 'policy forbids it', { status: 400 }),
        'provider_refused',
        undefined,
      ],
      ['caa', problem('caa', 'CAA says no'), 'provider_refused', undefined],
      ['malformed', problem('malformed', 'what is this', { status: 400 }), 'provider_refused', undefined],
      ['userActionRequired', problem('userActionRequired', 'new terms'), 'provider_refused', undefined],
      [
        '403 of a firewall',
        { status: 403, body: 'no', headers: { 'content-type': 'text/plain' } },
        'component_unavailable',
        undefined,
      ],
      [
        'a redirect',
        { status: 302, headers: { location: 'https://127.0.0.1:1/elsewhere' } },
        'component_unavailable',
        undefined,
      ],
    ] as const)('an order: %s', async (_what, answer, code, retry_after_ms) => {
      rig.stub.misbehave('new-order', answer)
      const failure = await refused(rig.acme.newOrder(wish, signal))
      expect(failure.code).toBe(code)
      expect(failure.details.retry_after_ms).toBe(retry_after_ms)
      expect(failure.message).toContain(`order a certificate for ${NAMES.join(', ')}`)
      const orders = rig.stub.requests.filter(({ resource }) => resource === 'new-order')
      expect(orders).toHaveLength(1)
      expect(rig.clock.sleepers()).toBe(0)
    })

    it('in parts: every part is told, with its name', async () => {
      const part = (value: string) => ({
        type: 'urn:ietf:params:acme:error:caa',
        detail: 'no',
        identifier: { type: 'dns', value },
      })
      const subproblems = NAMES.map(part)
      rig.stub.misbehave('new-order', problem('compound', 'errors during validation', { subproblems }))
      const { message, details } = await refused(rig.acme.newOrder(wish, signal))
      for (const name of NAMES) expect(message).toContain(`${name}: no (caa)`)
      expect(details.facts).toEqual({ problem: 'compound', status: 403 })
    })

    itOneIn(2).each([
      ['alreadyReplaced', problem('alreadyReplaced', 'replaced before', { status: 409 }), 'conflict'],
      [
        'a predecessor it does not know',
        problem('malformed', 'could not find the certificate to be replaced', { status: 404 }),
        'conflict',
      ],
      [
        'the name, not the predecessor',
        problem('rejectedIdentifier', 'policy forbids it', { status: 400 }),
        'provider_refused',
      ],
      ['the pace, not the predecessor', problem('rateLimited', 'too many', { status: 429 }), 'provider_busy'],
    ] as const)('a replacement: %s', async (_what, answer, code) => {
      rig.stub.ways.renewal = { start: '2026-12-01T00:00:00Z', end: '2026-12-02T00:00:00Z' }
      rig.stub.ways.refuse_replaces = answer
      expect((await refused(rig.acme.newOrder({ names: NAMES, replaces: 'aYhb.AIdl' }, signal))).code).toBe(
        code,
      )
    })

    it('an account that was closed', async () => {
      const headers = { location: 'https://127.0.0.1/account/1' }
      rig.stub.misbehave('new-account', { status: 200, headers, body: { status: 'deactivated' } })
      const failure = await refused(rig.acme.account(signal))
      expect(failure.code).toBe('provider_credentials')
      expect(failure.message).toContain('deactivated')
    })

    it('five nonces in a row: the sixth is taken, and none was asked for', async () => {
      await rig.acme.account(signal)
      const bad = problem('badNonce', 'bad nonce', { status: 400 })
      rig.stub.misbehave('new-order', bad, bad, bad, bad, bad)
      const before = rig.stub.requests.length
      await rig.acme.newOrder(wish, signal)
      expect(rig.stub.requests.slice(before).map(({ resource }) => resource)).toEqual(
        Array(6).fill('new-order'),
      )
    })

    it('every nonce: the sixth request is the last', async () => {
      await rig.acme.account(signal)
      const bad = problem('badNonce', 'bad nonce', {
        status: 400,
        headers: { 'replay-nonce': 'not base64url!' },
      })
      rig.stub.misbehave('new-order', ...Array<Misconduct>(20).fill(bad))
      const failure = await refused(rig.acme.newOrder(wish, signal))
      expect(failure).toMatchObject({
        code: 'component_unavailable',
        details: { facts: { problem: 'badNonce' } },
      })
      expect(rig.stub.requests.filter(({ resource }) => resource === 'new-order')).toHaveLength(6)
    })
  })
})
