/** A peer that is known dead holds nobody up, is tried by one probe at a time, and comes back by itself. */
import { expect, it } from 'vitest'
import { knownDead } from '../../../src/io/http-client/known-dead.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import type { HttpClient, HttpReply, HttpRequest } from '../../../src/ports/http-client.ts'
import { handClock } from '../../fakes/hand-clock.ts'

const REPLY: HttpReply = { status: 404, headers: {}, text: '', retry_after_ms: null }
const REFUSED = { inside: 'ECONNREFUSED' }
const BABBLE = { facts: { reason: 'unreadable' } }
const signal = new AbortController().signal
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A peer behind a client that keeps its deadlines, as the real one does. */
function peer(
  over: Parameters<typeof knownDead>[1] extends infer O ? Partial<O> : never = {},
  takesDown: () => Promise<unknown> = () => Promise.resolve(),
) {
  const clock = handClock()
  const asked: string[] = []
  const back: number[] = []
  const state = { mood: 'answers' as 'answers' | 'hangs' | 'hangs_once' | 'refuses' | 'babbles' }
  const inner: HttpClient = {
    close: () => Promise.resolve(),
    async request({ url, deadline_ms = 5000, signal: ends }: HttpRequest) {
      asked.push(`${url} ${deadline_ms}`)
      if (state.mood === 'refuses') throw new Failure('component_unavailable', 'Refused.', REFUSED)
      if (state.mood === 'babbles') throw new Failure('component_unavailable', 'It speaks no HTTP.', BABBLE)
      if (state.mood === 'answers') return REPLY
      if (state.mood === 'hangs_once') state.mood = 'answers'
      try {
        await clock.sleep(deadline_ms, ends)
      } finally {
        await takesDown()
      }
      throw new Failure('component_unavailable', `It did not answer within ${deadline_ms} ms.`)
    },
  }
  const client = knownDead(inner, { clock, back: () => back.push(clock.elapsed()), ...over })
  const ask = (more: Partial<HttpRequest> = {}) =>
    client.request({ method: 'GET', url: 'http://a.test/zones?x=1', signal, ...more })
  /** Lets a hanging request run into its deadline. */
  const held = async (ms = 5000, more: Partial<HttpRequest> = {}) => {
    const asking = ask(more).catch((error: unknown) => error)
    await settled()
    clock.pass(ms)
    return asking
  }
  /** The same, and the probe that confirms it comes to nothing as well. */
  const dead = async () => {
    const error = await held()
    await settled()
    clock.pass(1000)
    await settled()
    return error
  }
  return { clock, state, client, ask, asked, back, held, dead }
}

it('refuses at once after somebody was held up, and says when it is tried next', async () => {
  const { state, ask, asked, dead, clock } = peer()
  state.mood = 'hangs'
  expect(await dead()).toMatchObject({ message: 'It did not answer within 5000 ms.' })
  const next = new Date(clock.now() + 5000).toISOString()
  for (let callers = 0; callers < 20; callers++)
    await expect(ask()).rejects.toMatchObject({
      code: 'component_unavailable',
      message: `It did not answer within 5000 ms. It is unreachable; next attempt at ${next}.`,
      details: { retry_after_ms: 5000 },
    })
  expect(asked).toEqual(['http://a.test/zones?x=1 5000', 'http://a.test/ 1000'])
})

it('one request that comes to nothing says nothing of the next while the peer answers others', async () => {
  const { state, ask, asked, held } = peer()
  state.mood = 'hangs_once'
  await held()
  expect(await Promise.all([ask(), ask()])).toEqual([REPLY, REPLY])
  expect(asked).toHaveLength(4)
})

it('who asks while it is in doubt waits for the probe that decides, and no longer', async () => {
  const { state, ask, asked, held, clock } = peer()
  state.mood = 'hangs'
  await held()
  const asking = ask().catch((error: unknown) => error)
  await settled()
  clock.pass(1000)
  expect(await asking).toMatchObject({ message: expect.stringContaining('unreachable') as unknown })
  expect(asked).toHaveLength(2)
})

it('tries it with one probe every five seconds, each patient for longer, and lets everybody in when it answers, whatever it says', async () => {
  const { state, ask, asked, dead, clock, back } = peer()
  state.mood = 'hangs'
  await dead()
  const patience = [1000, 1000, 2000, 4000, 5000, 5000]
  for (let probes = 1; probes < patience.length; probes++) {
    clock.pass(5000)
    await settled()
    expect(asked.slice(1)).toEqual(patience.slice(0, probes + 1).map((ms) => `http://a.test/ ${ms}`))
    clock.pass(patience[probes]!)
    await settled()
  }
  state.mood = 'answers'
  expect(back).toEqual([])
  clock.pass(5000)
  await settled()
  await settled()
  expect(back).toHaveLength(1)
  expect(await ask()).toEqual(REPLY)
})

it('a refusal that came at once says nothing of the next request', async () => {
  const { state, ask, asked } = peer()
  state.mood = 'refuses'
  for (let callers = 0; callers < 3; callers++) await expect(ask()).rejects.toThrow('Refused.')
  expect(asked).toHaveLength(3)
})

it('an answer that cannot be read is a sign of life', async () => {
  const { state, ask, asked } = peer({ held_up_ms: 0 })
  state.mood = 'babbles'
  for (let callers = 0; callers < 3; callers++) await expect(ask()).rejects.toThrow('no HTTP')
  await settled()
  expect(asked).toHaveLength(3)
})

it('unless the peer is to be spared: then any failure makes it known', async () => {
  const { state, ask, asked, clock } = peer({ held_up_ms: 0, every_ms: 15_000 })
  state.mood = 'refuses'
  for (let seconds = 0; seconds < 60; seconds++) {
    await expect(ask()).rejects.toThrow('Refused.')
    clock.pass(1000)
    await settled()
    await settled()
  }
  // The first, and four probes.
  expect(asked.length).toBeLessThanOrEqual(5)
})

it('a caller that leaves after waiting makes it known, too', async () => {
  const { state, ask, clock, asked } = peer()
  state.mood = 'hangs'
  const leaving = new AbortController()
  const asking = ask({ signal: leaving.signal }).catch((error: unknown) => error)
  await settled()
  clock.pass(1300)
  leaving.abort(new Error('gone'))
  expect(await asking).toMatchObject({ message: 'gone' })
  await settled()
  clock.pass(1000)
  await settled()
  await expect(ask()).rejects.toThrow('did not answer within 1300 ms')
  expect(asked).toHaveLength(2)
})

it('whoever comes while the request of one who left is taken down is refused, too', async () => {
  const { state, ask, clock } = peer({}, () => settled())
  state.mood = 'hangs'
  const leaving = new AbortController()
  const asking = ask({ signal: leaving.signal }).catch((error: unknown) => error)
  await settled()
  clock.pass(1300)
  leaving.abort(new Error('gone'))
  const next = ask().catch((error: unknown) => error)
  await settled()
  clock.pass(1000)
  expect(await next).toMatchObject({ message: expect.stringContaining('unreachable') as unknown })
  await asking
})

it('a peer that is only slow is back as soon as it has answered a probe', async () => {
  const { state, ask, clock } = peer()
  state.mood = 'hangs'
  const leaving = new AbortController()
  const asking = ask({ signal: leaving.signal }).catch((error: unknown) => error)
  await settled()
  clock.pass(1300)
  state.mood = 'answers'
  leaving.abort(new Error('gone'))
  await asking
  await settled()
  expect(await ask()).toEqual(REPLY)
})

it('whoever insists is let through, and an answer to it ends the silence for all', async () => {
  const { state, ask, dead } = peer()
  state.mood = 'hangs'
  await dead()
  state.mood = 'answers'
  await expect(ask()).rejects.toThrow('unreachable')
  expect(await ask({ insists: true })).toEqual(REPLY)
  expect(await ask()).toEqual(REPLY)
})

it('one peer says nothing of another, and the end of the house ends the probing', async () => {
  const { state, ask, dead, client, clock } = peer()
  state.mood = 'hangs'
  await dead()
  state.mood = 'answers'
  expect(await ask({ url: 'http://b.test/' })).toEqual(REPLY)
  await client.close()
  await settled()
  expect(clock.sleepers()).toBe(0)
})
