/** Whatever goes wrong on the way, a listing is complete or it fails; and no code tells a passing fault from a lasting one wrongly. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../../src/kernel/failure.ts'
import { rrsetKey } from '../../../../src/model/network/dns.ts'
import type { Asked, FakeServer } from '../../../fakes/dns/fake-server.ts'
import {
  breakBefore,
  edited,
  empty,
  type Fault,
  halfOpen,
  html,
  numbersAsTexts,
  partialPage,
  samePageAgain,
  silent,
  status,
} from '../../../fakes/dns/faults.ts'
import { changeTo, type Opened, signal } from './opened.ts'
import { byTier } from '../../../kit/tier.ts'

export interface Misbehaving<F extends FakeServer> {
  open(): Promise<Opened<F>>
  /** Puts that many foreign sets there: more than a page. */
  fill(opened: Opened<F>): Promise<void>
  /** The member of a page that holds the entries; null when the page is the list. */
  readonly list: string | null
  readonly isPage: (asked: Asked) => boolean
  /** Puts another zone's records in place of the asked one's. */
  readonly otherZone: Fault
  /** Faults that only this API can have, by what they are. */
  readonly faults: Readonly<Record<string, Fault>>
}

const LATER = 'component_unavailable'

export function survivesMisbehaviour<F extends FakeServer>(api: Misbehaving<F>): void {
  const second = (page: number) => {
    let seen = 0
    return (asked: Asked) => api.isPage(asked) && ++seen === page
  }
  const faults: readonly (readonly [string, string, () => Fault])[] = [
    ['a page for people with status 200', LATER, () => html(200)],
    ['a page for people with status 502', LATER, () => html(502)],
    ['a page for people with status 404', LATER, () => html(404)],
    ['nothing with status 200', LATER, () => empty],
    ['status 500', LATER, () => status(500)],
    ['status 503', LATER, () => status(503, { headers: { 'retry-after': '5' } })],
    ['a redirect', LATER, () => status(302, { headers: { location: '/elsewhere' } })],
    ['status 429', 'provider_busy', () => status(429, { headers: { 'retry-after': '7' } })],
    ['status 401', 'provider_credentials', () => status(401)],
    ['numbers as texts', LATER, () => numbersAsTexts],
    ["another zone's records", LATER, () => api.otherZone],
    ['a page without its last entry', LATER, () => partialPage(api.list)],
    ['a broken connection', LATER, () => breakBefore],
    ...Object.entries(api.faults).map(([what, fault]) => [what, LATER, () => fault] as const),
  ]

  describe('a listing', () => {
    it.each(faults)('that meets %s is %s', async (_what, code, fault) => {
      const opened = await api.open()
      await api.fill(opened)
      const whole = await opened.provider.list(opened.zone, signal())
      for (const page of [1, 2]) {
        opened.fake.misbehave(fault(), { when: second(page) })
        await expect(opened.provider.list(opened.zone, signal())).rejects.toMatchObject({ code })
        expect(await opened.provider.list(opened.zone, signal())).toEqual(whole)
      }
    })

    it('that meets the same page twice fails', async () => {
      const opened = await api.open()
      await api.fill(opened)
      opened.fake.misbehave(samePageAgain(api.list), { when: second(2) })
      await expect(opened.provider.list(opened.zone, signal())).rejects.toMatchObject({ code: LATER })
    })

    it.each([
      ['silence', silent],
      ['half an answer', halfOpen],
    ])('that meets %s ends with its signal', async (_what, fault) => {
      const opened = await api.open()
      await opened.provider.list(opened.zone, signal())
      const end = new AbortController()
      opened.fake.misbehave((scene) => {
        fault(scene)
        setImmediate(() => end.abort(new Error('over')))
      })
      await expect(opened.provider.list(opened.zone, end.signal)).rejects.toThrow('over')
    })

    it('that is asked to wait says for how long', async () => {
      const opened = await api.open()
      opened.fake.misbehave(status(429, { headers: { 'retry-after': '7' } }))
      await expect(opened.provider.list(opened.zone, signal())).rejects.toMatchObject({
        code: 'provider_busy',
        details: { retry_after_ms: 7000 },
      })
    })
  })

  it('a listing with any one member altered is a failure in words, or lacks at most what was altered', async () => {
    const opened = await api.open()
    const { provider, zone, world, fake } = opened
    for (const label of ['a', 'b', 'c', 'd'])
      await world.addForeign({ name: `${label}.${zone}`, type: 'A', ttl: 3600, values: ['192.0.2.1'] })
    const whole = (await provider.list(zone, signal())).map(rrsetKey)
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom(...SUBSTITUTES), async (at, substitute) => {
        fake.misbehave(
          edited((json) => altered(json, at, substitute)),
          { when: api.isPage },
        )
        const listed = await provider.list(zone, signal()).catch((error: unknown) => error)
        if (listed instanceof Failure) expect(listed.code).toBe('component_unavailable')
        else expect(missing(whole, listed).length).toBeLessThanOrEqual(1)
      }),
      { numRuns: byTier(50, 500) },
    )
  })

  describe('the zones', () => {
    it.each(faults.filter(([what]) => !/redirect|another zone|last entry|empty list/.test(what)))(
      'that meet %s are %s',
      async (_what, code, fault) => {
        const opened = await api.open()
        opened.fake.misbehave(fault())
        await expect(opened.provider.zones(signal())).rejects.toMatchObject({ code })
        expect(await opened.provider.zones(signal())).toHaveLength(1)
      },
    )
  })

  describe('a change', () => {
    it.each(faults.filter(([what]) => /status|nothing|connection/.test(what)))(
      'that meets %s is %s, and leaves what is there to be looked at again',
      async (_what, code, fault) => {
        const opened = await api.open()
        const { provider, zone } = opened
        const wish = { name: `app.${zone}`, type: 'A', values: ['192.0.2.1'] }
        const changes = await changeTo(opened, [wish])
        opened.fake.misbehave(fault())
        const error = await provider.change(zone, changes, signal()).then(
          () => null,
          (thrown: unknown) => thrown,
        )
        expect(error).toMatchObject({ code })
        await provider.change(zone, await changeTo(opened, [wish]), signal())
        expect((await opened.world.look())(wish.name, 'A')).toMatchObject({ values: wish.values })
      },
    )
  })
}

const missing = (keys: readonly string[], listed: unknown): string[] => {
  const there = (listed as readonly { readonly name: string; readonly type: string }[]).map(rrsetKey)
  return keys.filter((key) => !there.includes(key))
}

/** In place of a member's value; `undefined` takes it away. */
const SUBSTITUTES = [undefined, null, '', 'x', '7', 0, -1, 7.5, 1e300, true, [], {}, [[]], { length: 1 }]

/** The answer with one of its members, however deep, replaced. */
function altered(json: unknown, at: number, substitute: unknown): unknown {
  const copy = structuredClone(json)
  const places: (readonly [object, string])[] = []
  const walk = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    for (const key of Object.keys(node)) {
      places.push([node, key])
      walk(node[key as keyof typeof node])
    }
  }
  walk(copy)
  const [node, key] = places[at % places.length]!
  Object.assign(node, { [key]: substitute })
  return copy
}
