/** The PowerDNS provider and answers that no PowerDNS gives: a listing is whole or a failure, a change is done or a failure. */
import { afterAll, describe, expect, it } from 'vitest'
import { createHttpClient } from '../../../../src/io/http-client/create-client.ts'
import { PowerDnsProvider } from '../../../../src/features/dns/providers/powerdns/provider.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import type { RrsetChange } from '../../../../src/features/dns/providers/port.ts'
import { type Answer, eachMisbehavingServer, PAGE } from './misbehaving-server.ts'

const ZONE = 'example.org'
const KEY = 'a-key-that-nobody-should-see'

const open = eachMisbehavingServer()
const http = createHttpClient({ clock: systemClock })
afterAll(() => http.close())

const provider = (origin: string) =>
  new PowerDnsProvider({ account: 'default', url: origin, api_key: new Secret(KEY), http })

const aSet = {
  name: 'app.example.org.',
  type: 'A',
  ttl: 300,
  records: [{ content: '192.0.2.1', disabled: false }],
  comments: [],
}
const theStart = {
  name: 'example.org.',
  type: 'SOA',
  ttl: 3600,
  records: [
    { content: 'ns1.example.net. hostmaster.example.net. 1 10800 3600 604800 3600', disabled: false },
  ],
  comments: [],
}
const aZone = {
  name: 'example.org.',
  kind: 'Native',
  serial: 2026010203,
  soa_edit_api: 'DEFAULT',
  rrsets: [theStart, aSet],
}
const zoneWith = (over: Readonly<Record<string, unknown>>): Answer => ({
  status: 200,
  body: { ...aZone, ...over },
})
const setWith = (over: Readonly<Record<string, unknown>>): Answer =>
  zoneWith({ rrsets: [theStart, { ...aSet, ...over }] })
const whole = zoneWith({})
const change: RrsetChange = {
  name: 'app.example.org',
  type: 'A',
  wanted: { ttl: 300, values: ['192.0.2.2'], comment: 'cp1:x:1', proxied: null },
  seen: null,
}
const signal = () => new AbortController().signal

const LATER = 'component_unavailable'
const anywhere: Readonly<Record<string, readonly [Answer, string]>> = {
  'a page for people': [PAGE, LATER],
  'a page for people with status 502': [{ ...PAGE, status: 502 }, LATER],
  'a page for people with status 404': [{ ...PAGE, status: 404 }, LATER],
  'an empty body with status 200': [{ status: 200 }, LATER],
  'half a JSON text': [{ status: 200, body: '{"name":"example.org.","rrs' }, LATER],
  'a JSON text of another kind': [{ status: 200, body: 'null' }, LATER],
  'status 500': [{ status: 500, body: { error: 'Backend trouble' } }, LATER],
  'status 503': [{ status: 503 }, LATER],
  'a redirect': [{ status: 302, headers: { location: '/elsewhere' } }, LATER],
  'a broken connection': ['hangs up', LATER],
  'a body that breaks off': ['breaks off half-way', LATER],
  'status 401': [{ status: 401, body: { error: 'Unauthorized' } }, 'provider_credentials'],
  'status 401 in plain text': [
    { status: 401, body: 'Unauthorized', headers: { 'content-type': 'text/plain' } },
    'provider_credentials',
  ],
  'status 429': [{ status: 429, headers: { 'retry-after': '7' } }, 'provider_busy'],
  'a refusal that repeats the key': [{ status: 422, body: { error: `bad key ${KEY}` } }, 'provider_refused'],
}
const inZone: Readonly<Record<string, Answer>> = {
  'another zone': zoneWith({ name: 'example.net.' }),
  'a zone without a name': zoneWith({ name: '' }),
  'a serial as a text': zoneWith({ serial: '2026010203' }),
}
const inListing: Readonly<Record<string, Answer>> = {
  ...inZone,
  'no list of sets': zoneWith({ rrsets: undefined }),
  'an empty list of sets': zoneWith({ rrsets: [] }),
  'sets without the start of authority': zoneWith({ rrsets: [aSet] }),
  "another name's start of authority alone": zoneWith({
    rrsets: [{ ...theStart, name: 'sub.example.org.' }, aSet],
  }),
  'a TTL as a text': setWith({ ttl: '300' }),
  'a flag as a number': setWith({ records: [{ content: '192.0.2.1', disabled: 0 }] }),
  "another zone's set": setWith({ name: 'app.example.net.' }),
  'a set twice': zoneWith({ rrsets: [theStart, aSet, { ...aSet, name: 'APP.example.org.' }] }),
  'an address that is none': setWith({ records: [{ content: '192.0.2.300', disabled: false }] }),
  'a name that is none': setWith({ name: 'app..example.org.' }),
}

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  )
  expect(String((error as Error).stack)).not.toContain(KEY)
  expect(JSON.stringify(error)).not.toContain(KEY)
  return error
}

describe('a listing of PowerDNS', () => {
  it('is whole when all is well, and asks for it once, with the key in its header', async () => {
    const server = await open()
    server.script(whole)
    const listed = {
      name: 'app.example.org',
      type: 'A',
      ttl: 300,
      values: ['192.0.2.1'],
      ids: [],
      comment: null,
      proxied: null,
    }
    expect(await provider(server.origin).list(ZONE, signal())).toEqual([listed])
    expect(server.asked).toMatchObject([
      {
        method: 'GET',
        path: '/api/v1/servers/localhost/zones/example.org.',
        headers: { 'x-api-key': KEY, accept: 'application/json' },
      },
    ])
  })

  it.each(Object.entries(anywhere))('fails for %s', async (_, [answer, code]) => {
    const server = await open()
    server.script(answer)
    expect(await thrownBy(provider(server.origin).list(ZONE, signal()))).toMatchObject({ code })
  })

  it.each(Object.entries(inListing))('fails for %s', async (_, answer) => {
    const server = await open()
    server.script(answer)
    expect(await thrownBy(provider(server.origin).list(ZONE, signal()))).toMatchObject({ code: LATER })
  })

  it.each(['says nothing', 'goes silent half-way'] as const)(
    'of a server that %s ends with its signal',
    async (answer) => {
      const server = await open()
      server.script(answer)
      const end = new AbortController()
      server.onRequest(() => end.abort(new Error('over')))
      expect(await thrownBy(provider(server.origin).list(ZONE, end.signal))).toMatchObject({
        message: 'over',
      })
    },
  )
})

describe('a stamp of PowerDNS', () => {
  it.each(Object.entries({ ...inZone, 'a page for people': PAGE, 'an empty body': { status: 200 } }))(
    'fails for %s',
    async (_, answer) => {
      const server = await open()
      server.script(answer)
      expect(await thrownBy(provider(server.origin).stamp(ZONE, signal()))).toMatchObject({ code: LATER })
    },
  )
})

describe('the zones of PowerDNS', () => {
  it.each(Object.entries(anywhere))('fail for %s', async (_, [answer, code]) => {
    const server = await open()
    server.script(answer)
    expect(await thrownBy(provider(server.origin).zones(signal()))).toMatchObject({ code })
  })

  it('of a kind that nobody knows are shown and not written', async () => {
    const server = await open()
    server.script({ status: 200, body: [{ name: 'example.org.', kind: 'Mystery' }] })
    const [zone] = await provider(server.origin).zones(signal())
    expect(zone).toMatchObject({
      name: 'example.org',
      writable: false,
      detail: expect.stringContaining('Mystery') as string,
    })
  })
})

describe('a change at PowerDNS', () => {
  it('is one PATCH after one look', async () => {
    const server = await open()
    server.script(whole, { status: 204 })
    expect(await provider(server.origin).change(ZONE, [change], signal())).toEqual([{ ok: true, ids: [] }])
    expect(server.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v1/servers/localhost/zones/example.org.',
      'PATCH /api/v1/servers/localhost/zones/example.org.',
    ])
    expect(JSON.parse(server.asked[1]!.body)).toEqual({
      rrsets: [
        {
          name: 'app.example.org.',
          type: 'A',
          changetype: 'REPLACE',
          ttl: 300,
          records: [{ content: '192.0.2.2', disabled: false }],
          comments: [{ content: 'cp1:x:1', account: 'plumbline' }],
        },
      ],
    })
  })

  it.each(Object.entries(anywhere))('fails when its PATCH meets %s', async (_, [answer, code]) => {
    const server = await open()
    server.script(whole, answer)
    expect(await thrownBy(provider(server.origin).change(ZONE, [change], signal()))).toMatchObject({ code })
    expect(server.asked).toHaveLength(2)
  })

  it.each(Object.entries(inListing))('sends nothing when its look meets %s', async (what, answer) => {
    // What does not concern the sets themselves is no reason to hold back.
    if (/another zone's set|a set twice|an address/.test(what)) return
    const server = await open()
    server.script(answer)
    expect(await thrownBy(provider(server.origin).change(ZONE, [change], signal()))).toMatchObject({
      code: LATER,
    })
    expect(server.asked.map(({ method }) => method)).toEqual(['GET'])
  })

  it('sends nothing to a copy of a zone', async () => {
    const server = await open()
    server.script(zoneWith({ kind: 'Slave' }))
    const changing = provider(server.origin).change(ZONE, [change], signal())
    expect(await thrownBy(changing)).toMatchObject({ code: 'provider_refused' })
    expect(server.asked).toHaveLength(1)
  })

  it('says for how long to wait when the server says it', async () => {
    const server = await open()
    server.script(whole, { status: 429, headers: { 'retry-after': '7' } })
    const changing = provider(server.origin).change(ZONE, [change], signal())
    expect(await thrownBy(changing)).toMatchObject({
      code: 'provider_busy',
      details: { retry_after_ms: 7000 },
    })
  })

  it.each(['says nothing', 'goes silent half-way'] as const)(
    'at a server that %s ends with its signal, and lets the next one in',
    async (answer) => {
      const server = await open()
      server.script(whole, answer)
      const one = provider(server.origin)
      const end = new AbortController()
      server.onRequest(() => {
        if (server.asked.length === 2) end.abort(new Error('over'))
      })
      expect(await thrownBy(one.change(ZONE, [change], end.signal))).toMatchObject({ message: 'over' })
      server.script(whole, { status: 204 })
      expect(await one.change(ZONE, [change], signal())).toEqual([{ ok: true, ids: [] }])
    },
  )

  it.each([
    ['a name outside of the zone', { ...change, name: 'app.example.net' }],
    ['an address that is none', { ...change, wanted: { ...change.wanted!, values: ['192.0.2.256'] } }],
    ['the start of authority', { ...change, name: ZONE, type: 'SOA' }],
  ])('of %s is refused before anything is sent', async (_, bad) => {
    const server = await open()
    const changing = provider(server.origin).change(ZONE, [change, bad], signal())
    expect(await thrownBy(changing)).toMatchObject({ code: 'provider_refused' })
    expect(server.asked).toEqual([])
  })
})
