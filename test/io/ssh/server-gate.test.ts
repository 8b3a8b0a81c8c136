/** An SSH server that takes connections and never answers holds nobody up twice, and whoever waits hears when it is back. */
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { greeting } from '../../../src/io/greeting/greeting.ts'
import { serverGate } from '../../../src/io/ssh/server-gate.ts'
import { type FaultWay, faultWay } from '../../flows/fault-way.ts'
import { handClock } from '../../fakes/hand-clock.ts'

let server: Server
let way: FaultWay
beforeEach(async () => {
  server = createServer((client) => client.on('error', () => undefined).write('SSH-2.0-test\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  way = await faultWay((server.address() as AddressInfo).port)
})
afterEach(async () => {
  await way.close()
  await new Promise((resolve) => server.close(resolve))
})

const never = new AbortController().signal
const PATIENCE = { interval: 5 }

/** A session that its caller gives up after so long. */
async function held(at: ReturnType<typeof standing>, ms: number): Promise<unknown> {
  const work = at.gate.run(
    async () => {
      at.clock.pass(ms)
      throw new DOMException('gone', 'AbortError')
    },
    { signal: never },
  )
  return work.catch((error: unknown) => error)
}

function standing() {
  const clock = handClock()
  const server = { host: '127.0.0.1', port: way.port }
  const probe = (signal: AbortSignal, max_ms: number) => greeting({ ...server, max_ms }, clock, signal)
  return { clock, ...serverGate({ ...server, probe }, clock) }
}

it('is known dead after somebody waited and it does not greet; a probe finds it back and tells', async () => {
  await way.be('hanging')
  const at = standing()
  let hints = 0
  at.onBack(() => hints++)
  const gone = at.onBack(() => (hints += 100))
  gone.close()
  await held(at, 1500)
  let sessions = 0
  const session = () => at.gate.run(async () => void sessions++, { signal: never })
  // The first probe has begun, and comes to nothing, too.
  await expect.poll(() => at.clock.sleepers(), PATIENCE).toBe(1)
  at.clock.pass(1000)
  await expect(session()).rejects.toMatchObject({
    code: 'component_unavailable',
    message: expect.stringMatching(
      /did not answer within 1500 ms\. It is unreachable; next attempt at /,
    ) as string,
  })
  await way.be('open')
  const passed = async () => {
    at.clock.pass(1000)
    return session().then(
      () => 'back',
      () => 'dead',
    )
  }
  await expect.poll(passed, PATIENCE).toBe('back')
  expect([sessions, hints]).toEqual([1, 1])
  at.close()
})

it('whoever leaves at once, and a refusal, say nothing; a slow login that still greets is not dead', async () => {
  const at = standing()
  await held(at, 500)
  await at.gate.run(async () => undefined, { signal: never })
  await held(at, 1500)
  const answered = () => at.gate.run(async () => 'open', { signal: never }).catch(() => 'dead')
  await expect.poll(answered, PATIENCE).toBe('open')
  at.close()
})
