/** A daemon that does not answer: how long it is waited for, what is said meanwhile, and what a caller may make of it. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { expectGood, type ApiRequest } from '../../src/cli/api.ts'
import { exitCodeOf } from '../../src/cli/exit-codes.ts'
import { remoteApi } from '../../src/cli/remote-api.ts'
import { Failure } from '../../src/kernel/failure.ts'
import { handClock } from '../fakes/hand-clock.ts'

const READ: ApiRequest = { method: 'GET', path: '/api/domains' }
const WRITE: ApiRequest = { method: 'POST', path: '/api/domains/1/deploy' }
const DRY: ApiRequest = { method: 'POST', path: '/api/domains/1/deploy?dry_run=true' }
const UNKNOWN = 'Whether it was carried out is unknown'

let server: Server | null = null
afterEach(async () => {
  server?.closeAllConnections()
  await new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve)))
  server = null
})

async function listening(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server!.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Asked of a daemon that hangs, until the command gives up. */
async function givenUp(request: ApiRequest, listener: RequestListener = () => undefined) {
  const clock = handClock(Date.now())
  const base = await listening(listener)
  const api = await remoteApi(base, null, clock)
  const silences: (number | null)[] = []
  let failure: unknown = null
  const call = api
    .call(request, (left_ms) => silences.push(left_ms))
    .catch((error: unknown) => {
      failure = error
    })
  while (failure === null) {
    clock.pass(500)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await call
  await api.close()
  if (!(failure instanceof Failure)) throw failure as Error
  return { base, failure, silences, took_ms: clock.elapsed() }
}

describe('a daemon that hangs', () => {
  it('is given up for a read after ten seconds, which are counted down from the second one on', async () => {
    const { base, failure, silences, took_ms } = await givenUp(READ)
    expect(took_ms).toBe(10_000)
    expect(silences[0]).toBe(8000)
    expect(silences.at(-1)).toBe(500)
    expect(failure.code).toBe('component_unavailable')
    expect(failure.message).toContain(`${base} has not answered for 10 s`)
    expect(failure.message).not.toContain(UNKNOWN)
    expect(exitCodeOf(failure)).toBe(1)
  })

  it('is waited for longer with a plan, of which nothing can have come', async () => {
    const { failure, took_ms } = await givenUp(DRY)
    expect(took_ms).toBe(30_000)
    expect(failure.message).not.toContain(UNKNOWN)
    expect(exitCodeOf(failure)).toBe(1)
  })

  it('leaves unknown what became of a write, and the sentence says where to look', async () => {
    const { failure, took_ms } = await givenUp(WRITE)
    expect(took_ms).toBe(30_000)
    expect(failure.message).toContain(UNKNOWN)
    expect(failure.message).toContain('plumbline audit')
    expect(exitCodeOf(failure)).toBe(3)
  })

  it('hangs as well where its proxy answers for it', async () => {
    const { failure } = await givenUp(READ, ({ url }, response) => {
      if (url === '/health') response.writeHead(502).end()
    })
    expect(failure.message).toContain('has not answered for 10 s')
  })
})

describe('a daemon that lives', () => {
  it('is waited for as long as it says so, and its answer is taken', async () => {
    const clock = handClock(Date.now())
    let signs_of_life = 0
    let answer: (() => void) | null = null
    const base = await listening(({ url }: IncomingMessage, response) => {
      if (url !== '/health') answer = () => void response.end('[1]')
      else response.end('{}')
    })
    const api = await remoteApi(base, null, clock)
    const call = api.call(READ, (left_ms) => (signs_of_life += left_ms === null ? 1 : 0))
    await expect.poll(() => answer).not.toBeNull()
    for (let looks = 1; looks <= 20; looks++) {
      clock.pass(2000)
      await expect.poll(() => signs_of_life, { interval: 5 }).toBe(looks)
    }
    expect(clock.elapsed()).toBeGreaterThan(30_000)
    answer!()
    expect(await call).toMatchObject({ status: 200, body: [1] })
    await api.close()
  })

  it('is given up in the end', async () => {
    const { failure, took_ms } = await givenUp(WRITE, ({ url }, response) => {
      if (url === '/health') response.end('{}')
    })
    expect(took_ms).toBe(120_000)
    expect(failure.message).toContain('lives, and has not answered within 120 s')
    expect(exitCodeOf(failure)).toBe(3)
  })
})

describe('a connection that breaks', () => {
  const failed = async (base: string, request: ApiRequest): Promise<Failure> => {
    const api = await remoteApi(base, null)
    const failure = await expectGood(api, request).catch((error: unknown) => error)
    await api.close()
    return failure as Failure
  }

  it('leaves a write unknown, and a read or a plan nothing', async () => {
    const base = await listening((request) => request.resume().once('end', () => request.socket.destroy()))
    expect((await failed(base, WRITE)).message).toContain(UNKNOWN)
    for (const request of [READ, DRY]) expect((await failed(base, request)).message).not.toContain(UNKNOWN)
  })

  it('that never stood leaves a write undone', async () => {
    const base = await listening(() => undefined)
    await new Promise((resolve) => server!.close(resolve))
    const failure = await failed(base, WRITE)
    expect(failure.message).toMatch(/^No answer from /)
    expect(failure.message).not.toContain(UNKNOWN)
    expect(exitCodeOf(failure)).toBe(1)
  })

  it('while an operation is followed leaves that unknown, too', async () => {
    const base = await listening((request, response) => {
      if (request.method === 'GET') request.socket.destroy()
      else response.writeHead(202, { location: '/api/operations/7' }).end('{}')
    })
    const failure = await failed(base, WRITE)
    expect(failure.message).toContain(UNKNOWN)
    expect(exitCodeOf(failure)).toBe(3)
  })
})
