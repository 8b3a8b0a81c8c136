/** What an authority says is believed only as far as it makes sense. */
import { beforeEach, describe, expect, it } from 'vitest'
import { Secret } from '../../../../src/kernel/secret.ts'
import { type Misconduct } from '../../../fakes/acme/misconduct.ts'
import { describePeers } from '../../../peers/peers.ts'
import { newAccountKey, signal } from './authority-world.ts'
import { eachStub, finalised, NAMES, REACHING, refusals, RESOURCES, type StubRig } from './stub-client.ts'
import { itInDepth, itOneIn } from '../../../kit/in-depth.ts'

const HMAC = 'Y2FuYXJ5LWhtYWMta2V5LW9mLXRoZS1leHRlcm5hbC1hY2NvdW50'
const wish = { names: NAMES, replaces: null }
const account_key = newAccountKey()

describePeers(['openssl'], 'ACME at an authority', () => {
  const current = eachStub(account_key)
  const refused = refusals(account_key, [HMAC])
  let rig: StubRig
  beforeEach(() => {
    rig = current()
  })

  describe('that talks nonsense', () => {
    const json = (body: unknown, headers = {}): Misconduct => ({ status: 200, body, headers })
    const NONSENSE: readonly (readonly [string, Misconduct])[] = [
      ['hangs up', 'hangs up'],
      ['breaks off half-way', 'breaks off half-way'],
      ['a page', json('<!doctype html><h1>Sign in</h1>', { 'content-type': 'text/html' })],
      ['cut JSON', json('{"status":"pen')],
      ['null', json('null')],
      ['a list', json([])],
      ['an empty object', json({})],
      ['nothing', json('')],
      ['an endless body', json(`{"x":"${'x'.repeat(1024 * 1024)}"}`)],
      [
        'addresses without TLS',
        json({
          status: 'ready',
          finalize: 'http://127.0.0.1/f',
          authorizations: [],
          newNonce: 'http://127.0.0.1/n',
          newAccount: 'x',
          newOrder: 'y',
        }),
      ],
    ]
    const TOLD = RESOURCES.filter((resource) => !['new-nonce', 'challenge', 'new-account'].includes(resource))
    itOneIn(14).each(
      TOLD.flatMap((resource) => NONSENSE.map(([what, how]) => [resource, what, how] as const)),
    )('%s: %s is a component that is not available', async (resource, _what, how) => {
      rig.stub.ways.renewal = { start: '2026-12-01T00:00:00Z', end: '2026-12-02T00:00:00Z' }
      const call = await REACHING[resource](rig.client())
      rig.stub.misbehave(resource, how)
      expect((await refused(call(signal))).code).toBe('component_unavailable')
    })

    it.each([
      ['a nonce', 'new-nonce', { status: 204, headers: { 'replay-nonce': 'no nonce at all!' } }],
      ['an account’s address', 'new-account', { status: 201, body: { status: 'valid' } }],
      ['an order’s address', 'new-order', { status: 201, body: { status: 'pending' } }],
    ] as const)('without %s', async (_what, resource, answer) => {
      rig.stub.misbehave(resource, answer)
      expect((await refused(rig.acme.newOrder(wish, signal))).code).toBe('component_unavailable')
    })

    it.each([
      ['a token with a blank', { token: 'a b' }],
      ['a status that does not exist', { status: 'weird' }],
      ['an address without TLS', { url: 'http://127.0.0.1/c' }],
    ])('a challenge with %s', async (_what, wrong) => {
      const challenge = {
        type: 'dns-01',
        status: 'pending',
        url: 'https://127.0.0.1/c',
        token: 'abc',
        ...wrong,
      }
      const call = await REACHING.authorization(rig.acme)
      const body = {
        status: 'pending',
        identifier: { type: 'dns', value: 'app.example.org' },
        challenges: [challenge],
      }
      rig.stub.misbehave('authorization', { status: 200, body })
      expect((await refused(call(signal))).message).toContain('malformed DNS challenge')
    })

    it('an authorisation that offers no DNS challenge is told as such', async () => {
      const call = await REACHING.authorization(rig.acme)
      const body = {
        status: 'pending',
        identifier: { type: 'dns', value: 'app.example.org' },
        challenges: [{ type: 'http-01' }],
      }
      rig.stub.misbehave('authorization', { status: 200, body })
      expect(await call(signal)).toMatchObject({ name: 'app.example.org', dns: null })
    })

    it('a window that ends before it begins', async () => {
      rig.stub.ways.renewal = { start: '2026-12-02T00:00:00Z', end: '2026-12-01T00:00:00Z' }
      expect((await refused(rig.acme.renewalWindow('aYhb.AIdl', signal))).code).toBe('component_unavailable')
    })

    it('an order for other names', async () => {
      const other = { type: 'dns', value: 'victim.example.org' }
      const body = {
        status: 'pending',
        identifiers: [other],
        authorizations: [],
        finalize: 'https://127.0.0.1/f',
      }
      rig.stub.misbehave('new-order', { status: 201, headers: { location: 'https://127.0.0.1/o' }, body })
      expect((await refused(rig.acme.newOrder(wish, signal))).message).toContain('for other names')
    })
  })

  describe('that hands out what was not ordered', () => {
    itInDepth('a certificate for other names', async () => {
      rig.stub.ways.issue_for = ['other.example.org']
      const failure = await refused(rig.acme.certificate(await finalised(rig.acme), signal))
      expect(failure.code).toBe('component_unavailable')
      expect(failure.message).toContain(`a certificate that is not for ${NAMES.join(', ')}`)
    })

    itInDepth('a certificate that has ended', async () => {
      const order = await finalised(rig.acme)
      rig.clock.pass(20 * 365 * 24 * 3_600_000)
      expect((await refused(rig.acme.certificate(order, signal))).message).toMatch(
        /certificate that ended at 20/,
      )
    })

    itInDepth.each([
      [
        'a chain as plain text',
        'text/plain',
        '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      ],
      ['no certificate', 'application/pem-certificate-chain', 'hello'],
      [
        'a certificate of rubbish',
        'application/pem-certificate-chain',
        '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      ],
    ])('%s', async (_what, type, body) => {
      const order = await finalised(rig.acme)
      rig.stub.misbehave('certificate', { status: 200, headers: { 'content-type': type }, body })
      expect((await refused(rig.acme.certificate(order, signal))).code).toBe('component_unavailable')
    })

    it('nothing, since the order is not valid yet', async () => {
      const order = await rig.acme.newOrder(wish, signal)
      expect((await refused(rig.acme.certificate(order, signal))).code).toBe('component_unavailable')
    })
  })

  describe('with settings that cannot work', () => {
    it.each([
      ['a directory without TLS', { directory: 'http://127.0.0.1/dir' }],
      ['a directory that is no address', { directory: 'letsencrypt' }],
      [
        'a key that is none',
        { account_key: new Secret(`-----BEGIN PRIVATE KEY-----\n${HMAC}\n-----END PRIVATE KEY-----`) },
      ],
      ['roots that are not there', { ca_file: '/nowhere/ca.pem' }],
      ['roots that are none', { ca_file: '/dev/null' }],
    ])('%s is a configuration fault, before anything is asked', async (_what, settings) => {
      const failure = await refused(Promise.resolve().then(() => rig.client(settings)))
      expect(failure.code).toBe('bad_configuration')
      expect(rig.stub.requests).toEqual([])
    })
  })
})
