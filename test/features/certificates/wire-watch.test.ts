/** When each name is shaken hands with, what is told of it until then, and how many begin in a second. By a clock of the test's. */
import { expect, it } from 'vitest'
import { silentLog } from '../../../src/kernel/log.ts'
import type { CertificateFacts } from '../../../src/model/network/certificate.ts'
import { expectations } from '../../../src/features/certificates/wire/expected.ts'
import { type WireName, WireWatch } from '../../../src/features/certificates/wire/wire-watch.ts'
import type { Handshake } from '../../../src/features/certificates/tls-probe/port.ts'
import { handClock } from '../../fakes/hand-clock.ts'

const never = new AbortController().signal
const MINUTE_MS = 60_000
const STEP_MS = 10
const settled = () => new Promise((resolve) => setImmediate(resolve))

function world(count: number) {
  const clock = handClock()
  const facts = (names: readonly string[]): CertificateFacts => ({
    names,
    not_before: clock.now() - 1,
    not_after: clock.now() + 1000 * MINUTE_MS,
    issuer: 'R10',
    serial: '1a',
    key_type: 'EC P-256',
    fingerprint: 'f',
  })
  const shows = (names: readonly string[]): Handshake => ({
    ok: true,
    protocol: 'TLSv1.3',
    chain: [facts(names)],
    distrust: null,
  })
  const asked: { readonly name: string; readonly at_ms: number }[] = []
  const state = {
    names: Array.from({ length: count }, (_, i): WireName => {
      return { domain: `n${i}.example.com`, domain_id: i + 1, internal: false }
    }),
    /** Names that are shown something else than their own. */
    wrong: new Map<string, Handshake | Promise<Handshake> | 'silence'>(),
  }
  const watch = new WireWatch({
    clock,
    log: silentLog,
    address: { host: 'proxy', port: 443 },
    names: () => Promise.resolve(state.names),
    expected: () => Promise.resolve(expectations({ reading: null, views: [], cert_resolver: null })),
    probe: {
      handshake({ name }, signal) {
        asked.push({ name, at_ms: clock.elapsed() })
        const seen = state.wrong.get(name) ?? shows([name])
        if (seen !== 'silence') return Promise.resolve(seen)
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
        )
      },
    },
  })
  return {
    ...state,
    state,
    clock,
    watch,
    asked,
    own: (name: string) => shows([name]),
    other: shows(['traefik.default']),
    async pass(ms: number) {
      for (let gone = 0; gone < ms; gone += STEP_MS) {
        clock.pass(STEP_MS)
        await settled()
      }
    },
    drifts: async () => (await watch.observations()).map(({ observation }) => observation?.drift),
  }
}

const sinceThen = (asked: readonly { readonly at_ms: number }[], at_ms: number) =>
  asked.filter((one) => one.at_ms >= at_ms).length

it('all names are asked in turns, at most twenty begin in any second, and then each again within five minutes', async () => {
  const at = world(130)
  expect(await at.drifts()).toEqual(at.names.map(() => undefined))
  at.watch.start()
  await at.pass(7_000)
  expect(new Set(at.asked.map(({ name }) => name)).size).toBe(130)
  expect(at.asked).toHaveLength(130)
  expect(await at.drifts()).toEqual(at.names.map(() => false))
  await at.pass(4 * MINUTE_MS)
  expect(at.asked).toHaveLength(130)
  await at.pass(MINUTE_MS)
  expect(at.asked).toHaveLength(260)
  for (const { at_ms } of at.asked) {
    const begun = at.asked.filter((one) => one.at_ms >= at_ms && one.at_ms < at_ms + 1000)
    expect(begun.length).toBeLessThanOrEqual(20)
  }
  await at.watch.stop()
})

it('another certificate is drift at the first sight, and is looked at again every half minute', async () => {
  const at = world(2)
  at.state.wrong.set('n0.example.com', at.other)
  at.watch.start()
  await at.pass(200)
  expect(await at.drifts()).toEqual([true, false])
  const then = at.clock.elapsed()
  await at.pass(29_000)
  expect(sinceThen(at.asked, then)).toBe(0)
  at.state.wrong.clear()
  await at.pass(2_000)
  expect(sinceThen(at.asked, then)).toBe(1)
  expect(await at.drifts()).toEqual([false, false])
  await at.watch.stop()
})

it('after a change all are asked; what is seen moments after it is unknown until it is seen again', async () => {
  const at = world(3)
  at.state.wrong.set('n2.example.com', at.other)
  at.watch.start()
  await at.pass(500)
  expect(await at.drifts()).toEqual([false, false, true])
  at.state.wrong.set('n0.example.com', at.other)
  const then = at.clock.elapsed()
  at.watch.changed()
  await at.pass(1_000)
  expect(sinceThen(at.asked, then)).toBe(3)
  // What was wrong before the change is not excused by it.
  expect(await at.drifts()).toEqual([null, false, true])
  await at.pass(4_000)
  expect(await at.drifts()).toEqual([true, false, true])
  await at.watch.stop()
})

it('a handshake that was begun before a change says nothing of what came after it', async () => {
  const at = world(1)
  const slow = Promise.withResolvers<Handshake>()
  at.state.wrong.set('n0.example.com', slow.promise)
  at.watch.start()
  await at.pass(100)
  at.watch.changed()
  at.state.wrong.set('n0.example.com', at.other)
  slow.resolve(at.own('n0.example.com'))
  await at.pass(1_000)
  expect(at.asked).toHaveLength(2)
  await at.pass(5_000)
  expect(await at.drifts()).toEqual([true])
  await at.watch.stop()
})

it.each<[string, boolean | null, Handshake]>([
  ['refuses it by an alert', true, { ok: false, detail: 'It has no certificate.', refused: true }],
  ['cannot be reached', null, { ok: false, detail: 'It refuses connections.' }],
])('a name for which the proxy %s: drift %s, with its words', async (_title, drift, handshake) => {
  const at = world(1)
  at.state.wrong.set('n0.example.com', handshake)
  at.watch.start()
  await at.pass(100)
  const detail = handshake.ok ? null : handshake.detail
  expect((await at.watch.observations())[0]!.observation).toMatchObject({ drift, detail })
  await at.watch.stop()
})

it('whoever wants to know it afresh waits for a second at most, and is told what is known by then', async () => {
  const at = world(2)
  at.state.wrong.set('n1.example.com', 'silence')
  at.watch.start()
  let done = false
  const asking = at.watch.refresh(never).then(() => (done = true))
  await at.pass(900)
  expect(done).toBe(false)
  await at.pass(200)
  await asking
  expect(await at.drifts()).toEqual([false, undefined])
  await at.watch.stop()
})

it('of many names those alone are asked anew for a caller that were not well, or the one that is meant', async () => {
  const at = world(60)
  at.state.wrong.set('n7.example.com', at.other)
  at.watch.start()
  await at.pass(10_000)
  const asks = async (only?: string) => {
    const then = at.clock.elapsed()
    const asking = at.watch.refresh(never, only)
    await at.pass(300)
    await asking
    return at.asked.filter(({ at_ms }) => at_ms >= then).map(({ name }) => name)
  }
  expect(await asks()).toEqual(['n7.example.com'])
  expect(await asks('n3.example.com')).toEqual(['n3.example.com'])
  await at.watch.stop()
})

it('whoever insists is told what a handshake shows that began after the question, however fresh the last one is', async () => {
  const at = world(2)
  at.watch.start()
  await at.pass(500)
  expect(await at.drifts()).toEqual([false, false])
  at.state.wrong.set('n0.example.com', at.other)
  const asking = (insists: boolean) => at.watch.refresh(never, undefined, insists)
  const fresh = asking(false)
  await at.pass(500)
  await fresh
  expect(await at.drifts()).toEqual([false, false])
  const anew = asking(true)
  await at.pass(500)
  await anew
  expect(await at.drifts()).toEqual([true, false])
  await at.watch.stop()
})

it('a handshake that was begun before somebody insisted does not stand for the one after it', async () => {
  const at = world(1)
  at.watch.start()
  await at.pass(500)
  let answer: ((seen: Handshake) => void) | null = null
  at.state.wrong.set('n0.example.com', new Promise<Handshake>((resolve) => (answer = resolve)))
  await at.pass(5 * MINUTE_MS)
  const begun = at.asked.length
  const anew = at.watch.refresh(never, undefined, true)
  await at.pass(20)
  at.state.wrong.set('n0.example.com', at.other)
  answer!(at.own('n0.example.com'))
  await at.pass(500)
  await anew
  expect(at.asked.length).toBe(begun + 1)
  expect(await at.drifts()).toEqual([true])
  await at.watch.stop()
})

it('a name that was well and does not answer now is not known, whoever asks; one that was not well stays so', async () => {
  const at = world(3)
  at.state.wrong.set('n2.example.com', at.other)
  at.watch.start()
  await at.pass(500)
  await at.pass(10_000)
  for (const name of ['n1.example.com', 'n2.example.com']) at.state.wrong.set(name, 'silence')
  const asking = at.watch.refresh(never)
  await at.pass(1_200)
  await asking
  expect(await at.drifts()).toEqual([false, null, true])
  const [, silent] = await at.watch.observations()
  expect(silent!.observation!.detail).toMatch(/not finished a handshake/)
  await at.watch.stop()
})

it('a name that leaves is forgotten, and its handshake by somebody else is none of ours', async () => {
  const at = world(2)
  at.watch.start()
  await at.pass(200)
  const [first, second] = at.names
  at.state.names = [first!]
  expect(await at.watch.note(second!.domain, at.other, never)).toBeNull()
  expect(await at.watch.note(first!.domain, at.other, never)).toMatchObject({ drift: true })
  expect(await at.drifts()).toEqual([true])
  await at.watch.stop()
})

it('what is seen anew is told to whoever listens, and the same again is not', async () => {
  const at = world(2)
  let told = 0
  at.watch.onChange(() => told++)
  at.watch.start()
  await at.pass(500)
  expect(told).toBe(1)
  at.watch.changed()
  await at.pass(6_000)
  expect(told).toBe(1)
  at.state.wrong.set('n1.example.com', at.other)
  await at.watch.note('n1.example.com', at.other, never)
  expect(told).toBe(2)
  await at.watch.stop()
})

it('who asks while the house shuts down is told so, and nothing is asked any more', async () => {
  const at = world(1)
  at.state.wrong.set('n0.example.com', 'silence')
  at.watch.start()
  const asking = expect(at.watch.refresh(never)).rejects.toMatchObject({ code: 'shutting_down' })
  await at.pass(100)
  await at.watch.stop()
  await asking
  await expect(at.watch.refresh(never)).rejects.toMatchObject({ code: 'shutting_down' })
  expect(at.asked).toHaveLength(1)
  expect(at.clock.sleepers()).toBe(0)
})
