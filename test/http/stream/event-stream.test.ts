/** Events as a stream: every one once, over cut connections, slow readers, the request timeout and the end of the server. */
import { describe, expect, it, onTestFinished } from 'vitest'
import type { App } from '../../../src/http/app.ts'
import { eventEndpoints } from '../../../src/features/system/event-endpoints.ts'
import { STREAM_LIMITS, type StreamLimits } from '../../../src/http/stream/event-stream.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { EventLog } from '../../../src/core/events/event-log.ts'
import type { Store } from '../../../src/ports/store.ts'
import { eachScratch, steppingClock } from '../../store/scratch.ts'
import { listen } from '../listener.ts'
import { request, serving, statusesIn, wire } from '../socket.ts'
import { appOf, ask, KEY, problemIn, withKey, withSystem } from '../support.ts'
import { itInDepth } from '../../kit/in-depth.ts'

const scratch = eachScratch()

interface Stand {
  readonly app: App
  readonly store: Store
  readonly log: EventLog
  /** Adds that many events. */
  readonly add: (count: number, text?: string) => Promise<void>
}

const hello = () => Promise.resolve({ version: '1.2.3', release: 7 })

async function stand(limits: Partial<StreamLimits> = {}): Promise<Stand> {
  const store = await scratch.open(scratch.directory())
  const log = new EventLog({ store, clock: steppingClock(), log: silentLog })
  const endpoints = eventEndpoints({ events: log, hello }, { ...STREAM_LIMITS, ...limits })
  onTestFinished(() => log.end(0))
  const add = async (count: number, text = 'done') => {
    await store.write(async (tx) => {
      for (let i = 0; i < count; i++)
        await tx.addEvent({ at: 0, kind: 'release', message: text, facts: { i } })
    })
    log.added()
  }
  return { app: appOf(withSystem(endpoints)), store, log, add }
}

async function connected(app: App, path = '/api/events', headers: Readonly<Record<string, string>> = {}) {
  const response = await ask(app, path, { headers: { ...withKey, ...headers } })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const listener = listen(response.body!)
  onTestFinished(() => listener.leave())
  return listener
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const ONE = { all: 1, readers: 1, reader: 1 }
const HEAD = ['Host: localhost', `X-API-Key: ${KEY}`]

describe('a stream', () => {
  it('begins with what comes next, or after the number that is asked for; the header goes first', async () => {
    const { app, add } = await stand()
    await add(5)
    const live = await connected(app)
    const after = await connected(app, '/api/events?after=2')
    const header = await connected(app, '/api/events?after=0', { 'last-event-id': '4' })
    await add(1)
    for (const [listener, ids] of [
      [live, [6]],
      [after, range(3, 6)],
      [header, [5, 6]],
    ] as const)
      expect((await listener.until((heard) => heard.length >= ids.length)).map(({ id }) => id)).toEqual(ids)
    expect(live.heard[0]).toMatchObject({
      kind: 'release',
      data: { id: 6, kind: 'release', message: 'done' },
    })
  })

  it('says first who speaks and how far it is, then hints, which have no number and are never read again', async () => {
    const { app, add, log } = await stand()
    await add(2)
    const first = await connected(app)
    await expect.poll(first.hello).toEqual({ version: '1.2.3', release: 7, event: 2 })
    log.hint('lamps', 'Lamps of 2 domains changed.', { ids: [3, 4] })
    await add(1)
    const heard = await first.until((all) => all.length === 2)
    expect(heard.map(({ id, kind }) => [id, kind])).toContainEqual([null, 'lamps'])
    expect(heard.find(({ kind }) => kind === 'lamps')!.data).toMatchObject({ facts: { ids: [3, 4] } })
    expect(first.last_id()).toBe('3')
    const second = await connected(app, '/api/events?after=2')
    expect((await second.until((all) => all.length === 1)).map(({ id }) => id)).toEqual([3])
  })

  it('gives only the kinds that are asked for, as a stream and as a page, and keeps its place', async () => {
    const { app, add, log, store } = await stand()
    const only = await connected(app, '/api/events?after=0&kinds=saved,step')
    await add(60)
    await store.write((tx) => tx.addEvent({ at: 0, kind: 'saved', message: 'ana saved it.', facts: {} }))
    log.added()
    log.hint('lamps', 'not asked for')
    log.hint('step', 'asked for')
    const heard = await only.until((all) => all.length === 2)
    // A hint waits for nobody.
    expect(new Map(heard.map(({ id, kind }) => [kind, id]))).toEqual(
      new Map([
        ['saved', 61],
        ['step', null],
      ]),
    )
    const headers = { ...withKey, accept: 'application/json' }
    const page = await ask(app, '/api/events?kinds=saved,step', { headers })
    expect(await page.json()).toMatchObject([{ id: 61, kind: 'saved' }])
    expect((await ask(app, '/api/events?kinds=saved,,', { headers })).status).toBe(422)
  })

  it('tells a reader that was too slow for all hints that it has missed some', async () => {
    const { app, log, add } = await stand()
    await add(1)
    const slow = (await ask(app, '/api/events', { headers: withKey })).body!
    for (let i = 0; i < 300; i++) log.hint('lamps', `${i}`)
    const listener = listen(slow)
    onTestFinished(() => listener.leave())
    const heard = await listener.until((all) => all.length > 256)
    expect(heard[0]).toMatchObject({ kind: 'missed', data: { after: 1, next: 1 } })
    expect(heard.slice(1).map(({ data }) => data['message'])).toEqual(range(44, 299).map(String))
  })

  it('tells a reader its place before the first event, so that nothing is lost when it is cut off there', async () => {
    const { app, add } = await stand()
    await add(7)
    const first = await connected(app)
    await expect.poll(first.last_id).toBe('7')
    await first.leave()
    await add(2)
    const second = await connected(app, '/api/events', { 'last-event-id': first.last_id() })
    expect((await second.until((heard) => heard.length === 2)).map(({ id }) => id)).toEqual([8, 9])
  })

  it('gives a reader that is cut off again and again each of 1,000 events once', async () => {
    const { app, add } = await stand()
    const writing = (async () => {
      for (let i = 0; i < 200; i++) await add(5)
    })()
    const ids: (number | null)[] = []
    let last = '0'
    for (let turn = 1; ids.length < 1000; turn++) {
      const listener = await connected(app, '/api/events', { 'last-event-id': last })
      const heard = await listener.until(({ length }) => length >= Math.min(turn * 7, 1000 - ids.length))
      ids.push(...heard.map(({ id }) => id))
      last = String(ids.at(-1) ?? 0)
      await listener.leave()
    }
    await writing
    expect(ids).toEqual(range(1, 1000))
  })

  it('tells which events are no longer kept', async () => {
    const { app, store, add } = await stand()
    await add(20)
    await store.write((tx) => tx.trimEvents(5))
    const listener = await connected(app, '/api/events?after=3')
    const heard = await listener.until(({ length }) => length >= 6)
    expect(heard[0]).toEqual({ id: null, kind: 'missed', data: { after: 3, next: 16 } })
    expect(heard.slice(1).map(({ id }) => id)).toEqual(range(16, 20))
  })

  it.each(['-1', '1.5', 'abc', '1e3', '99999999999999999999'])('refuses Last-Event-ID %s', async (id) => {
    const { app } = await stand()
    const answer = await ask(app, '/api/events', { headers: { ...withKey, 'last-event-id': id } })
    expect(await problemIn(answer)).toMatchObject({ status: 422, code: 'validation_failed' })
  })

  it('needs a key', async () => {
    const { app } = await stand()
    expect((await ask(app, '/api/events')).status).toBe(401)
  })
})

describe('the number of streams', () => {
  it('is 64; the next is told to come back, and gets a place when one leaves', async () => {
    const { app } = await stand()
    const open = await Promise.all(Array.from({ length: 64 }, () => connected(app)))
    const refused = await ask(app, '/api/events', { headers: withKey })
    expect(refused.headers.get('retry-after')).toBe('15')
    expect(await problemIn(refused)).toMatchObject({ status: 503, code: 'component_unavailable' })
    await open[0]!.leave()
    await connected(app)
  })

  it('does not count a HEAD, whose body nobody reads', async () => {
    const { app } = await stand({ streams: ONE })
    for (let i = 0; i < 3; i++)
      expect((await ask(app, '/api/events', { method: 'HEAD', headers: withKey })).status).toBe(200)
    await connected(app)
  })

  it('does not count one that ended because the store could not be read', async () => {
    const { app, store, add } = await stand({ streams: ONE })
    const listener = await connected(app)
    const after = store.eventsAfter.bind(store)
    store.eventsAfter = () => Promise.reject(new Error('the disk is gone'))
    await add(1)
    expect(await listener.ended).toBe(false)
    store.eventsAfter = after
    const again = await connected(app, '/api/events', { 'last-event-id': listener.last_id() })
    expect((await again.until((heard) => heard.length === 1))[0]).toMatchObject({ id: 1 })
  })

  it('does not count a reader whose connection broke', async () => {
    const { app } = await stand({ streams: ONE })
    const { port } = await serving(app)
    const status = async () => {
      const reader = wire(port)
      reader.socket.write(request('GET /api/events', HEAD))
      const text = await reader.until(/\r\n\r\n/)
      reader.socket.destroy()
      return statusesIn(text)[0]
    }
    for (let i = 0; i < 3; i++) await expect.poll(status).toBe(200)
  })
})

describe('on a socket', () => {
  itInDepth('a stream lives on past the time that a request may take, and still tells', async () => {
    const { app, add } = await stand({ heartbeat_ms: 50 })
    const limits = {
      headers_timeout_ms: 100,
      request_timeout_ms: 200,
      check_every_ms: 20,
      keep_alive_ms: 100,
    }
    const { port } = await serving(app, limits)
    const reader = wire(port)
    reader.socket.write(request('GET /api/events', HEAD))
    await reader.until(/(?:: still here[\s\S]*){20}/)
    await add(1)
    expect(await reader.until(/event: release\n/)).toMatch(/transfer-encoding: chunked/i)
  })

  it('the end of the trail ends the stream, and the server stops long before it would cut anybody off', async () => {
    const { app, log } = await stand()
    const { server, port } = await serving(app, { drain_ms: 600_000, keep_alive_ms: 600_000 })
    const reader = wire(port)
    reader.socket.write(request('GET /api/events', HEAD))
    await reader.until(/\nid: 0\n/)
    log.note('stopping', 'good bye')
    await log.end(5000)
    await server.stop()
    const text = await reader.closed
    expect(text).toContain('event: stopping\n')
    expect(text.endsWith('\r\n0\r\n\r\n')).toBe(true)
  })

  it('a reader that takes nothing keeps the stop waiting no longer than its farewell', async () => {
    const { app, log, add } = await stand({ farewell_ms: 50 })
    const { server, port } = await serving(app, { drain_ms: 600_000 })
    const stuck = wire(port)
    stuck.socket.write(request('GET /api/events?after=0', HEAD))
    await stuck.until(/200 OK/)
    stuck.socket.pause()
    await add(400, 'x'.repeat(100_000))
    await log.end(0)
    await server.stop()
  })
})

describe('a reader that takes nothing', () => {
  it('is cut off, keeps one page in memory, and costs the others nothing', async () => {
    const { app, store, add } = await stand({ stall_ms: 300 })
    const pages: number[] = []
    const after = store.eventsAfter.bind(store)
    store.eventsAfter = async (id, limit) => {
      const page = await after(id, limit)
      if (limit === 25) pages.push(page.length)
      return page
    }
    await add(2000)
    const stuck = await ask(app, '/api/events?after=0', { headers: withKey })
    const reader = stuck.body!.getReader()
    await reader.read()
    await reader.read()
    const quick = await connected(app, '/api/events?after=1990')
    expect((await quick.until((heard) => heard.length === 10)).at(-1)).toMatchObject({ id: 2000 })
    await expect(reader.closed).rejects.toThrow('took nothing')
    expect(pages.filter((length) => length === 25)).toHaveLength(1)
  })

  itInDepth('on a socket is cut off, too, and its place is free again', async () => {
    const { app, add } = await stand({ stall_ms: 200, streams: ONE })
    const { port } = await serving(app)
    const stuck = wire(port)
    stuck.socket.write(request('GET /api/events?after=0', HEAD))
    await stuck.until(/200 OK/)
    stuck.socket.pause()
    expect((await ask(app, '/api/events', { headers: withKey })).status).toBe(503)
    await add(400, 'x'.repeat(100_000))
    await expect.poll(async () => (await ask(app, '/api/events', { headers: withKey })).status).toBe(200)
  })
})

describe('a page', () => {
  const page = async (app: App, path: string) => {
    const answer = await ask(app, path, { headers: { ...withKey, accept: 'application/json' } })
    const body = (await answer.json()) as { id: number }[]
    return { ids: body.map(({ id }) => id), link: answer.headers.get('link') }
  }

  it('holds what came after a number, oldest first, and names the next one', async () => {
    const { app, add } = await stand()
    await add(5)
    const first = await page(app, '/api/events?limit=3')
    expect(first).toEqual({ ids: [1, 2, 3], link: '</api/events?after=3&limit=3>; rel="next"' })
    expect(await page(app, '/api/events?after=3&limit=3')).toEqual({ ids: [4, 5], link: null })
    expect(await page(app, '/api/events?after=5')).toEqual({ ids: [], link: null })
  })
})
