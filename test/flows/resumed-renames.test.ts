/** A rename that is open when the daemon starts anew: only a refusal of the new name itself takes it back, and nothing is opened by that. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DnsProvider } from '../../src/features/dns/providers/port.ts'
import { Failure, type FailureCode } from '../../src/kernel/failure.ts'
import { isoTime } from '../../src/kernel/clock.ts'
import type { Store } from '../../src/ports/store.ts'
import { breakBefore } from '../fakes/dns/faults.ts'
import { type FakeTraefik, startFakeTraefik } from '../fakes/traefik/traefik.ts'
import { byTier } from '../kit/tier.ts'
import { clientOf } from './client.ts'
import { hurriedClock } from './proxy-house.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { newFolder } from '../kit/new-folder.ts'

const OLD = 'old.example.com'
const FRESH = 'fresh.example.com'
const HOUR_MS = 3_600_000
/** Of a provider that cannot be read. */
const SILENCES: readonly FailureCode[] = [
  'component_unavailable',
  'provider_credentials',
  'provider_busy',
  'provider_refused',
]

/** What meets whoever asks the provider; null for nothing. */
type Trouble = 'cut off' | FailureCode | null

let directory: string
let traefik: FakeTraefik
let at: TestHouse
let store: Store
let reading: FailureCode | null
let writing: Trouble
let is_cut: boolean
beforeEach(async () => {
  directory = newFolder('resumed')
  traefik = await startFakeTraefik()
  reading = null
  writing = null
  is_cut = false
})
afterEach(async () => {
  await at.house.close()
  await traefik.stop()
})

function moody(provider: DnsProvider): DnsProvider {
  const failing = (code: FailureCode) => new Failure(code, `The provider says ${code}.`)
  return {
    ...provider,
    get traits() {
      return provider.traits
    },
    // Each look is a new one.
    stamp: () => Promise.resolve(null),
    zones: async (signal) => {
      if (reading !== null) throw failing(reading)
      return provider.zones(signal)
    },
    list: async (zone, signal) => {
      if (reading !== null) throw failing(reading)
      return provider.list(zone, signal)
    },
    change: async (zone, changes, signal) => {
      if (writing === 'cut off') {
        is_cut = true
        throw failing('component_unavailable')
      }
      const is_new = changes.some(({ name, wanted }) => name === FRESH && wanted !== null)
      if (writing !== null && is_new) throw failing(writing)
      return provider.change(zone, changes, signal)
    },
    placeFault: (zone) => provider.placeFault?.(zone) ?? Promise.resolve(null),
    makeZone: (zone, signal) => provider.makeZone!(zone, signal),
  }
}

/** As far as what is kept is concerned, the process ends where it was cut off. */
const mortal = (given: Store): Store =>
  new Proxy(given, {
    get(target, name) {
      if (name === 'write' && is_cut)
        return () => Promise.reject(new Failure('store_unavailable', 'The process is dead.'))
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })

async function opened(has_api: boolean): Promise<void> {
  is_cut = false
  at = await openTestHouse({
    directory,
    clock: hurriedClock(),
    wrap: { dns: moody, store: (given) => (store = mortal(given)) },
    env: {
      PLUMBLINE_DNS_PROVIDER: 'zonefile',
      PLUMBLINE_PUBLIC_IP: '203.0.113.10',
      ...(has_api && { PLUMBLINE_TRAEFIK_API: traefik.origin }),
    },
  })
  if (has_api) traefik.follow(at.house.routes_path)
}

async function restarted(has_api: boolean): Promise<void> {
  await at.house.close()
  await opened(has_api)
}

const record = async (id: number) => (await at.call('GET', `/api/domains/${id}`)).body
const zonePath = () => join(directory, 'zones', 'example.com.zone')
const zone = () => readFileSync(zonePath(), 'utf8')
const dns = () => at.house.engine.lastReports().find(({ component }) => component === 'dns')?.outcome
const wentBack = async () =>
  ((await at.call('GET', '/api/releases')).body as unknown as readonly { readonly reason: string }[]).some(
    ({ reason }) => reason.includes('could not be taken'),
  )
const open = async () => (await store.openActivations()).length
const suspend = () =>
  at.call('PUT', '/api/modes/dns', {
    body: { mode: 'suspend', reason: 'moving house', expires_at: isoTime(Date.now() + HOUR_MS) },
  })

/** Kept: the new name, behind its sign-in. */
async function expectKept(): Promise<void> {
  expect(await wentBack()).toBe(false)
  expect(at.routes()).toContain(`site_${FRESH}"`)
  expect(at.routes()).not.toContain(`site_${OLD}"`)
  expect(at.routes()).toContain('authelia')
}

describe('one whose call was answered, while the proxy said nothing', () => {
  let id: number
  beforeEach(async () => {
    await opened(true)
    id = await createActive(at.call, { domain: OLD, auth_required: false })
    traefik.misbehave(breakBefore, { times: Infinity })
    await at.call('PUT', `/api/domains/${id}`, { body: { domain: FRESH, auth_required: true } })
    const answer = await clientOf(at.house)('POST', `/api/domains/${id}/deploy`)
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200, body: { loaded: null } })
    expect(zone()).toContain('fresh')
  })

  it.each(byTier(SILENCES.slice(0, 1), SILENCES))(
    'stays where DNS cannot be read at the restart (%s), and is concluded when the proxy answers',
    async (code) => {
      reading = code
      await restarted(true)
      await expect.poll(dns).toBe('unknown')
      await expectKept()
      expect(await open()).toBe(1)
      reading = null
      await restarted(true)
      await expectKept()
      traefik.behave()
      await expect.poll(open, { timeout: 60_000 }).toBe(0)
      await expectKept()
      expect(await record(id)).toMatchObject({ domain: FRESH, auth_required: true })
    },
  )

  it('stays where DNS is suspended at the restart, and is concluded when the proxy answers', async () => {
    expect((await suspend()).status).toBe(200)
    await restarted(true)
    await expect.poll(dns).toBe('suspended')
    await expectKept()
    expect(await open()).toBe(1)
    traefik.behave()
    await expect.poll(open, { timeout: 60_000 }).toBe(0)
    await expectKept()
  })

  it.each([
    ['is taken away while nobody looks, and refused then', (line: string) => line.replace(/.*/, '')],
    ["is a stranger's by then", (line: string) => line.replace(/\t203.*/, '\t198.51.100.66')],
  ])('stays where the name %s', async (_case, edited) => {
    await at.house.close()
    const lines = zone().split('\n')
    const by_hand = lines.map((line) => (line.startsWith(FRESH) ? edited(line) : line)).join('\n')
    expect(by_hand).not.toBe(zone())
    writeFileSync(zonePath(), by_hand)
    writing = 'provider_refused'
    await opened(true)
    await expect.poll(dns).toMatch(/^(?:failed|refused)$/)
    await expectKept()
    expect(await record(id)).toMatchObject({ domain: FRESH, auth_required: true })
  })
})

describe('one whose call was cut off before DNS had answered', () => {
  const cutOff = async (has_api: boolean, edit: object = {}) => {
    await opened(has_api)
    const id = await createActive(at.call, { domain: OLD, auth_required: false })
    await at.call('PUT', `/api/domains/${id}`, { body: { domain: FRESH, ...edit } })
    writing = 'cut off'
    expect((await clientOf(at.house)('POST', `/api/domains/${id}/deploy`)).status).toBe(503)
    expect(is_cut).toBe(true)
    await at.house.close()
    expect(zone()).not.toContain(FRESH)
    writing = null
    return id
  }

  it.each([[true], [false]])(
    'goes back where the name is refused at the restart (API: %s)',
    async (has_api) => {
      const id = await cutOff(has_api)
      writing = 'provider_refused'
      await opened(has_api)
      await expect.poll(wentBack).toBe(true)
      await expect.poll(() => at.routes()).toContain(`site_${OLD}"`)
      expect(await open()).toBe(0)
      expect(await record(id)).toMatchObject({
        domain: FRESH,
        status: 'error',
        status_reason: expect.stringContaining(`${OLD} stays as it is`) as string,
      })
    },
  )

  it('does not go back where that would take the sign-in away', async () => {
    const id = await cutOff(false, { auth_required: true })
    writing = 'provider_refused'
    await opened(false)
    await expect.poll(() => at.routes()).toContain(`site_${FRESH}"`)
    await expect.poll(open).toBe(0)
    await expectKept()
    expect(await record(id)).toMatchObject({ status: 'error', auth_required: true })
  })

  it('stays open while DNS says nothing, over restarts, and goes back when the name is refused then', async () => {
    await cutOff(false)
    reading = 'component_unavailable'
    for (const life of [1, 2]) {
      if (life === 2) await at.house.close()
      await opened(false)
      await expect.poll(() => at.routes()).toContain(`site_${FRESH}"`)
      expect(await wentBack()).toBe(false)
      expect(await open()).toBe(1)
    }
    reading = null
    writing = 'provider_refused'
    await at.call('POST', '/api/reconcile')
    await expect.poll(wentBack).toBe(true)
    await expect.poll(() => at.routes()).toContain(`site_${OLD}"`)
    expect(await open()).toBe(0)
  })

  it('is done when DNS answers again and takes the name', async () => {
    const id = await cutOff(false, { auth_required: true })
    reading = 'component_unavailable'
    await opened(false)
    await expect.poll(() => at.routes()).toContain(`site_${FRESH}"`)
    expect(await open()).toBe(1)
    reading = null
    await at.call('POST', '/api/reconcile')
    await expect.poll(open).toBe(0)
    await expectKept()
    expect(zone()).toContain(FRESH)
    await expect.poll(() => record(id)).toMatchObject({ status: 'active' })
  })
})
