/** Hetzner Cloud DNS: sets one by one, writes that are done when their action has ended. */
import { describe, expect, it } from 'vitest'
import { hetznerProvider } from '../../../../src/features/dns/providers/hetzner/provider.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import { dnsProviderContract } from '../../../contract/dns-provider.ts'
import { fromPresentation, presentation } from '../../../contract/dns-provider/presentation.ts'
import { breakAfter, edited, status, without } from '../../../fakes/dns/faults.ts'
import { type FakeHetzner, startFakeHetzner } from '../../../fakes/dns/hetzner.ts'
import { survivesMisbehaviour } from './misbehaviour.ts'
import { changeTo, closing, listed, type Opened, signal } from './opened.ts'
import { keepsItsPromises } from './promises.ts'

const ZONE = 'example.org'
const end = closing()
/** Waiting for an action costs no time here; how often it was looked at is counted. */
const clock = { ...systemClock, sleep: async () => undefined }

async function open(): Promise<Opened<FakeHetzner>> {
  const fake = end.fake(await startFakeHetzner([ZONE]))
  const http = end.http()
  const made = (token: string, base = fake.base) =>
    hetznerProvider({ account: 'default', token: new Secret(token), http, clock, base })
  const sets = fake.zones[0]!.rrsets
  return {
    fake,
    provider: made(fake.token),
    zone: ZONE,
    withCredential: made,
    atPort: (port) => made(fake.token, `http://127.0.0.1:${port}`),
    everything: () => JSON.stringify([...sets].sort(([a], [b]) => (a < b ? -1 : 1))),
    world: {
      look: async () => (name, type) => {
        const set = sets.get(`${relative(name)}/${type}`)
        if (set === undefined) return null
        return { ttl: set.ttl, values: set.records.map(({ value }) => fromPresentation(type, value)).sort() }
      },
      addForeign: async ({ name, type, ttl, values }) => {
        const records = values.map((value) => ({ value: presentation(type, value), comment: '' }))
        fake.add(ZONE, { name: relative(name), type, ttl, records })
      },
    },
    failAt: async (name) =>
      fake.misbehave(status(500), {
        times: 99,
        when: ({ method, text }) => method !== 'GET' && text.includes(`"${relative(name)}"`),
      }),
    close: end.all,
  }
}

const relative = (name: string): string => (name === ZONE ? '@' : name.slice(0, -ZONE.length - 1))

dnsProviderContract('hetzner', open)

keepsItsPromises(open)

it('shows a zone under the name that its records have, and one that has no name takes none of the others', async () => {
  const { provider, fake } = await open()
  fake.addZone('zaj\u0119zyk.pl')
  fake.addZone('a..b')
  const zones = await provider.zones(signal())
  expect(zones.map(({ name }) => name)).toEqual([ZONE, 'xn--zajzyk-y4a.pl'])
})

it('is given so few sets at once that a pass outlives them, though each call takes all the time that it has', async () => {
  const opened = await open()
  const [call_ms, pass_ms] = [15_000, 60_000]
  expect(opened.provider.traits.batch_most * call_ms).toBeLessThan(pass_ms)
  await opened.close()
})

survivesMisbehaviour({
  open,
  list: 'rrsets',
  otherZone: edited(
    (json) => JSON.parse(JSON.stringify(json).replaceAll('"zone":4711', '"zone":4712')) as unknown,
  ),
  fill: async ({ world }) => {
    for (let i = 0; i < 70; i++)
      await world.addForeign({ name: `h${i}.${ZONE}`, type: 'A', ttl: 3600, values: ['192.0.2.1'] })
  },
  isPage: ({ method, path }) => method === 'GET' && path.endsWith('/rrsets'),
  faults: { 'a page without its count': without('meta') },
})

const SET = { name: `app.${ZONE}`, type: 'A', values: ['192.0.2.1'] }

describe('a write', () => {
  it('is done when its action has ended, not when it was begun', async () => {
    const opened = await open()
    opened.fake.looks = 5
    await opened.provider.change(ZONE, await changeTo(opened, [SET]), signal())
    expect((await opened.world.look())(SET.name, 'A')).not.toBeNull()
    expect(opened.fake.count('GET', /\/actions\//)).toBe(5)
  })

  it('whose action fails has failed, in the words of the provider', async () => {
    const opened = await open()
    opened.fake.failNextAction({ code: 'invalid_input', message: 'no such thing.' })
    await expect(opened.provider.change(ZONE, await changeTo(opened, [SET]), signal())).rejects.toMatchObject(
      {
        code: 'provider_refused',
        message: 'hetzner: could not create A app.example.org: no such thing [invalid_input].',
      },
    )
    expect((await opened.world.look())(SET.name, 'A')).toBeNull()
  })

  it('whose action never ends fails after a bounded number of looks', async () => {
    const opened = await open()
    opened.fake.looks = 1_000_000
    await expect(opened.provider.change(ZONE, await changeTo(opened, [SET]), signal())).rejects.toMatchObject(
      {
        code: 'component_unavailable',
      },
    )
    expect(opened.fake.count('GET', /\/actions\//)).toBe(50)
  })

  it('is as few calls as what differs: values, TTL, or nothing', async () => {
    const opened = await open()
    const { fake, provider } = opened
    fake.looks = 0
    const writes = async (wish: object) => {
      const changes = await changeTo(opened, [{ ...SET, ...wish }])
      fake.forgetRequests()
      await provider.change(ZONE, changes, signal())
      return fake.asked.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`)
    }
    expect(await writes({ ttl: 300 })).toEqual(['POST rrsets'])
    expect(await writes({ ttl: 300 })).toEqual([])
    expect(await writes({ ttl: 600 })).toEqual(['POST change_ttl'])
    expect(await writes({ ttl: 600, comment: 'plumbline' })).toEqual(['POST set_records'])
    expect(await writes({ ttl: 300, values: ['192.0.2.2'] })).toEqual(['POST set_records', 'POST change_ttl'])
    expect(await writes({ values: null })).toEqual(['DELETE A'])
  })

  it('that is refused sinks its own set alone', async () => {
    const opened = await open()
    await opened.world.addForeign({
      name: `taken.${ZONE}`,
      type: 'CNAME',
      ttl: null,
      values: ['x.example.net'],
    })
    const changes = await changeTo(opened, [{ ...SET, name: `taken.${ZONE}` }, SET])
    expect(await opened.provider.change(ZONE, changes, signal())).toMatchObject([
      { ok: false, code: 'provider_refused' },
      { ok: true },
    ])
    expect((await opened.world.look())(SET.name, 'A')).toMatchObject({ values: SET.values })
  })

  const wishesOf = (labels: readonly string[]) =>
    labels.map((label) => ({ ...SET, name: `${label}.${ZONE}` }))
  const isAbout =
    (labels: readonly string[]) =>
    ({ method, json }: { method: string; json: unknown }) =>
      method === 'POST' && labels.includes((json as { name?: string }).name ?? '')
  const failing = status(500, { json: { error: { code: 'server_error', message: 'we failed' } } })

  it('at which the server fails sinks its own set alone', async () => {
    const opened = await open()
    opened.fake.misbehave(failing, { times: 9, when: isAbout(['b', 'd']) })
    const changes = await changeTo(opened, wishesOf(['a', 'b', 'c', 'd', 'e']))
    const bad = { ok: false, code: 'component_unavailable', server_failed: 'at_this_set' }
    const good = { ok: true }
    expect(await opened.provider.change(ZONE, changes, signal())).toMatchObject([good, bad, good, bad, good])
    const both = await changeTo(opened, wishesOf(['b', 'd']))
    expect(await opened.provider.change(ZONE, both, signal())).toMatchObject([bad, bad])
  })

  it('at each of which the server fails ends after a few', async () => {
    const opened = await open()
    const labels = Array.from({ length: 20 }, (_, i) => `n${i}`)
    opened.fake.misbehave(failing, { times: 99, when: isAbout(labels) })
    const changes = await changeTo(opened, wishesOf(labels))
    opened.fake.forgetRequests()
    const error = await opened.provider.change(ZONE, changes, signal()).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'component_unavailable', details: {} })
    expect(opened.fake.count('POST')).toBe(4)
  })

  it('of several that meets a limit tells what was done and what was not', async () => {
    const opened = await open()
    let posts = 0
    opened.fake.misbehave(
      status(429, { json: { error: { code: 'rate_limit_exceeded', message: 'slow down' } } }),
      {
        when: ({ method }) => method === 'POST' && ++posts === 2,
      },
    )
    const wishes = ['a', 'b', 'c'].map((label) => ({ ...SET, name: `${label}.${ZONE}` }))
    expect(await opened.provider.change(ZONE, await changeTo(opened, wishes), signal())).toMatchObject([
      { ok: true },
      { ok: false, code: 'provider_busy' },
      { ok: false, code: 'provider_busy' },
    ])
  })

  it('whose answer was lost is found done, not done twice', async () => {
    const opened = await open()
    opened.fake.looks = 0
    const changes = await changeTo(opened, [SET])
    opened.fake.misbehave(breakAfter)
    await expect(opened.provider.change(ZONE, changes, signal())).rejects.toMatchObject({
      code: 'component_unavailable',
    })
    expect(await opened.provider.change(ZONE, changes, signal())).toEqual([{ ok: true, ids: [] }])
  })

  it('never replaces a set that somebody else made meanwhile', async () => {
    const opened = await open()
    const changes = await changeTo(opened, [SET])
    await opened.world.addForeign({ ...SET, ttl: 3600, values: ['203.0.113.9'] })
    await expect(opened.provider.change(ZONE, changes, signal())).rejects.toMatchObject({
      code: 'component_unavailable',
    })
    expect((await opened.world.look())(SET.name, 'A')).toMatchObject({ values: ['203.0.113.9'] })
  })

  it('makes a set anew that is gone, and takes deleting it as done', async () => {
    const opened = await open()
    await opened.world.addForeign({ ...SET, ttl: 60 })
    await opened.world.addForeign({ ...SET, name: `old.${ZONE}`, ttl: 60 })
    const changes = await changeTo(opened, [
      { ...SET, values: ['192.0.2.2'] },
      { name: `old.${ZONE}`, type: 'A', values: null },
    ])
    opened.fake.zones[0]!.rrsets.clear()
    expect(await opened.provider.change(ZONE, changes, signal())).toEqual([
      { ok: true, ids: [] },
      { ok: true, ids: [] },
    ])
    expect((await opened.world.look())(SET.name, 'A')).toMatchObject({ values: ['192.0.2.2'], ttl: 3600 })
  })

  it('to a protected set is refused', async () => {
    const opened = await open()
    const records = [{ value: '192.0.2.9', comment: '' }]
    opened.fake.add(ZONE, { name: 'app', type: 'A', records, protection: { change: true } })
    await expect(opened.provider.change(ZONE, await changeTo(opened, [SET]), signal())).rejects.toMatchObject(
      {
        code: 'provider_refused',
        message: expect.stringContaining('protected') as unknown,
      },
    )
  })

  it('with a token that may only read is refused for its credential', async () => {
    const opened = await open()
    const changes = await changeTo(opened, [SET])
    opened.fake.misbehave(
      status(403, {
        json: { error: { code: 'token_readonly', message: 'token is only allowed to perform GET requests' } },
      }),
    )
    await expect(opened.provider.change(ZONE, changes, signal())).rejects.toMatchObject({
      code: 'provider_credentials',
    })
  })
})

describe('a set', () => {
  it('without a TTL of its own has the default of the zone', async () => {
    const opened = await open()
    await opened.provider.change(ZONE, await changeTo(opened, [{ ...SET, ttl: null }]), signal())
    expect(await listed(opened, SET.name, 'A')).toMatchObject({ ttl: null })
  })

  it('has its comment on every record, and can lose it', async () => {
    const opened = await open()
    const wish = { ...SET, values: ['192.0.2.1', '192.0.2.2'], comment: 'plumbline:1:abc:7' }
    await opened.provider.change(ZONE, await changeTo(opened, [wish]), signal())
    const records = opened.fake.zones[0]!.rrsets.get('app/A')!.records
    expect(records.map(({ comment }) => comment)).toEqual(['plumbline:1:abc:7', 'plumbline:1:abc:7'])
    expect(await listed(opened, SET.name, 'A')).toMatchObject({ comment: 'plumbline:1:abc:7' })
    await opened.provider.change(ZONE, await changeTo(opened, [{ ...wish, comment: null }]), signal())
    expect(await listed(opened, SET.name, 'A')).toMatchObject({ comment: null })
  })
})

describe('the zones', () => {
  it('are listed page by page, and copies are not writable', async () => {
    const opened = await open()
    for (let i = 0; i < 60; i++) opened.fake.addZone(`z${i}.example`)
    opened.fake.addZone('copy.example', { mode: 'secondary' })
    opened.fake.forgetRequests()
    const zones = await opened.provider.zones(signal())
    expect([zones.length, opened.fake.count()]).toEqual([62, 2])
    expect(zones.filter(({ writable }) => !writable)).toMatchObject([{ name: 'copy.example' }])
  })
})
