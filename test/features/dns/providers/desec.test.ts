/** deSEC: bulk changes, cursors that are not let lead anywhere, and the shortest TTL of each domain. */
import { describe, expect, it } from 'vitest'
import { nextQuery } from '../../../../src/features/dns/providers/desec/pages.ts'
import { desecProvider } from '../../../../src/features/dns/providers/desec/provider.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import { dnsProviderContract } from '../../../contract/dns-provider.ts'
import { fromPresentation, presentation } from '../../../contract/dns-provider/presentation.ts'
import { type FakeDesec, startFakeDesec } from '../../../fakes/dns/desec.ts'
import { breakAfter, edited, otherZone, status, type Fault } from '../../../fakes/dns/faults.ts'
import { survivesMisbehaviour } from './misbehaviour.ts'
import { changeTo, closing, listed, type Opened, signal } from './opened.ts'
import { keepsItsPromises } from './promises.ts'
import { itInDepth, itOneIn } from '../../../kit/in-depth.ts'
import { inDepth } from '../../../kit/tier.ts'

/** Long, since the longest name that the DNS allows must fit below it: a subname has 178 characters at most. */
const ZONE = `${'z'.repeat(60)}.${'y'.repeat(20)}.example.org`
const end = closing()

async function open(): Promise<Opened<FakeDesec>> {
  const fake = end.fake(await startFakeDesec([ZONE]))
  const http = end.http()
  const made = (token: string, base = fake.base) =>
    desecProvider({ account: 'default', token: new Secret(token), http, base })
  const sets = fake.domains[0]!.rrsets
  return {
    fake,
    provider: made(fake.token),
    zone: ZONE,
    withCredential: made,
    atPort: (port) => made(fake.token, `http://127.0.0.1:${port}`),
    everything: () => JSON.stringify([...sets].sort(([a], [b]) => (a < b ? -1 : 1))),
    world: {
      look: async () => (name, type) => {
        const set = sets.get(`${subname(name)}|${type}`)
        if (set === undefined) return null
        return { ttl: set.ttl, values: set.records.map((record) => fromPresentation(type, record)).sort() }
      },
      addForeign: async ({ name, type, ttl, values }) =>
        fake.add(ZONE, {
          subname: subname(name),
          type,
          ttl: ttl ?? 3600,
          records: values.map((value) => presentation(type, value)),
        }),
    },
    failAt: async (name) =>
      fake.misbehave(status(500), {
        times: 99,
        when: ({ method, text }) => method !== 'GET' && text.includes(`"${subname(name)}"`),
      }),
    close: end.all,
  }
}

const subname = (name: string): string => (name === ZONE ? '' : name.slice(0, -ZONE.length - 1))

const nextAt =
  (target: string): Fault =>
  ({ asked, answer, response, send }) =>
    send(response, { ...answer(asked), headers: { link: `<${target}>; rel="next"` } })

dnsProviderContract('desec', open)

keepsItsPromises(open)

// Its pages hold five hundred sets; the gate asks the same of Hetzner, whose pages are small.
inDepth(() =>
  survivesMisbehaviour({
    open,
    list: null,
    otherZone: otherZone(ZONE, 'example.net'),
    fill: async ({ world }) => {
      for (let i = 0; i < 700; i++)
        await world.addForeign({ name: `h${i}.${ZONE}`, type: 'A', ttl: 3600, values: ['192.0.2.1'] })
    },
    isPage: ({ method, path }) => method === 'GET' && path.endsWith('/rrsets/'),
    faults: {
      'a cursor to another server': nextAt(
        'https://evil.example/api/v1/domains/x.example.org/rrsets/?cursor=x',
      ),
      'an object in place of the list': edited((json) => ({ results: json })),
      'an empty list': edited(() => []),
    },
  }),
)

const many = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    name: `h${i}.${ZONE}`,
    type: 'A',
    values: [`192.0.2.${i % 250}`],
  }))

describe('a bulk change', () => {
  itInDepth('of a thousand sets is two requests', async () => {
    const opened = await open()
    const { fake, provider } = opened
    const changes = await changeTo(opened, many(1000))
    fake.forgetRequests()
    for (let at = 0; at < changes.length; at += provider.traits.batch_most)
      await provider.change(ZONE, changes.slice(at, at + provider.traits.batch_most), signal())
    expect([fake.count(), fake.count('PATCH')]).toEqual([2, 2])
    expect(fake.domains[0]!.rrsets.size).toBe(1001)
  })

  it('with one bad set is refused as a whole, naming that set', async () => {
    const opened = await open()
    await opened.world.addForeign({
      name: `taken.${ZONE}`,
      type: 'CNAME',
      ttl: 3600,
      values: ['x.example.net'],
    })
    const before = opened.everything()
    const changes = await changeTo(opened, [...many(2), { ...many(1)[0]!, name: `taken.${ZONE}` }])
    await expect(opened.provider.change(ZONE, changes, signal())).rejects.toMatchObject({
      code: 'provider_refused',
      message: expect.stringMatching(
        /conflicting type.* At fault: A taken\.z+\.y+\.example\.org\.$/,
      ) as unknown,
    })
    expect(opened.everything()).toBe(before)
  })

  it('at which the server fails says so', async () => {
    const opened = await open()
    const changes = await changeTo(opened, [{ name: `app.${ZONE}`, type: 'A', values: ['192.0.2.1'] }])
    opened.fake.misbehave(status(500))
    await expect(opened.provider.change(ZONE, changes, signal())).rejects.toMatchObject({
      code: 'component_unavailable',
      details: { facts: { server_failed: true } },
    })
  })

  it('with nothing to do sends nothing', async () => {
    const opened = await open()
    await opened.provider.change(ZONE, await changeTo(opened, many(10)), signal())
    const again = await changeTo(opened, many(10))
    opened.fake.forgetRequests()
    expect(await opened.provider.change(ZONE, again, signal())).toHaveLength(10)
    expect(opened.fake.count()).toBe(0)
  })

  it('whose answer was lost can be sent again', async () => {
    const opened = await open()
    const changes = await changeTo(opened, many(2))
    opened.fake.misbehave(breakAfter)
    await expect(opened.provider.change(ZONE, changes, signal())).rejects.toMatchObject({
      code: 'component_unavailable',
    })
    expect(await opened.provider.change(ZONE, changes, signal())).toEqual([
      { ok: true, ids: [] },
      { ok: true, ids: [] },
    ])
  })

  it('whose answer lists something else is not taken as done', async () => {
    const opened = await open()
    const changes = await changeTo(opened, many(2))
    opened.fake.misbehave(edited(() => []))
    await expect(opened.provider.change(ZONE, changes, signal())).rejects.toMatchObject({
      code: 'component_unavailable',
    })
  })
})

describe('the stamp', () => {
  it('is one small request; it stays while nothing is written and moves with our writes and with a stranger’s', async () => {
    const opened = await open()
    const { fake, provider, world } = opened
    const stamp = () => provider.stamp(ZONE, signal())
    const first = await stamp()
    fake.forgetRequests()
    expect([await stamp(), fake.count()]).toEqual([first, 1])
    await provider.change(ZONE, await changeTo(opened, many(1)), signal())
    const second = await stamp()
    await world.addForeign({ name: `x.${ZONE}`, type: 'A', ttl: 3600, values: ['192.0.2.1'] })
    const third = await stamp()
    await provider.change(ZONE, await changeTo(opened, [{ ...many(1)[0]!, values: null }]), signal())
    expect(new Set([first, second, third, await stamp()]).size).toBe(4)
  })
})

describe('the shortest TTL', () => {
  it('is 3600 until the domains were seen, then the one that all of them take', async () => {
    const opened = await open()
    const { fake, provider } = opened
    expect(provider.traits.ttl.least).toBe(3600)
    fake.domains[0]!.minimum_ttl = 60
    fake.addDomain('example.net', 300)
    await provider.zones(signal())
    expect(provider.traits.ttl.least).toBe(300)
    await provider.change(ZONE, await changeTo(opened, [{ ...many(1)[0]!, ttl: 30 }]), signal())
    expect(await listed(opened, `h0.${ZONE}`, 'A')).toMatchObject({ ttl: 300 })
  })
})

describe('the shortest TTL of a zone that is looked at first', () => {
  it('is known with its listing, so that no restart writes all TTLs anew and back', async () => {
    const { fake, provider } = await open()
    fake.domains[0]!.minimum_ttl = 60
    await provider.stamp(ZONE, signal())
    await provider.list(ZONE, signal())
    expect(provider.traits.ttl.least).toBe(60)
  })
})

describe('the next page', () => {
  const here = 'https://desec.io/api/v1/domains/example.org/rrsets/'
  itOneIn(5).each([
    ['', null],
    [`<${here}?cursor=>; rel="first", <${here}?cursor=abc>; rel="next"`, '?cursor=abc'],
    [`<${here}?cursor=abc>; rel="prev"`, null],
    ['<?cursor=abc>; rel=next', '?cursor=abc'],
    ['<https://evil.example/api/v1/domains/example.org/rrsets/?cursor=abc>; rel="next"', 'astray'],
    ['<http://desec.io/api/v1/domains/example.org/rrsets/?cursor=abc>; rel="next"', 'astray'],
    ['<https://desec.io/api/v1/domains/other.org/rrsets/?cursor=abc>; rel="next"', 'astray'],
    ['<https://u@desec.io/api/v1/domains/example.org/rrsets/?cursor=abc>; rel="next"', 'astray'],
    [`<${here}>; rel="next"`, 'astray'],
    ['<https://[>; rel="next"', 'astray'],
  ])('of %s is %s', (link, query) => {
    expect(nextQuery(link, here)).toBe(query)
  })
})

describe('the zones', () => {
  it('are listed page by page', async () => {
    const opened = await open()
    for (let i = 0; i < 600; i++) opened.fake.addDomain(`z${i}.example`)
    opened.fake.forgetRequests()
    expect([(await opened.provider.zones(signal())).length, opened.fake.count()]).toEqual([601, 2])
  })
})
