/** When a challenge's value counts as seen: at every authoritative server that this host can reach, and at no fewer. */
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/kernel/clock.ts'
import {
  ChallengeVisibility,
  type ServerAnswer,
  visibilityOf,
} from '../../../src/features/dns/challenges/visibility.ts'
import type { DnsReply } from '../../../src/features/dns/lookup/port.ts'
import { failure, memoryDns, own, record, reply } from './memory-dns.ts'

const NAME = '_acme-challenge.example.com'
const signal = new AbortController().signal
const VALUE = 'x'.repeat(43)
const shows = (...values: string[]): DnsReply => own(values.map((value) => record(NAME, 'TXT', value)))

function visibilityAt(answers: Readonly<Record<string, DnsReply>>, zone: string | null = 'example.com') {
  const world = Object.fromEntries(
    Object.entries(answers).map(([address, answer]) => [address, { [`${NAME} TXT`]: answer }]),
  )
  const lookup = memoryDns(world)
  const visibility = new ChallengeVisibility({
    lookup,
    clock: systemClock,
    authoritative: Object.keys(answers).map((host) => ({ host, port: 53 })),
    resolvers: async () => [],
    zoneFor: () => zone,
  })
  return { lookup, visible: () => visibility.visible({ name: NAME, value: VALUE }, signal) }
}

describe('a value', () => {
  it.each<[string, Readonly<Record<string, DnsReply>>, boolean, RegExp | null]>([
    ['at all servers', { '192.0.2.1': shows(VALUE), '192.0.2.2': shows('other', VALUE) }, true, null],
    [
      'at one of two',
      { '192.0.2.1': shows(VALUE), '192.0.2.2': shows('other') },
      false,
      /192\.0\.2\.2.*not show/,
    ],
    ['nowhere', { '192.0.2.1': own([], { rcode: 'NXDOMAIN' }) }, false, /does not show/],
    [
      'at one, the other is silent',
      { '192.0.2.1': shows(VALUE), '192.0.2.2': failure('silent') },
      false,
      /silent/,
    ],
    [
      'at one, no way to the other',
      { '192.0.2.1': shows(VALUE), '192.0.2.2': failure('no_route') },
      true,
      null,
    ],
    ['no way to any', { '192.0.2.1': failure('no_route') }, false, /none of its name servers/],
    [
      'at a server that lags behind a refusal',
      { '192.0.2.1': reply({ rcode: 'REFUSED' }) },
      false,
      /REFUSED/,
    ],
    [
      'in an answer without authority',
      { '192.0.2.1': reply({ answers: [record(NAME, 'TXT', VALUE)] }) },
      false,
      /does not serve/,
    ],
    [
      'at another name only',
      { '192.0.2.1': own([record('other.example.com', 'TXT', VALUE)]) },
      false,
      /does not show/,
    ],
  ])('%s', async (_what, answers, visible, words) => {
    const visibility = await visibilityAt(answers).visible()
    expect(visibility.visible).toBe(visible)
    if (words === null) expect(visibility.detail).toBeNull()
    else expect(visibility.detail).toMatch(words)
  })

  it('of a name without a zone of ours cannot be seen, and nobody is asked', async () => {
    const { lookup, visible } = visibilityAt({ '192.0.2.1': shows(VALUE) }, null)
    expect(await visible()).toMatchObject({ visible: false, detail: expect.stringContaining(NAME) as string })
    expect(lookup.asked).toEqual([])
  })

  it('is found by one who waits for the search of another who gives up, and each is let go by their own signal', async () => {
    const lookup = memoryDns({
      '192.0.2.53': {
        'ns1.example.net A': reply({ answers: [record('ns1.example.net', 'A', '192.0.2.1')] }),
      },
      '192.0.2.1': { [`${NAME} TXT`]: shows(VALUE) },
    })
    const gate = Promise.withResolvers<void>()
    lookup.gate = (query) => (query.type === 'A' ? gate.promise : Promise.resolve())
    const visibility = new ChallengeVisibility({
      lookup,
      clock: systemClock,
      authoritative: [{ host: 'ns1.example.net', port: 53 }],
      resolvers: async () => [{ address: '192.0.2.53', port: 53 }],
      zoneFor: () => 'example.com',
    })
    const [first, second] = [new AbortController(), new AbortController()]
    const look = (by: AbortSignal) => visibility.visible({ name: NAME, value: VALUE }, by)
    const begun = look(first.signal).catch((error: unknown) => error)
    const waiting = look(signal)
    const given_up = look(second.signal).catch((error: unknown) => error)
    second.abort(new Error('second'))
    expect(await given_up).toEqual(new Error('second'))
    first.abort(new Error('first'))
    expect(await begun).toEqual(new Error('first'))
    gate.resolve()
    expect(await waiting).toEqual({ visible: true, detail: null })
  })

  it('is looked for anew each time', async () => {
    const { lookup, visible } = visibilityAt({ '192.0.2.1': shows() })
    expect((await visible()).visible).toBe(false)
    lookup.world['192.0.2.1']![`${NAME} TXT`] = shows(VALUE)
    expect((await visible()).visible).toBe(true)
  })
})

it('no server at all shows nothing', () => {
  const none: readonly ServerAnswer[] = []
  expect(visibilityOf(none).visible).toBe(false)
})
