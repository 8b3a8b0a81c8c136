/** Orders at a real authority, validated through a real name server, step by step. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { ariId } from '../../../../src/features/certificates/acme/ari-id.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import { describePeers, describePeersInDepth } from '../../../peers/peers.ts'
import { PEBBLE_PROGRAMS } from '../../../peers/pebble.ts'
import { POWERDNS_PROGRAMS } from '../../../peers/powerdns.ts'
import {
  again,
  authorise,
  failureOf,
  issue,
  newAccountKey,
  settled,
  signal,
  suiteWorld,
  type World,
  ZONE,
} from './authority-world.ts'
import { itInDepth } from '../../../kit/in-depth.ts'
import { atNight } from '../../../kit/tier.ts'

const PROGRAMS = [...PEBBLE_PROGRAMS, ...POWERDNS_PROGRAMS] as const
const wish = (...names: string[]) => ({ names, replaces: null })

describePeers(PROGRAMS, 'ACME at Pebble', () => {
  const started = suiteWorld()
  let world: World
  beforeAll(async () => {
    world = await started({ nonce_reject: 0, authz_reuse: 0 })
  })

  itInDepth(
    'an order for an apex and its wildcard ends in a chain that leads to the authority’s root',
    async () => {
      const acme = world.client()
      const order = await acme.newOrder(wish(ZONE, `*.${ZONE}`), signal)
      expect(order).toMatchObject({ status: 'pending', error: null, certificate_url: null })
      const both = await Promise.all(order.authorization_urls.map((url) => acme.authorization(url, signal)))
      expect(both.map(({ name, wildcard }) => ({ name, wildcard }))).toEqual(
        expect.arrayContaining([
          { name: ZONE, wildcard: false },
          { name: ZONE, wildcard: true },
        ]),
      )
      expect(new Set(both.map(({ dns }) => dns?.record_name))).toEqual(new Set([`_acme-challenge.${ZONE}`]))
      expect(new Set(both.map(({ dns }) => dns?.record_value)).size).toBe(2)
      const ready = await authorise(world, acme, { order })
      expect(ready.status).toBe('ready')
      const { chain, key_pem } = await issue(acme, { order: ready })
      const [leaf, intermediate] = chain
        .match(/-----BEGIN[^]+?-----END CERTIFICATE-----/g)!
        .map((pem) => new X509Certificate(pem))
      expect(leaf!.subjectAltName?.split(', ').sort()).toEqual([`DNS:*.${ZONE}`, `DNS:${ZONE}`])
      expect(leaf!.checkPrivateKey(createPrivateKey(key_pem))).toBe(true)
      expect(leaf!.verify(intermediate!.publicKey)).toBe(true)
      expect(intermediate!.verify(new X509Certificate(await world.pebble.root()).publicKey)).toBe(true)
      expect(await world.pebble.statusOf(leaf!.serialNumber)).toBe('Valid')
      expect(ariId(chain)).toMatch(/^[\w-]+\.[\w-]+$/)
    },
  )

  itInDepth('an account is found again by its key, by a client that has just begun', async () => {
    const account_key = newAccountKey()
    const first = await world.client({ account_key, contact: 'somebody@example.org' }).account(signal)
    expect(await world.client({ account_key }).account(signal)).toEqual(first)
    expect(await world.client().account(signal)).not.toEqual(first)
  })

  itInDepth('asked for many times at once, and again right after, it is one account', async () => {
    const acme = world.client()
    const urls: string[] = []
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        for (let i = 0; i < 3; i++) urls.push((await acme.account(signal)).url)
      }),
    )
    expect(urls).toHaveLength(60)
    expect(new Set(urls).size).toBe(1)
  })

  itInDepth(
    'each step of an order can be taken up by a client that knows its URL and the key alone',
    async () => {
      const account_key = newAccountKey()
      const fresh = () => world.client({ account_key })
      const { url } = await fresh().newOrder(wish(`resumed.${ZONE}`), signal)
      const pending = await fresh().order(url, signal)
      expect(pending).toMatchObject({ url, status: 'pending', names: [`resumed.${ZONE}`] })
      await authorise(world, fresh(), { order: pending })
      const ready = await fresh().order(url, signal)
      const { order } = await issue(fresh(), { order: ready })
      expect(await fresh().certificate(await fresh().order(order.url, signal), signal)).toContain(
        'BEGIN CERT',
      )
    },
  )

  itInDepth('a challenge that is answered twice is answered', async () => {
    const acme = world.client()
    const order = await acme.newOrder(wish(`twice.${ZONE}`), signal)
    const { dns } = await acme.authorization(order.authorization_urls[0]!, signal)
    await authorise(world, acme, { order })
    await acme.answer(dns!.url, signal)
  })

  it('a missing TXT record makes the order invalid, and the authorisation says why', async () => {
    const acme = world.client()
    const order = await acme.newOrder(wish(`missing.${ZONE}`), signal)
    const [authorization_url] = order.authorization_urls as [string]
    const { dns } = await acme.authorization(authorization_url, signal)
    await world.setTxt(dns!.record_name, ['something-else'])
    await acme.answer(dns!.url, signal)
    // Not `authorise`: an authority that has not looked yet would find the right record, put there by the test itself.
    const ended = await settled(acme, { order })
    expect(ended.status).toBe('invalid')
    const after = await acme.authorization(authorization_url, signal)
    expect(after).toMatchObject({ status: 'invalid', dns: { status: 'invalid' } })
    expect(after.dns!.error).toMatch(/unauthorized/)
  })

  itInDepth('what the authority will not do is refused in its words', async () => {
    const acme = world.client()
    const no_name = await failureOf(acme.newOrder(wish('not a name'), signal))
    expect(no_name).toMatchObject({ code: 'provider_refused', details: { facts: { problem: 'malformed' } } })
    const order = await acme.newOrder(wish(`early.${ZONE}`), signal)
    const early = await failureOf(acme.finalize(order, new Uint8Array([1]), signal))
    expect(early.details.facts).toMatchObject({ problem: 'orderNotReady' })
    expect(early.code).toBe('component_unavailable')
    const lost = await failureOf(acme.order(`${order.url}x`, signal))
    expect(lost.details.facts).toMatchObject({ status: 404 })
  })

  it('an authority without renewal information is asked for nothing and says null', async () => {
    expect(await world.client().renewalWindow('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE', signal)).toBeNull()
  })

  it('an authority whose root was not named is not trusted', async () => {
    const failure = await failureOf(world.client({ ca_file: null }).account(signal))
    expect(failure.code).toBe('component_unavailable')
    expect(failure.message).toMatch(/not trusted/)
  })
})

describePeersInDepth(PROGRAMS, 'ACME at a Pebble that wants external accounts', () => {
  const HMAC = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W'
  const started = suiteWorld()
  let world: World
  beforeAll(async () => {
    world = await started({ nonce_reject: 0, external_accounts: { 'kid-1': HMAC } })
  })

  it.each([
    ['none', null, /externalAccountRequired/],
    [
      'another key',
      { kid: 'kid-1', hmac_key: new Secret('b10lLJs8l1GPIzsLP0s6pMt8') },
      /external|JWS|EAB|binding/i,
    ],
    ['another key id', { kid: 'kid-9', hmac_key: new Secret(HMAC) }, /kid|key|external|EAB/i],
    ['a key that is no base64url', { kid: 'kid-1', hmac_key: new Secret('no such key!') }, /base64url/],
  ])('%s is a matter of credentials', async (_what, eab, words) => {
    const failure = await failureOf(world.client({ eab }).account(signal))
    expect(failure.code).toBe('provider_credentials')
    expect(failure.message).toMatch(words)
    for (const secret of [HMAC, 'b10lLJs8l1GPIzsLP0s6pMt8', 'no such key!'])
      expect(failure.message).not.toContain(secret)
  })

  it('the right one opens an account', async () => {
    const eab = { kid: 'kid-1', hmac_key: new Secret(HMAC) }
    expect((await world.client({ eab }).account(signal)).url).toMatch(/^https:/)
  })
})

describePeersInDepth(PROGRAMS, 'ACME at a Pebble that misbehaves', () => {
  const started = suiteWorld()

  /** Orders one after another, each to its certificate, for three names: authorisations come back from earlier orders. */
  async function issueMany(count: number): Promise<Set<string>> {
    const world = await started({ nonce_reject: 50, authz_reuse: 100 })
    const acme = world.client()
    const serials = new Set<string>()
    for (let i = 0; i < count; i++) {
      const names = [`chaos-${i % 3}.${ZONE}`]
      const order = await again(() => acme.newOrder({ names, replaces: null }, signal))
      const ready = await authorise(world, acme, { order, retry: again })
      const { chain } = await issue(acme, { order: ready, retry: again })
      serials.add(new X509Certificate(chain).serialNumber)
    }
    return serials
  }

  it('half of all nonces refused and every authorisation reused: all orders end in certificates', async () => {
    expect((await issueMany(6)).size).toBe(6)
  })

  atNight(() => {
    it('the same fifty times', { timeout: 300_000 }, async () => {
      expect((await issueMany(50)).size).toBe(50)
    })
  })

  it('nine in ten nonces refused: no call sends more than fourteen requests, and one that fails says why', async () => {
    const world = await started({ nonce_reject: 90 })
    const failures = []
    for (let i = 0; i < 20; i++) {
      let requests = 0
      const acme = world.client({}, { onRequest: () => requests++ })
      const names = [`refused.${ZONE}`]
      const outcome = await acme.newOrder({ names, replaces: null }, signal).catch((error: unknown) => error)
      // Directory and nonce, then six at most for the account and six for the order.
      expect(requests).toBeLessThanOrEqual(14)
      if (outcome instanceof Error) failures.push(outcome)
    }
    expect(failures.length).toBeGreaterThan(0)
    for (const failure of failures) expect(failure).toMatchObject({ code: 'component_unavailable' })
    expect(failures[0]!.message).toMatch(/badNonce/)
  })
})
