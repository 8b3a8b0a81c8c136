/** A name server that is known dead holds nobody up, is tried by one probe each five seconds, and comes back by itself. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Rfc2136Provider } from '../../../../src/features/dns/providers/rfc2136/provider.ts'
import { nameServerGate } from '../../../../src/features/dns/providers/rfc2136/spared.ts'
import type { PeerGate } from '../../../../src/kernel/async/peer-gate.ts'
import { type HandClock, handClock } from '../../../fakes/hand-clock.ts'
import type { Asked } from './scripted-name-server.ts'
import { eachScripted, failureOf, KEY, reply, ZONE } from './scripted-replies.ts'
import { never, wish } from './zone-folder.ts'

const scripted = eachScripted()
let clock: HandClock
let gate: PeerGate
let provider: Rfc2136Provider
let asked: number
/** What comes in is counted, and time passes by as much while nothing comes back. */
const mood = (deed: (asked: Asked) => void, waits_ms = 0) =>
  scripted.server().script((one) => {
    asked++
    clock.pass(waits_ms)
    deed(one)
  })
const hangs = () => undefined
const breaksOff = ({ socket }: Asked) => void socket.destroy()
beforeEach(() => {
  clock = handClock()
  asked = 0
  const server = { host: '127.0.0.1', port: scripted.server().port }
  gate = nameServerGate(server, clock)
  const settings = { account: 'default', server, zones: [ZONE], key: KEY }
  provider = new Rfc2136Provider(settings, { clock, gate, idle_ms: 50 })
})
afterEach(() => gate.close())

const works: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a serial', () => provider.stamp(ZONE, never)],
  ['a listing', () => provider.list(ZONE, never)],
  ['a name', () => provider.at(ZONE, { name: `app.${ZONE}`, types: ['A'] }, never)],
  ['a change', () => provider.change(ZONE, [wish(`app.${ZONE}`, 'A', ['192.0.2.1'])], never)],
]

async function hold(): Promise<void> {
  mood(hangs, 1500)
  await failureOf(() => provider.stamp(ZONE, never))
  // The probe that confirms it comes to nothing, too, and the next wait has begun.
  await expect.poll(() => asked).toBe(2)
  await nextWait()
}

/** The probe has ended, and the next is five seconds off: a probe under way sleeps towards its own end, too. */
async function nextWait(): Promise<void> {
  const next = new Date(clock.now() + 5000).toISOString()
  const refusal = async () => (await failureOf(() => provider.stamp(ZONE, never))).message
  await expect.poll(refusal).toContain(`next attempt at ${next}`)
}

it('after somebody was held up everybody is refused at once, with the time of the next attempt', async () => {
  await hold()
  const next = new Date(clock.now() + 5000).toISOString()
  for (const [, work] of works)
    expect(await failureOf(work)).toMatchObject({
      code: 'component_unavailable',
      message: expect.stringMatching(
        new RegExp(`silent.*It is unreachable; next attempt at ${next}`),
      ) as unknown,
      details: { retry_after_ms: 5000 },
    })
  expect(asked).toBe(2)
})

it('one probe each five seconds tries it, and anything that comes lets everybody in', async () => {
  await hold()
  mood(breaksOff)
  for (let probes = 1; probes <= 3; probes++) {
    clock.pass(5000)
    await expect.poll(() => asked).toBe(2 + probes)
    await nextWait()
  }
  mood((one) => one.send(reply(one.id, [], { rcode: 5 })))
  const callsThrough = async () => {
    // On a busy machine a probe may be given up though it is answered: the next one comes.
    clock.pass(5000)
    const failure = await failureOf(() => provider.stamp(ZONE, never))
    return !failure.message.includes('unreachable')
  }
  await expect.poll(callsThrough).toBe(true)
  // The probe, and what came through.
  expect(asked).toBeGreaterThan(5)
})

it.each(works)(
  '%s that breaks off at once holds nobody up, and says nothing of the next',
  async (_what, work) => {
    mood(breaksOff)
    for (let callers = 1; callers <= 3; callers++) {
      await failureOf(work)
      expect(asked).toBe(callers)
    }
  },
)

it('a caller who leaves after waiting makes a probe decide', async () => {
  const leaving = new AbortController()
  mood(() => {
    mood(breaksOff)
    leaving.abort(new Error('gone'))
  }, 1300)
  await expect(provider.stamp(ZONE, leaving.signal)).rejects.toThrow('gone')
  await expect.poll(() => asked).toBe(2)
  expect((await failureOf(() => provider.stamp(ZONE, never))).message).toContain('unreachable')
})
