/** Reading Traefik's API: its own recorded answers, its paging, its versions, and everything that is no answer of it. */
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpClient } from '../../../../src/io/http-client/create-client.ts'
import { traefikApi } from '../../../../src/features/routes/traefik/traefik-api.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'
import type { SearchableProxy } from '../../../../src/features/routes/traefik/port.ts'
import type { FakeServer } from '../../../fakes/dns/fake-server.ts'
import {
  breakBefore,
  edited,
  empty,
  type Fault,
  halfOpen,
  html,
  silent,
  status,
  without,
} from '../../../fakes/dns/faults.ts'
import { startFakeTraefik } from '../../../fakes/traefik/traefik.ts'
import { type Recording, recordedList, startReplay } from '../../../fakes/traefik/replay.ts'

const http = createHttpClient({ clock: systemClock })
const open: FakeServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop()
})

/** For servers that answer, also on a busy machine; one that does not is given up sooner. */
const IN_TIME_MS = 10_000
const SOON_MS = 400

async function replayed(
  recording?: Recording,
  deadline_ms = IN_TIME_MS,
): Promise<{ server: FakeServer; api: SearchableProxy }> {
  const server = await startReplay(recording)
  open.push(server)
  return { server, api: traefikApi({ url: `${server.origin}/`, http, clock: systemClock, deadline_ms }) }
}

const NEVER = new AbortController().signal

describe('what it finds fault with', () => {
  const broken = { http: { routers: { 'plumbline-a': { rule: 'Host(`a.example`)', service: 'none' } } } }

  it('is one question where it counts nothing, and a list with its own words where it does', async () => {
    const traefik = await startFakeTraefik()
    open.push(traefik)
    const api = traefikApi({ url: traefik.origin, http, clock: systemClock, deadline_ms: IN_TIME_MS })
    expect(await api.faultsNamed('plumbline-', NEVER)).toEqual([])
    expect(traefik.asked.map(({ path }) => path)).toEqual(['/api/overview'])
    traefik.provide('docker', broken)
    const name = 'plumbline-a@docker'
    const errors = ['the service "none@docker" does not exist']
    const fault = { part: 'router', name, status: 'disabled', errors, used_by: [name] }
    expect(await api.faultsNamed('plumbline-', NEVER)).toEqual([fault])
    expect(await api.faultsNamed('other-', NEVER)).toEqual([])
    // One that counts nothing at all is asked for the lists themselves.
    traefik.misbehave(
      edited(() => ({})),
      { when: ({ path }) => path === '/api/overview' },
    )
    expect(await api.faultsNamed('plumbline-', NEVER)).toEqual([fault])
  })

  it('is not known where a list does not come', async () => {
    const traefik = await startFakeTraefik()
    open.push(traefik)
    traefik.provide('docker', broken)
    const api = traefikApi({ url: traefik.origin, http, clock: systemClock, deadline_ms: IN_TIME_MS })
    traefik.misbehave(status(500), { when: ({ path }) => path === '/api/http/routers' })
    await expect(api.faultsNamed('plumbline-', NEVER)).rejects.toThrow('status 500')
  })
})

describe("Traefik's own recorded answers", () => {
  it('become routers with full names and without what is not asked for', async () => {
    const { api } = await replayed()
    const { version, started_at, routers, entrypoints } = await api.snapshot(NEVER)
    expect(version).toBe('3.6.2')
    expect(started_at).toBe(Date.parse('2026-11-01T08:00:00.5Z'))
    expect(entrypoints).toEqual([
      { name: 'web', address: ':80', middlewares: [], believes: ['0.0.0.0/0', '::/0'] },
      { name: 'websecure', address: ':443', middlewares: [], believes: ['0.0.0.0/0', '::/0'] },
    ])
    expect(routers[0]).toEqual({
      kind: 'http',
      name: 'bar@myprovider',
      provider: 'myprovider',
      rule: 'Host(`foo.bar`)',
      entrypoints: ['web'],
      middlewares: ['auth@myprovider', 'addPrefixTest@anotherprovider'],
      service: 'foo-service@myprovider',
      tls: false,
      cert_resolver: null,
      priority: null,
      status: 'enabled',
      errors: [],
    })
    expect(
      routers.filter(({ kind }) => kind === 'tcp').map(({ name, status, tls }) => [name, status, tls]),
    ).toEqual([
      ['bar@myprovider', 'warning', false],
      ['foo@myprovider', 'disabled', false],
      ['test@myprovider', 'enabled', true],
    ])
  })

  it('never bring a password into the house', async () => {
    const { api } = await replayed()
    const snapshot = await api.snapshot(NEVER)
    expect(snapshot.middlewares.map(({ name, type }) => [name, type])).toEqual([
      ['addPrefixTest@anotherprovider', 'addPrefix'],
      ['addPrefixTest@myprovider', 'addPrefix'],
      ['auth@myprovider', 'basicAuth'],
    ])
    expect(JSON.stringify(snapshot)).not.toContain('admin')
  })

  it('call no server healthy that nobody checks', async () => {
    const { api } = await replayed()
    const { services } = await api.snapshot(NEVER)
    expect(services.find(({ name }) => name === 'bar@myprovider')).toEqual({
      kind: 'http',
      name: 'bar@myprovider',
      provider: 'myprovider',
      status: 'enabled',
      errors: [],
      addresses: ['http://127.0.0.1'],
      health: null,
    })
    expect(services.filter(({ kind }) => kind === 'tcp').map(({ addresses }) => addresses)).toEqual([
      ['127.0.0.1:2345'],
      ['127.0.0.2:2345'],
      ['127.0.0.3:2345'],
    ])
  })
})

describe('paging', () => {
  const [one] = recordedList('routers')
  const many = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ ...one!, name: `r${i}@file`, provider: 'file' }))

  for (const count of [0, 1, 999, 1000, 1001, 2500])
    it(`${count} routers are all read, and no page past the end is asked for`, async () => {
      const { server, api } = await replayed({
        lists: { '/api/http/routers': many(count), '/api/tcp/routers': [] },
      })
      const { routers } = await api.snapshot(NEVER)
      expect(new Set(routers.map(({ name }) => name)).size).toBe(count)
      expect(server.count('GET', /^\/api\/http\/routers$/)).toBe(Math.max(1, Math.ceil(count / 1000)))
    })

  const header =
    (value: string | null): Fault =>
    ({ asked, answer, response, send }) => {
      const right = answer(asked)
      const headers = value === null ? {} : { 'x-next-page': value }
      send(response, { ...right, headers })
    }
  const pageBefore: Fault = ({ asked, answer, response, send }) => {
    const query = new URLSearchParams(asked.query)
    query.set('page', String(Number(query.get('page')) - 1))
    send(response, { ...answer(asked), json: answer({ ...asked, query }).json })
  }
  const BAD: Readonly<Record<string, Fault>> = {
    'no header': header(null),
    'a header that is no number': header('more'),
    'a page that is skipped': header('3'),
    'the page before once more': pageBefore,
    'a page past the end': status(400, { json: { message: 'invalid request' } }),
  }
  for (const [what, fault] of Object.entries(BAD))
    it(`a list with ${what} is no list`, async () => {
      const { server, api } = await replayed({ lists: { '/api/http/routers': many(1500) } })
      server.misbehave(fault, {
        times: Infinity,
        when: ({ path, query }) =>
          path === '/api/http/routers' && (what === 'a page that is skipped' || query.get('page') === '2'),
      })
      await expect(api.snapshot(NEVER)).rejects.toMatchObject({ code: 'component_unavailable' })
    })

  it('a list that moves while it is read is read again', async () => {
    let totals = 0
    const { server, api } = await replayed({
      overview: () => ({ http: { moved: Math.min(totals++, 1) }, tcp: {} }),
    })
    await api.snapshot(NEVER)
    expect(server.count('GET', /routers/)).toBe(4)
  })

  it('a list that never stands still is no list', async () => {
    let totals = 0
    const { api } = await replayed({ overview: () => ({ http: { moved: totals++ }, tcp: {} }) })
    await expect(api.snapshot(NEVER)).rejects.toThrow('changed again and again')
  })
})

describe('versions', () => {
  it.each([
    ['3.0.0', '3.0.0'],
    ['v3.7.1', '3.7.1'],
    ['dev', 'dev'],
  ])('%s is read', async (Version, version) => {
    const { api } = await replayed({ version: { Version } })
    expect(await api.snapshot(NEVER)).toMatchObject({ version, started_at: null })
  })

  it.each(['2.11.3', '4.0.0'])('%s has other words for the same things and is not read', async (Version) => {
    const { api } = await replayed({ version: { Version } })
    await expect(api.snapshot(NEVER)).rejects.toThrow(`is Traefik ${Version}; only version 3 is understood`)
  })
})

describe('what is no answer of Traefik', () => {
  const FAULTS: Readonly<Record<string, Fault>> = {
    'a page for people': html(),
    'an empty answer': empty,
    'a broken connection': breakBefore,
    'half of an answer': halfOpen,
    'no answer': silent,
    'another program': status(404),
    'an error': status(500),
    'a list in place of an object': edited(() => []),
    'an object in place of a list': edited(() => ({})),
    'a redirect': status(302, { headers: { location: 'http://127.0.0.1:1/' } }),
  }
  for (const [what, fault] of Object.entries(FAULTS))
    it(`${what} is unavailability, never an empty proxy`, async () => {
      const { server, api } = await replayed({}, SOON_MS)
      server.misbehave(fault, { times: Infinity })
      await expect(api.snapshot(NEVER)).rejects.toMatchObject({ code: 'component_unavailable' })
      // A list is what a search asks for.
      if (what === 'a list in place of an object') return
      await expect(api.middlewaresNamed('x', NEVER)).rejects.toMatchObject({
        code: 'component_unavailable',
      })
    })

  for (const code of [401, 403])
    it(`a login (${code}) is told from an API that is not there`, async () => {
      const { server, api } = await replayed()
      server.misbehave(status(code), { times: Infinity })
      await expect(api.snapshot(NEVER)).rejects.toMatchObject({ code: 'provider_credentials' })
    })

  for (const path of ['/api/entrypoints', '/api/http/middlewares', '/api/tcp/services', '/api/overview'])
    it(`trouble at ${path} alone is trouble of the whole`, async () => {
      const { server, api } = await replayed()
      server.misbehave(html(), { times: Infinity, when: (asked) => asked.path === path })
      await expect(api.snapshot(NEVER)).rejects.toThrow(path)
    })

  it('objects without a name are no objects', async () => {
    const { server, api } = await replayed()
    server.misbehave(
      edited((json) =>
        (json as object[]).map((one) =>
          Object.fromEntries(Object.entries(one).filter(([key]) => key !== 'name')),
        ),
      ),
      { times: Infinity, when: ({ path }) => path === '/api/http/services' },
    )
    await expect(api.snapshot(NEVER)).rejects.toThrow('(at 0.name)')
  })

  it('a version without its number is no version', async () => {
    const { server, api } = await replayed()
    server.misbehave(without('Version'), { times: Infinity, when: ({ path }) => path === '/api/version' })
    await expect(api.startedAt(NEVER)).rejects.toMatchObject({ code: 'component_unavailable' })
  })

  it('whoever stops waiting is answered with their own reason', async () => {
    const { server, api } = await replayed()
    server.misbehave(silent, { times: Infinity })
    const gone = new AbortController()
    const asked = api.snapshot(gone.signal)
    gone.abort(new Error('gone'))
    await expect(asked).rejects.toThrow('gone')
  })
})

it('a search asks the proxy to search', async () => {
  const { server, api } = await replayed()
  const found = await api.middlewaresNamed('auth', NEVER)
  expect(found.map(({ name }) => name)).toEqual(['auth@myprovider'])
  expect(server.asked.map(({ query }) => query.get('search'))).toEqual(['auth'])
})
