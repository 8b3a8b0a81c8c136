/** Cloudflare: single records as sets, and what its answers may and may not say. */
import { describe, expect, it } from 'vitest'
import { dnsProviderContract } from '../../../contract/dns-provider.ts'
import { edited, otherZone, status, without } from '../../../fakes/dns/faults.ts'
import { eachCloudflare, many, ZONE } from './cloudflare-opened.ts'
import { survivesMisbehaviour } from './misbehaviour.ts'
import { changeTo, listed, signal } from './opened.ts'
import { keepsItsPromises } from './promises.ts'

const open = eachCloudflare()

const cutShort = edited((json) => {
  const { result, result_info, ...rest } = json as { result: unknown[]; result_info: { count: number } }
  const left = result.slice(0, -1)
  return { ...rest, result: left, result_info: { ...result_info, count: left.length } }
})

dnsProviderContract('cloudflare', open)

keepsItsPromises(open)

survivesMisbehaviour({
  open,
  list: 'result',
  otherZone: otherZone(ZONE, 'example.net'),
  fill: async ({ world }) => {
    for (const set of many(1200)) await world.addForeign({ ...set, ttl: 3600 })
  },
  isPage: ({ method, path }) => method === 'GET' && path.endsWith('/dns_records'),
  faults: {
    'a page without its count': without('result_info'),
    'a page cut short, with a count that fits': cutShort,
    'a list that says that nothing was done': status(200, {
      json: { success: false, errors: [{ code: 1, message: 'no' }] },
    }),
  },
})

describe('a record', () => {
  it('keeps its id when it is edited, and the outcome tells the ids in the order of the values', async () => {
    const opened = await open()
    const set = { name: `app.${ZONE}`, type: 'A' }
    const [made] = await opened.provider.change(
      ZONE,
      await changeTo(opened, [{ ...set, values: ['192.0.2.1', '192.0.2.5'] }]),
      signal(),
    )
    const before = await listed(opened, set.name, 'A')
    expect(made).toEqual({ ok: true, ids: before!.ids })
    const [edited] = await opened.provider.change(
      ZONE,
      await changeTo(opened, [{ ...set, values: ['192.0.2.5', '192.0.2.7'] }]),
      signal(),
    )
    const after = await listed(opened, set.name, 'A')
    expect(edited).toEqual({ ok: true, ids: after!.ids })
    expect([...after!.ids].sort()).toEqual([...before!.ids].sort())
    expect(after!.ids[0]).toBe(before!.ids[1])
  })

  it('behind the proxy has no TTL of its own, so nothing is to be changed for ever', async () => {
    const opened = await open()
    const wish = { name: `app.${ZONE}`, type: 'A', values: ['192.0.2.1'], proxied: true, ttl: 300 }
    await opened.provider.change(ZONE, await changeTo(opened, [wish]), signal())
    expect(await listed(opened, wish.name, 'A')).toMatchObject({ proxied: true, ttl: null })
    const again = await changeTo(opened, [wish, { ...wish, proxied: null }])
    opened.fake.forgetRequests()
    await opened.provider.change(ZONE, again, signal())
    expect(opened.fake.count()).toBe(0)
    await opened.provider.change(ZONE, await changeTo(opened, [{ ...wish, proxied: false }]), signal())
    expect(await listed(opened, wish.name, 'A')).toMatchObject({ proxied: false, ttl: 300 })
  })

  it('that is made beside one behind the proxy goes behind it, too', async () => {
    const opened = await open()
    const wish = { name: `app.${ZONE}`, type: 'A', values: ['192.0.2.1'], proxied: true }
    await opened.provider.change(ZONE, await changeTo(opened, [wish]), signal())
    const wider = { ...wish, values: ['192.0.2.1', '192.0.2.2'], proxied: null }
    await opened.provider.change(ZONE, await changeTo(opened, [wider]), signal())
    expect([...opened.fake.records.values()].map((record) => record.proxied)).toEqual([true, true])
  })

  it('has a comment of at most 100 characters in one line, and can lose it', async () => {
    const opened = await open()
    const wish = { name: `app.${ZONE}`, type: 'A', values: ['192.0.2.1'], comment: `a\nb${'é'.repeat(200)}` }
    await opened.provider.change(ZONE, await changeTo(opened, [wish]), signal())
    expect((await listed(opened, wish.name, 'A'))?.comment).toBe(`a b${'é'.repeat(97)}`)
    const again = await changeTo(opened, [wish])
    opened.fake.forgetRequests()
    await opened.provider.change(ZONE, again, signal())
    expect(opened.fake.count()).toBe(0)
    await opened.provider.change(ZONE, await changeTo(opened, [{ ...wish, comment: null }]), signal())
    expect((await listed(opened, wish.name, 'A'))?.comment).toBeNull()
  })

  it.each([
    [30, 60],
    [null, null],
    [999_999, 86_400],
  ])('wanted with a TTL of %s gets one of %s', async (ttl, read) => {
    const opened = await open()
    const wish = { name: `app.${ZONE}`, type: 'A', values: ['192.0.2.1'], ttl }
    await opened.provider.change(ZONE, await changeTo(opened, [wish]), signal())
    expect((await listed(opened, wish.name, 'A'))?.ttl).toBe(read)
  })

  it.each([
    ['MX', { content: 'mail.example.org', priority: 10 }, '10 mail.example.org'],
    [
      'SRV',
      {
        content: '5 5060 sip.example.org',
        data: { priority: 1, weight: 5, port: 5060, target: 'sip.example.org' },
      },
      '1 5 5060 sip.example.org',
    ],
    ['CAA', { content: '0 issue "letsencrypt.org"' }, '0 issue "letsencrypt.org"'],
    ['HTTPS', { content: '1 . alpn="h2"' }, '1 . alpn="h2"'],
    ['TXT', { content: 'entered without quotes' }, 'entered without quotes'],
    ['TXT', { content: '"in two " "pieces"' }, 'in two pieces'],
    ['AAAA', { content: '2001:DB8:0:0::1' }, '2001:db8::1'],
    ['CNAME', { content: 'Upper.Example.NET' }, 'upper.example.net'],
  ])('of type %s that somebody else made is listed in its normal form', async (type, record, value) => {
    const opened = await open()
    opened.fake.add(ZONE, { name: `X.${ZONE}`, type, ...record })
    expect(await listed(opened, `x.${ZONE}`, type)).toMatchObject({
      values: [value],
      ids: [expect.any(String)],
    })
  })

  it('with an address that is none makes the listing useless', async () => {
    const opened = await open()
    opened.fake.add(ZONE, { name: `x.${ZONE}`, type: 'A', content: '1.2.3' })
    await expect(opened.provider.list(ZONE, signal())).rejects.toMatchObject({
      code: 'component_unavailable',
    })
  })
})

describe('the zones', () => {
  it('are all listed, and those that we cannot write say why', async () => {
    const opened = await open()
    const { fake, provider } = opened
    for (let i = 0; i < 120; i++)
      fake.zones.push({ id: `z${i}`, name: `z${i}.example`, status: 'active', paused: false, type: 'full' })
    fake.zones.push(
      { id: 'p', name: 'pending.example', status: 'pending', paused: false, type: 'full' },
      { id: 'q', name: 'paused.example', status: 'active', paused: true, type: 'full' },
      { id: 's', name: 'copy.example', status: 'active', paused: false, type: 'secondary' },
    )
    fake.forgetRequests()
    const zones = await provider.zones(signal())
    expect([zones.length, fake.count()]).toEqual([124, 3])
    expect(zones.filter(({ writable }) => !writable)).toEqual([
      {
        name: 'pending.example',
        account: 'default',
        writable: false,
        detail: 'the zone is pending at Cloudflare',
      },
      {
        name: 'paused.example',
        account: 'default',
        writable: false,
        detail: 'the zone is paused at Cloudflare',
      },
      {
        name: 'copy.example',
        account: 'default',
        writable: false,
        detail: 'the zone is a copy of one elsewhere (secondary)',
      },
    ])
  })

  it('that are made anew under another id are found again', async () => {
    const opened = await open()
    const { fake, provider } = opened
    await provider.list(ZONE, signal())
    fake.zones.splice(0, 1, { ...fake.zones[0]!, id: 'another' })
    await expect(provider.list(ZONE, signal())).rejects.toMatchObject({ code: 'provider_refused' })
    expect(await provider.list(ZONE, signal())).toEqual([])
  })

  it('have no stamp, and asking for it costs nothing', async () => {
    const opened = await open()
    expect([await opened.provider.stamp(ZONE, signal()), opened.fake.count()]).toEqual([null, 0])
  })
  it('go by the names of their records, an internationalised one too, and one that is no name takes none of the others', async () => {
    const { provider, fake } = await open()
    const [first] = fake.zones
    fake.zones.push({ ...first!, id: 'idn', name: 'zaj\u0119zyk.pl' }, { ...first!, id: 'bad', name: 'a..b' })
    const zones = await provider.zones(signal())
    expect(zones.map(({ name }) => name)).toEqual([ZONE, 'xn--zajzyk-y4a.pl'])
    expect(await provider.list('xn--zajzyk-y4a.pl', signal())).toEqual([])
  })

  it.each(['before', 'behind'])(
    'of one name stand once, where the one that waits comes %s the one that is served',
    async (where) => {
      const { provider, fake } = await open()
      const twin = { ...fake.zones[0]!, id: 'waits', status: 'pending' }
      if (where === 'before') fake.zones.unshift(twin)
      else fake.zones.push(twin)
      expect(await provider.zones(signal())).toMatchObject([{ name: ZONE, writable: true }])
      fake.add(ZONE, { type: 'A', name: `app.${ZONE}`, content: '192.0.2.1' })
      await provider.list(ZONE, signal())
      expect(fake.asked.some(({ path }) => path.includes('/waits/'))).toBe(false)
    },
  )
})
