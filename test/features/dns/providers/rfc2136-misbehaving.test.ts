/** Servers that answer what no server should, or not at all: a Failure with its cure, and no wait outlives its signal. */
import { beforeEach, describe, expect, it } from 'vitest'
import { Rfc2136Provider } from '../../../../src/features/dns/providers/rfc2136/provider.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import { type Asked, type ScriptedNameServer, signReply } from './scripted-name-server.ts'
import {
  A,
  CLOCK,
  eachScripted,
  failureOf,
  KEY,
  NOW_MS,
  reply,
  soa,
  transferOf,
  ZONE,
} from './scripted-replies.ts'
import { never, wish } from './zone-folder.ts'

const scripted = eachScripted()
let server: ScriptedNameServer
let provider: Rfc2136Provider
beforeEach(() => {
  server = scripted.server()
  provider = scripted.provider()
})

describe('an answer', () => {
  const signed = (asked: Asked, bare: Buffer) =>
    signReply(bare, { key: KEY, prior: asked.mac, now_s: NOW_MS / 1000 }).message
  const update = () => provider.change(ZONE, [wish('a.example.org', 'A', ['192.0.2.1'])], never)

  it.each<readonly [what: string, deed: (asked: Asked) => void, says: RegExp]>([
    [
      'of success that is not signed',
      (asked) => asked.send(reply(asked.id, [], { opcode: 5 })),
      /not signed, so it is not believed|is not signed/,
    ],
    [
      'of success signed with another key',
      (asked) =>
        asked.send(
          signReply(reply(asked.id, [], { opcode: 5 }), {
            key: { ...KEY, secret: new Secret('AAAA') },
            prior: asked.mac,
            now_s: NOW_MS / 1000,
          }).message,
        ),
      /not signed with key demo-key/,
    ],
    [
      'to another question',
      (asked) => asked.send(signed(asked, reply(asked.id ^ 1, [], { opcode: 5 }))),
      /not to what was asked/,
    ],
    ['that is a query', (asked) => asked.send(asked.message), /not to what was asked/],
    ['of another kind', (asked) => asked.send(signed(asked, reply(asked.id, []))), /not to what was asked/],
    [
      'that an earlier request had',
      (asked) =>
        asked.send(
          signReply(reply(asked.id, [], { opcode: 5 }), {
            key: KEY,
            prior: Buffer.alloc(32),
            now_s: NOW_MS / 1000,
          }).message,
        ),
      /not signed with key/,
    ],
    ['of nothing', (asked) => asked.raw(Buffer.from([0, 0])), /shorter than a header/],
    [
      'that is cut',
      (asked) => (asked.raw(Buffer.from([1, 0, 7])), asked.socket.end()),
      /before its answer was complete/,
    ],
    [
      'that never comes, since the connection ends',
      (asked) => asked.socket.end(),
      /before its answer was complete/,
    ],
    [
      'that never comes, since it is reset',
      (asked) => asked.socket.resetAndDestroy(),
      /before its answer was complete/,
    ],
    [
      'in HTTP',
      (asked) => (asked.raw(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')), asked.socket.end()),
      /before its answer was complete/,
    ],
    [
      'from a clock far away',
      (asked) =>
        asked.send(
          signReply(reply(asked.id, [], { opcode: 5 }), {
            key: KEY,
            prior: asked.mac,
            now_s: NOW_MS / 1000 - 7200,
          }).message,
        ),
      /clocks differ by 7200 s \(server 2023-11-14T20:13:20.000Z, here 2023-11-14T22:13:20.000Z\)/,
    ],
  ])('%s is a failure', async (_what, deed, says) => {
    server.script(deed)
    const failure = await failureOf(update)
    expect([failure.code, failure.message]).toEqual(['component_unavailable', expect.stringMatching(says)])
    expect(failure.message).not.toContain(KEY.secret.reveal())
  })

  it.each([
    [1, 'provider_refused'],
    [2, 'component_unavailable'],
    [4, 'provider_refused'],
    [5, 'provider_refused'],
    [6, 'provider_refused'],
    [7, 'provider_refused'],
    [9, 'component_unavailable'],
    [10, 'provider_refused'],
    [11, 'component_unavailable'],
  ])('of code %i, signed, is %s', async (rcode, code) => {
    server.script((asked) => asked.send(signed(asked, reply(asked.id, [], { opcode: 5, rcode }))))
    const failure = await failureOf(update)
    expect(failure).toMatchObject({ code })
    // SERVFAIL: it may be one of the sets.
    expect(failure.details.facts?.['server_failed']).toBe(rcode === 2 ? true : undefined)
  })

  it.each([
    [16, 'provider_credentials', /BADSIG/],
    [17, 'provider_credentials', /BADKEY/],
    [22, 'provider_credentials', /BADTRUNC/],
  ])('with the TSIG error %i is %s', async (error, code, says) => {
    server.script((asked) =>
      asked.send(
        signReply(reply(asked.id, [], { opcode: 5, rcode: 9 }), {
          key: KEY,
          prior: asked.mac,
          now_s: NOW_MS / 1000,
          error,
          mac_octets: 0,
        }).message,
      ),
    )
    expect(await failureOf(update)).toMatchObject({ code, message: expect.stringMatching(says) as unknown })
  })

  it('of the middle one of several messages that fails says which sets arrived', async () => {
    let count = 0
    server.script((asked) =>
      asked.send(signed(asked, reply(asked.id, [], { opcode: 5, rcode: count++ === 0 ? 0 : 2 }))),
    )
    const batch = Array.from({ length: 4 }, (_, at) =>
      wish(`n${at}.example.org`, 'TXT', ['x'.repeat(30_000)]),
    )
    const outcomes = await provider.change(ZONE, batch, never)
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, false, false])
    expect(outcomes[2]).toMatchObject({
      code: 'component_unavailable',
      message: expect.stringMatching(/failed at the update/) as unknown,
      server_failed: 'at_its_request',
    })
    expect(count).toBe(2)
  })
})

describe('a wait', () => {
  it('for a server that says nothing ends by the signal, in every call', async () => {
    for (const work of [
      (signal: AbortSignal) => provider.zones(signal),
      (signal: AbortSignal) => provider.stamp(ZONE, signal),
      (signal: AbortSignal) => provider.list(ZONE, signal),
      (signal: AbortSignal) => provider.change(ZONE, [wish('a.example.org', 'A', ['192.0.2.1'])], signal),
    ]) {
      const end = new AbortController()
      server.script(() => end.abort(new Error('over')))
      await expect(work(end.signal)).rejects.toThrow('over')
      await expect(work(end.signal)).rejects.toThrow('over')
    }
  })

  it('in the middle of a transfer ends by the signal', async () => {
    const end = new AbortController()
    server.script((asked) => {
      asked.send(transferOf(asked, [{ answers: [soa(), A('a')] }])[0]!)
      end.abort(new Error('over'))
    })
    await expect(provider.list(ZONE, end.signal)).rejects.toThrow('over')
  })

  it('for a server that falls silent ends by itself', async () => {
    const impatient = scripted.provider(50)
    const failure = await failureOf(() => impatient.list(ZONE, never))
    expect(failure).toMatchObject({
      code: 'component_unavailable',
      message: expect.stringMatching(/silent for 0.05 s/) as unknown,
    })
  })
})

describe('settings', () => {
  const settings = { account: 'default', server: { host: '127.0.0.1', port: 1 }, zones: [ZONE], key: KEY }
  it.each([
    ['a secret that is no base64', { ...settings, key: { ...KEY, secret: new Secret('not base64!') } }],
    ['an empty secret', { ...settings, key: { ...KEY, secret: new Secret('') } }],
    ['an unknown algorithm', { ...settings, key: { ...KEY, algorithm: 'hmac-md5' as 'hmac-sha256' } }],
    ['a key name that is none', { ...settings, key: { ...KEY, name: 'a..b' } }],
    ['a zone name that is none', { ...settings, zones: [`${'a'.repeat(64)}.test`] }],
  ])('with %s are refused, and no secret is shown', (_what, wrong) => {
    expect(() => new Rfc2136Provider(wrong, { clock: CLOCK })).toThrow(
      expect.objectContaining({
        code: 'bad_configuration',
        message: expect.not.stringContaining('base64!') as unknown,
      }),
    )
  })
})
