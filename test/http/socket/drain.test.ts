/** The end of a server: running requests finish, nobody is kept waiting for long, nothing stays open. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../../src/http/contract.ts'
import { httpServer } from '../../../src/http/socket/server.ts'
import { appOf, withSystem } from '../support.ts'
import { request, serving, statusesIn, talk, wire } from '../socket.ts'

const HOST = 'Host: localhost'

/** An endpoint that answers when it is let, and tells when it was entered and whether it was given up. */
function waiting() {
  const entered = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const given_up = Promise.withResolvers<void>()
  const one = endpoint({
    method: 'GET',
    path: '/api/waits',
    id: 'waits',
    summary: 'Waits',
    level: 'open',
    tags: [],
    replies: { 200: z.strictObject({}) },
    handler: async ({ signal }) => {
      signal.addEventListener('abort', () => given_up.resolve())
      entered.resolve()
      await gate.promise
      return { status: 200, body: {} }
    },
  })
  return {
    app: appOf(withSystem([one])),
    entered: entered.promise,
    let: gate.resolve,
    given_up: given_up.promise,
  }
}

test('a running request is answered, told to close, and nothing new is accepted', async () => {
  const slow = waiting()
  const { server, port } = await serving(slow.app, { drain_ms: 20_000 })
  const running = wire(port)
  running.socket.write(request('GET /api/waits', [HOST]))
  await slow.entered
  const stopped = server.stop()
  expect(await talk(port, request('GET /health', [HOST]))).toBe('')
  slow.let()
  const text = await running.closed
  expect(statusesIn(text)).toEqual([200])
  expect(text).toMatch(/connection: close/i)
  await stopped
})

test('an idle connection is closed at once', async () => {
  const { server, port } = await serving(appOf(withSystem([])), { drain_ms: 20_000, keep_alive_ms: 20_000 })
  const idle = wire(port)
  idle.socket.write(request('GET /health', [HOST]))
  await idle.until(/"status":"ok"/)
  await server.stop()
  await idle.closed
})

test('a busy keep-alive client is let go after the answer it waits for', async () => {
  const slow = waiting()
  const { server, port } = await serving(slow.app, { drain_ms: 20_000 })
  const busy = wire(port)
  busy.socket.write(request('GET /api/waits', [HOST]) + request('GET /health', [HOST]))
  await slow.entered
  const stopped = server.stop()
  slow.let()
  expect(statusesIn(await busy.closed)[0]).toBe(200)
  await stopped
})

test('a request that never ends is given up after the time that is allowed', async () => {
  const slow = waiting()
  const { server, port } = await serving(slow.app, { drain_ms: 100 })
  const stuck = wire(port)
  stuck.socket.write(request('GET /api/waits', [HOST]))
  await slow.entered
  await server.stop()
  expect(await stuck.closed).toBe('')
  await slow.given_up
  slow.let()
})

test('a client that leaves aborts what was done for it', async () => {
  const slow = waiting()
  const { port } = await serving(slow.app)
  const leaving = wire(port)
  leaving.socket.write(request('GET /api/waits', [HOST]))
  await slow.entered
  leaving.socket.destroy()
  await slow.given_up
  slow.let()
})

test('stopping twice is stopping once, and a server that never listened stops too', async () => {
  const app = appOf(withSystem([]))
  const { server } = await serving(app)
  await Promise.all([server.stop(), server.stop()])
  await httpServer({ app, host: '127.0.0.1', port: 0, isTrustedProxy: () => false }).stop()
})
