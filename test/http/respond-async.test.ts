/** Prefer: respond-async: refused at once or done for sure, and the answer is there for whoever asks later. */
import { getEventListeners } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { Failure } from '../../src/kernel/failure.ts'
import { endpoint } from '../../src/http/contract.ts'
import { answersLater, preferredWait, prefers } from '../../src/http/respond-async.ts'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import { handClock } from '../fakes/hand-clock.ts'
import { type Log, silentLog } from '../../src/kernel/log.ts'
import { Background } from '../../src/core/background/background.ts'
import { EventLog } from '../../src/core/events/event-log.ts'
import { eachScratch } from '../store/scratch.ts'
import { request, serving, wire } from './socket.ts'
import { appOf, ask, type Ask, factsOf, KEY, mapMemory, problemIn, withKey } from './support.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'

const scratch = eachScratch()
const later = { prefer: 'respond-async' }

async function stand(clock: Clock = systemClock, log: Log = silentLog) {
  const store = await scratch.open(scratch.directory())
  const events = new EventLog({ store, clock, log: silentLog })
  const background = new Background({ store, clock, log: silentLog, events })
  onTestFinished(() => background.stop(0))
  const gate = Promise.withResolvers<void>()
  const signals: AbortSignal[] = []
  const deploy = endpoint({
    method: 'POST',
    path: '/api/deploys',
    id: 'deploy',
    summary: 'Works until it is let go',
    level: 'keyed',
    tags: [],
    body: z.strictObject({ number: z.int(), fails: z.enum(['expected', 'surprise']).optional() }),
    respond_async: 'asked',
    replies: { 200: z.strictObject({ number: z.int() }) },
    handler: async ({ body, signal, progress }) => {
      signals.push(signal)
      progress?.expects([{ name: 'dns', key: 'dns:a.test' }])
      progress?.of('dns:a.test').writes(5)
      progress?.of('dns:a.test').wrote(2)
      await gate.promise
      if (body.fails === 'expected') throw new Failure('conflict', 'It is taken.')
      if (body.fails === 'surprise') throw new Error('a secret of the house')
      return { status: 200, body: { number: body.number } }
    },
  })
  const save = endpoint({
    method: 'POST',
    path: '/api/saves',
    id: 'save',
    summary: 'Is done at once',
    level: 'keyed',
    tags: [],
    replies: { 200: z.strictObject({}) },
    handler: async () => ({ status: 200, body: {} }),
  })
  const app = appOf([deploy, save], { background, answers: mapMemory(), log })
  const post = (body: unknown, headers: Ask['headers'] = later) =>
    ask(app, '/api/deploys', { method: 'POST', headers: { ...withKey, ...headers }, body })
  return { store, events, background, app, post, gate, signals }
}

const idOf = (response: Response) => response.headers.get('location')!.replace('/api/operations/', '')

describe('the preference', () => {
  it.each([
    ['respond-async', true],
    ['Respond-Async', true],
    ['wait=10, respond-async', true],
    ['respond-async; x=1', true],
    [' , respond-async ,', true],
    ['respond-async-not', false],
    ['respond-async=no', false],
    ['x="a, respond-async"', false],
    ['x="a\\", respond-async"', false],
    ['return=minimal', false],
    ['', false],
  ])('%j is %s', (value, asked) => {
    expect(prefers(factsOf({}, [['Prefer', value]]), 'respond-async')).toBe(asked)
  })

  it('counts on any of several lines', () => {
    const lines = [
      ['Prefer', 'return=minimal'],
      ['prefer', 'respond-async'],
    ] as const
    expect(prefers(factsOf({}, lines), 'respond-async')).toBe(true)
  })

  it.each([
    ['wait=5', 5000],
    ['respond-async, wait=30', 30_000],
    ['Wait = "7"; x=1', 7000],
    ['wait=3, wait=9', 3000],
    ['wait=0', 0],
    ['wait', null],
    ['wait=soon', null],
    ['wait=-1', null],
    ['x="a, wait=5"', null],
    ['', null],
  ])('%j would wait %s ms', (value, wait_ms) => {
    expect(preferredWait(factsOf({}, [['Prefer', value]]))).toBe(wait_ms)
  })

  it('is found however many quotes are never closed', () => {
    // Looked at once for each quote, this takes hours.
    const open = `"${'\\"'.repeat(2_000_000)}`
    expect(preferredWait(factsOf({}, [['Prefer', `wait=5, x=${open}`]]))).toBe(5000)
    const closed = '"\\","'.repeat(1_000_000)
    expect(prefers(factsOf({}, [['Prefer', `${closed}, respond-async`]]), 'respond-async')).toBe(true)
  })

  it('is not asked for where a call always goes on by itself, and not honoured where it never does', () => {
    const one = (respond_async?: 'asked' | 'always') =>
      answersLater({ respond_async } as Parameters<typeof answersLater>[0], factsOf())
    expect([one(), one('asked'), one('always')]).toEqual([false, false, true])
  })
})

describe('a call that goes on', () => {
  it('answers 202 with its operation, which later holds the answer that the call would have given', async () => {
    const { post, background, gate, store } = await stand()
    const accepted = await post({ number: 7 })
    expect(accepted.status).toBe(202)
    expect(accepted.headers.get('preference-applied')).toBe('respond-async')
    const id = idOf(accepted)
    const shown = { id, state: 'running', method: 'POST', path: '/api/deploys', actor: 'key', answer: null }
    expect(await accepted.json()).toMatchObject(shown)
    expect(await background.read(id)).toMatchObject(shown)
    gate.resolve()
    await expect.poll(async () => (await background.read(id)).state).toBe('succeeded')
    expect((await background.read(id)).answer).toEqual({ status: 200, body: { number: 7 } })
    expect(await store.eventsAfter(0, 10)).toMatchObject([
      { kind: 'operation', facts: { operation_id: id, state: 'succeeded', status: 200 } },
    ])
  })

  itInDepth('shows how far it has come while it runs; its end has an answer instead', async () => {
    const { post, background, gate } = await stand()
    const id = idOf(await post({ number: 7 }))
    expect((await background.read(id)).progress).toEqual({
      done: 2,
      total: 5,
      components: [{ name: 'dns', done: 2, total: 5, state: 'writing' }],
    })
    gate.resolve()
    await expect.poll(async () => (await background.read(id)).state).toBe('succeeded')
    expect((await background.read(id)).progress).toBeNull()
  })

  itOneIn(2).each([
    ['expected', { status: 409, body: { code: 'conflict', detail: 'It is taken.' } }],
    ['surprise', { status: 500, body: { code: 'internal' } }],
  ])('keeps a problem that is %s as a problem', async (fails, answer) => {
    const { post, background, gate } = await stand()
    const id = idOf(await post({ number: 1, fails }))
    gate.resolve()
    await expect.poll(async () => (await background.read(id)).state).toBe('failed')
    const kept = await background.read(id)
    expect(kept.answer).toMatchObject(answer)
    expect(JSON.stringify(kept)).not.toContain('secret')
  })

  it('is refused at once where it can be: no key, bad input, unknown field', async () => {
    const { post, app, signals } = await stand()
    expect((await ask(app, '/api/deploys', { method: 'POST', headers: later, body: {} })).status).toBe(401)
    expect(await problemIn(await post({ number: 'x' }))).toMatchObject({ status: 422 })
    expect(await problemIn(await post({ number: 1, nubmer: 2 }))).toMatchObject({ status: 422 })
    expect(signals).toEqual([])
  })

  it('does not mind that its caller leaves', async () => {
    const { app, background, gate, signals } = await stand()
    const { port } = await serving(app)
    const body = JSON.stringify({ number: 3 })
    const lines = ['Host: localhost', `X-API-Key: ${KEY}`, 'Prefer: respond-async']
    const json = ['Content-Type: application/json', `Content-Length: ${body.length}`]
    const caller = wire(port)
    caller.socket.write(request('POST /api/deploys', [...lines, ...json], body))
    const text = await caller.until(/location: \/api\/operations\/[0-9a-f-]{36}\r\n/i)
    const id = /operations\/([0-9a-f-]{36})/.exec(text)![1]!
    caller.socket.destroy()
    await caller.closed
    gate.resolve()
    await expect.poll(async () => (await background.read(id)).state).toBe('succeeded')
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  })

  it('repeated under its Idempotency-Key is the same operation, done once', async () => {
    const { post, gate, background, signals } = await stand()
    const headers = { ...later, 'idempotency-key': 'k1' }
    const first = await post({ number: 1 }, headers)
    const again = await post({ number: 1 }, headers)
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([202, 'true'])
    expect(idOf(again)).toBe(idOf(first))
    gate.resolve()
    await expect.poll(async () => (await background.read(idOf(first))).state).toBe('succeeded')
    expect(signals).toHaveLength(1)
    expect((await post({ number: 2 }, headers)).status).toBe(422)
  })

  itInDepth('without the preference, or where it is not offered, is answered when it is done', async () => {
    const { post, app, gate } = await stand()
    gate.resolve()
    expect((await post({ number: 1 }, {})).status).toBe(200)
    const saved = await ask(app, '/api/saves', { method: 'POST', headers: { ...withKey, ...later } })
    expect([saved.status, saved.headers.get('preference-applied')]).toEqual([200, null])
  })
})

describe('a call that is to go on while nothing can be saved', () => {
  const begun = async (code: 'storage_full' | 'store_unavailable') => {
    const { store, post, gate } = await stand()
    vi.spyOn(store, 'write').mockRejectedValue(new Failure(code, 'It cannot be saved.'))
    gate.resolve()
    return post({ number: 7 })
  }

  it('is answered when it is done on a full disk, which must not hold up what closes', async () => {
    const response = await begun('storage_full')
    expect(response.status).toBe(200)
    expect(response.headers.get('preference-applied')).toBeNull()
  })

  it('is refused for any other reason', async () => {
    expect((await begun('store_unavailable')).status).toBe(503)
  })
})

describe('operations', () => {
  itInDepth(
    'over 256 at once are turned away with a time to come back, and begin again as places come free',
    async () => {
      const { post, background, gate } = await stand()
      const accepted = await Promise.all(Array.from({ length: 256 }, (_, number) => post({ number })))
      expect(new Set(accepted.map(({ status }) => status))).toEqual(new Set([202]))
      const refused = await post({ number: 0 })
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
      gate.resolve()
      await expect.poll(async () => (await background.read(idOf(accepted[255]!))).state).toBe('succeeded')
      await expect.poll(async () => (await post({ number: 0 })).status).toBe(202)
    },
  )

  itInDepth('are cut short by the end of the daemon, which takes no more of them', async () => {
    const { post, background, signals } = await stand()
    const id = idOf(await post({ number: 1 }))
    await background.stop(0)
    expect(signals[0]!.aborted).toBe(true)
    expect(await problemIn(await post({ number: 2 }))).toMatchObject({ status: 503, code: 'shutting_down' })
    const next = await stand()
    await expect(next.background.read(id)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('that ran when the process ended are interrupted, with a hint; older ones than a week are forgotten', async () => {
    const { store, events, post, gate } = await stand()
    const id = idOf(await post({ number: 1 }))
    const week_ms = 7 * 24 * 3_600_000
    let now = Date.now()
    const clock = { ...systemClock, now: () => now }
    const next = new Background({ store, clock, log: silentLog, events })
    onTestFinished(() => next.stop(0))
    await next.prepare()
    const found = await next.read(id)
    const committed = { release: null, changes: 0 }
    expect(found).toMatchObject({ state: 'interrupted', answer: null, progress: null, committed })
    expect(found.hint).toContain('Nothing of it was saved: repeat the call.')
    now += week_ms + 1000
    await next.start({ actor: 'key', request_id: 'r', method: 'POST', path: '/x' }, async () => ({
      status: 200,
      body: '{}',
    }))
    await expect(next.read(id)).rejects.toMatchObject({ code: 'not_found' })
    gate.resolve()
  })

  it('whose end could not be written are not shown as running', async () => {
    const { store, events } = await stand()
    let broken = false
    const write: typeof store.write = (work) =>
      broken ? Promise.reject(new Error('disk full')) : store.write(work)
    const wrapped = { ...store, write }
    const background = new Background({ store: wrapped, clock: systemClock, log: silentLog, events })
    const { id } = await background.start(
      { actor: 'key', request_id: 'r', method: 'POST', path: '/x' },
      async () => {
        broken = true
        return { status: 200, body: '{}' }
      },
    )
    await expect.poll(async () => (await background.read(id)).state).toBe('interrupted')
  })
})

describe('a call that nobody asked to go on', () => {
  it('is answered when it is done, and leaves no operation behind', async () => {
    const clock = handClock()
    const { post, gate } = await stand(clock)
    gate.resolve()
    const response = await post({ number: 1 }, {})
    expect([response.status, await response.json()]).toEqual([200, { number: 1 }])
    expect(response.headers.get('location')).toBeNull()
    expect(clock.sleepers()).toBe(0)
  })

  it('and would take longer than nine seconds goes on as an operation, whose answer is kept', async () => {
    const clock = handClock()
    const { post, gate, background, signals } = await stand(clock)
    const posting = post({ number: 7 }, {})
    await expect.poll(() => signals.length).toBe(1)
    clock.pass(8_999)
    await new Promise((resolve) => setImmediate(resolve))
    expect(clock.sleepers()).toBe(1)
    clock.pass(1)
    const response = await posting
    expect(response.status).toBe(202)
    expect(await response.json()).toMatchObject({ state: 'running', path: '/api/deploys' })
    expect(response.headers.get('preference-applied')).toBeNull()
    gate.resolve()
    const ended = async () => background.read(idOf(response))
    await expect.poll(async () => (await ended()).state).toBe('succeeded')
    expect(await ended()).toMatchObject({ answer: { status: 200, body: { number: 7 } } })
    expect(signals[0]!.aborted).toBe(false)
    // The end of the daemon is listened to for years.
    expect(getEventListeners(background.ending, 'abort')).toHaveLength(0)
  })

  itInDepth('and fails after that has its refusal kept as the answer', async () => {
    const clock = handClock()
    const { post, gate, background, signals } = await stand(clock)
    const posting = post({ number: 7, fails: 'expected' }, {})
    await expect.poll(() => signals.length).toBe(1)
    clock.pass(10_000)
    const response = await posting
    gate.resolve()
    const ended = async () => background.read(idOf(response))
    await expect.poll(async () => (await ended()).state).toBe('failed')
    expect(await ended()).toMatchObject({ answer: { status: 409, body: { detail: 'It is taken.' } } })
  })

  describe('and takes longer, but cannot become an operation', () => {
    const full = new Failure('storage_full', 'The disk is full.')
    const bug = new TypeError('x is not a function')
    async function overdue(error: Error) {
      const clock = handClock()
      const lines: (readonly [string, string])[] = []
      const log: Log = {
        ...silentLog,
        warn: (message) => void lines.push(['warn', message]),
        error: (message) => void lines.push(['error', message]),
      }
      const at = await stand(clock, log)
      const write = vi.spyOn(at.store, 'write').mockRejectedValue(error)
      return { ...at, clock, lines, write }
    }

    itOneIn(2).each([
      ['warn', full],
      ['error', bug],
    ])('is answered when it is done, and says why at the level %s', async (level, error) => {
      const { post, gate, clock, signals, lines } = await overdue(error)
      const posting = post({ number: 7 }, {})
      await expect.poll(() => signals.length).toBe(1)
      clock.pass(10_000)
      await expect.poll(() => lines).toEqual([[level, 'call cannot go on as an operation']])
      gate.resolve()
      expect((await posting).status).toBe(200)
      expect(signals[0]!.aborted).toBe(false)
    })

    itInDepth('ends with its caller, also where that one has left meanwhile', async () => {
      const { app, gate, clock, signals, lines, write } = await overdue(full)
      const tried = Promise.withResolvers<never>()
      write.mockReturnValue(tried.promise)
      const { port } = await serving(app)
      const body = JSON.stringify({ number: 3 })
      const json = ['Content-Type: application/json', `Content-Length: ${body.length}`]
      const call = request('POST /api/deploys', ['Host: localhost', `X-API-Key: ${KEY}`, ...json], body)
      const [early, late] = [wire(port), wire(port)]
      for (const { socket } of [early, late]) socket.write(call)
      await expect.poll(() => signals.length).toBe(2)
      clock.pass(10_000)
      await expect.poll(() => write.mock.calls.length).toBe(2)
      early.socket.destroy()
      await early.closed
      tried.reject(full)
      await expect.poll(() => lines.length).toBe(2)
      await expect.poll(() => signals.filter(({ aborted }) => aborted)).toHaveLength(1)
      late.socket.destroy()
      await late.closed
      await expect.poll(() => signals.filter(({ aborted }) => aborted)).toHaveLength(2)
      gate.resolve()
    })

    it('ends with the daemon', async () => {
      const { post, gate, clock, signals, lines, background } = await overdue(full)
      const posting = post({ number: 7 }, {})
      await expect.poll(() => signals.length).toBe(1)
      clock.pass(10_000)
      await expect.poll(() => lines.length).toBe(1)
      await background.stop(0)
      expect(signals[0]!.aborted).toBe(true)
      gate.resolve()
      await posting
    })
  })

  itOneIn(4).each([
    ['wait=3', 3000, 'wait=3'],
    ['respond-async, wait=3', 3000, 'respond-async, wait=3'],
    ['wait=60', 60_000, 'wait=60'],
    // No connection is kept longer than this.
    ['respond-async, wait=600', 300_000, 'respond-async'],
    ['wait=600', 300_000, null],
    ['wait=10', 10_000, 'wait=10'],
    ['wait=9', 9_000, 'wait=9'],
  ])('and prefers %j goes on after %d ms', async (prefer, wait_ms, applied) => {
    const clock = handClock()
    const { post, gate, background, signals } = await stand(clock)
    const posting = post({ number: 7 }, { prefer })
    await expect.poll(() => signals.length).toBe(1)
    clock.pass(wait_ms - 1)
    await new Promise((resolve) => setImmediate(resolve))
    expect(clock.sleepers()).toBe(1)
    clock.pass(1)
    const response = await posting
    expect(response.status).toBe(202)
    expect(response.headers.get('preference-applied')).toBe(applied)
    gate.resolve()
    await expect.poll(async () => (await background.read(idOf(response))).state).toBe('succeeded')
  })

  itInDepth('and prefers to wait is answered when it is done in time', async () => {
    const clock = handClock()
    const { post, gate } = await stand(clock)
    gate.resolve()
    expect((await post({ number: 1 }, { prefer: 'respond-async, wait=3' })).status).toBe(200)
    expect(clock.sleepers()).toBe(0)
  })

  it('ends with its caller within the ten seconds, and leaves nothing waiting', async () => {
    const clock = handClock()
    const { app, gate, signals, store } = await stand(clock)
    const { port } = await serving(app)
    const body = JSON.stringify({ number: 3 })
    const json = ['Content-Type: application/json', `Content-Length: ${body.length}`]
    const caller = wire(port)
    caller.socket.write(request('POST /api/deploys', ['Host: localhost', `X-API-Key: ${KEY}`, ...json], body))
    await expect.poll(() => signals.length).toBe(1)
    caller.socket.destroy()
    await caller.closed
    await expect.poll(() => signals[0]!.aborted).toBe(true)
    gate.resolve()
    await expect.poll(() => clock.sleepers()).toBe(0)
    expect(await store.eventsAfter(0, 10)).toEqual([])
  })
})
