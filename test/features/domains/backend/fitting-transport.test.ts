/** How an exposure finds out how its backend is spoken to: within its time, and never instead of being exposed. */
import { expect, it } from 'vitest'
import { withFittingTransport } from '../../../../src/features/domains/backend/fitting-transport.ts'
import { ProbeGate } from '../../../../src/features/domains/backend/probe-gate.ts'
import type { BackendProbe } from '../../../../src/features/domains/backend/probe/port.ts'
import { handClock } from '../../../fakes/hand-clock.ts'

const INPUT = { domain: 'app.example.com', backend_host: '10.0.0.5', backend_port: 8443 }
const never = new AbortController().signal
const AS_IT_WAS = { input: INPUT, warnings: [] }

/** A backend that takes connections and then says nothing, to whatever it is asked. */
function mute() {
  const clock = handClock()
  let asked = 0
  const hang = () => {
    asked++
    return new Promise<never>(() => undefined)
  }
  const probe: BackendProbe = {
    resolve: hang,
    connect: async () => {
      asked++
      return { ok: true, greeting: '' }
    },
    handshake: hang,
    speaksH2c: hang,
    get: hang,
  }
  const gate = new ProbeGate(clock)
  const backend = { probe, gate, own: new Set<string>(), here: () => [], authorities: new Map() }
  return { deps: { backend, clock }, clock, gate, asked: () => asked }
}

const CALL = { signal: never, dry_run: false, confirm: null }

it('a backend that says nothing is waited for five seconds at most', async () => {
  const { deps, clock } = mute()
  let ended = false
  const looking = withFittingTransport(deps, INPUT, CALL).finally(() => (ended = true))
  clock.pass(4_999)
  await new Promise((resolve) => setImmediate(resolve))
  expect(ended).toBe(false)
  clock.pass(1)
  expect(await looking).toEqual(AS_IT_WAS)
})

it('where too many probes were made already, it is exposed as it is', async () => {
  const { deps, gate, asked } = mute()
  for (let i = 0; i < 30; i++) await gate.pass(async () => undefined)
  expect(await withFittingTransport(deps, INPUT, CALL)).toEqual(AS_IT_WAS)
  expect(asked()).toBe(0)
})

it('the end of the call ends it', async () => {
  const { deps } = mute()
  const gone = new AbortController()
  const looking = withFittingTransport(deps, INPUT, { ...CALL, signal: gone.signal })
  gone.abort(new Error('gone'))
  await expect(looking).rejects.toThrow('gone')
})

it.each([
  ['a scheme that was said', { backend_scheme: 'http' }],
  ['a trust that was said', { backend_tls: { trust: 'system' } }],
  ['a TCP route', { protocol: 'tcp' }],
  ['what is managed elsewhere', { service_type: 'manual' }],
  ['a TCP proxy', { service_type: 'tcp-proxy' }],
  ['a host that is none', { backend_host: 'a b' }],
  ['a port that is none', { backend_port: '8443' }],
  ['nobody’s host', { backend_host: null }],
  ['an address that is not asked', { backend_host: '169.254.169.254' }],
])('for %s nobody is asked', async (_what, fields) => {
  const { deps, asked } = mute()
  const input = { ...INPUT, ...fields }
  expect(await withFittingTransport(deps, input, CALL)).toEqual({ input, warnings: [] })
  expect(asked()).toBe(0)
})

it.each([{ dry_run: true }, { confirm: 'a hash' }])(
  'where %j says so nobody is asked, and that is said: a confirmed plan is the one that was shown',
  async (call) => {
    const { deps, asked } = mute()
    const { input, warnings } = await withFittingTransport(deps, INPUT, { ...CALL, ...call })
    expect(input).toEqual(INPUT)
    expect(warnings).toEqual([expect.stringContaining('Say backend_scheme')])
    expect(asked()).toBe(0)
  },
)
