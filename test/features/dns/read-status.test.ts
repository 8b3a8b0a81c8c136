/** The whole comparison with the network's resolvers: when it may say yes, and when it must leave it open. */
import { expect, it } from 'vitest'
import { readDnsStatus } from '../../../src/features/dns/zones/read-status.ts'
import type { Override } from '../../../src/model/resolver/view.ts'
import type { ResolverConfig, ResolverRead } from '../../../src/features/dns/resolver/port.ts'
import { handClock } from '../../fakes/hand-clock.ts'

const PROXY = '192.168.1.2'
const signal = new AbortController().signal
type Read = (signal: AbortSignal) => Promise<ResolverRead>

const source = (name: string, kind: 'file' | 'api', read: Read): ResolverConfig => ({
  source: name,
  kind,
  read,
})

const answering =
  (names: readonly string[], gaps: readonly string[] = []): Read =>
  async () => ({
    ok: true,
    gaps,
    notes: [],
    view: {
      product: 'hosts',
      zones: [],
      overrides: names.map((name): Override => ({
        name,
        scope: 'exact',
        type: 'A',
        value: PROXY,
        source: 'hosts:1',
      })),
    },
  })

const refused: Read = async () => ({ ok: false, reason: 'refused', detail: 'adguard:x refused.' })

function status(
  sources: readonly ResolverConfig[],
  hosts: readonly string[] | null = ['a.example', 'b.example'],
) {
  const clock = handClock()
  const parts = { clock, sources, proxy_addresses: [PROXY], routesHosts: async () => hosts }
  return { clock, found: readDnsStatus(parts, signal) }
}

const both = ['a.example', 'b.example']

it.each<[string, readonly ResolverConfig[], readonly string[] | null, object]>([
  ['nothing is set', [], both, { configured: false, ok: null, hosts: [] }],
  ['every host is there', [source('hosts:x', 'file', answering(both))], both, { ok: true, reason: null }],
  ['there are no routes', [source('hosts:x', 'file', answering([]))], [], { ok: true, hosts: [] }],
  [
    'one host is missing',
    [source('hosts:x', 'file', answering(['a.example']))],
    both,
    { ok: false, reason: null, counts: { ok: 1, missing: 1, wrong: 0, unknown: 0 } },
  ],
  [
    'the routes file cannot be read, so nothing is too much either',
    [source('hosts:x', 'file', answering(['c.example']))],
    null,
    { ok: null, reason: 'The routes file could not be read.', hosts: [], extra: [] },
  ],
  [
    'a part of the only file was not read',
    [source('hosts:x', 'file', answering(['a.example'], ['x cannot be read']))],
    both,
    { ok: null, counts: { unknown: 1, missing: 0 }, reason: '1 of the hosts cannot be told.' },
  ],
  [
    'a second resolver refuses',
    [source('hosts:x', 'file', answering(both)), source('adguard:x', 'api', refused)],
    both,
    { ok: null, reason: 'adguard:x refused.', counts: { ok: 0, unknown: 2 } },
  ],
  [
    'two files have the hosts together',
    [
      source('hosts:x', 'file', answering(['a.example'])),
      source('hosts:y', 'file', answering(['b.example'])),
    ],
    both,
    { ok: true },
  ],
  [
    'two APIs have the hosts together, which helps no client',
    [
      source('adguard:x', 'api', answering(['a.example'])),
      source('pihole:y', 'api', answering(['b.example'])),
    ],
    both,
    { ok: false, counts: { missing: 2 } },
  ],
])('%s', async (_what, sources, hosts, expected) => {
  expect(await status(sources, hosts).found).toMatchObject(expected)
})

it('a source that hangs is unreachable after ten seconds, and the others are shown', async () => {
  const hanging: Read = (end) =>
    new Promise((_resolve, reject) =>
      end.addEventListener('abort', () => reject(end.reason as Error), { once: true }),
    )
  const { clock, found } = status([
    source('hosts:x', 'file', answering(both)),
    source('pihole:y', 'api', hanging),
  ])
  await expect.poll(() => clock.sleepers(), { interval: 1 }).toBe(1)
  clock.pass(10_000)
  expect(await found).toMatchObject({
    ok: null,
    reason: 'pihole:y could not be read within 10 s.',
    sources: [
      { source: 'hosts:x', ok: true, overrides: 2 },
      { source: 'pihole:y', ok: false, reason: 'unreachable' },
    ],
  })
  expect(clock.sleepers()).toBe(0)
})
