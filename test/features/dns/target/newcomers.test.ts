/** Before the first write of a name: what a listing hides is found by another way, and never overwritten. */
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../../src/kernel/failure.ts'
import { benchWith } from './bench.ts'
import { MemoryProvider } from './memory-provider.ts'
import type { ProfileName } from './profiles.ts'
import { desiredOf } from './rows.ts'

const STRANGER = '198.51.100.66'
const names = (count: number) => Array.from({ length: count }, (_, i) => `n${i}.example.com`)
const wanting = (count: number) => desiredOf(names(count).map((domain) => ({ domain })))

/** Its listing hides one stranger; other ways are open as a test says. */
function hiding(hidden: string, ways: readonly ('at' | 'again')[], profile: ProfileName = 'powerdns_like') {
  const provider = new MemoryProvider(profile)
  provider.stranger({ name: hidden, type: 'A', values: [STRANGER] })
  const all = provider.list.bind(provider)
  const asked = { at: 0, again: 0, max_at_once: 0 }
  let in_flight = 0
  let is_hiding = true
  provider.list = async (zone, signal) =>
    (await all(zone, signal)).filter(({ name }) => !(is_hiding && name === hidden))
  const extra = {
    ...(ways.includes('at') && {
      async at(zone: string, { name }: { readonly name: string }, signal: AbortSignal) {
        asked.at++
        asked.max_at_once = Math.max(asked.max_at_once, ++in_flight)
        const sets = await all(zone, signal)
        in_flight--
        return sets.filter((set) => set.name === name)
      },
    }),
    ...(ways.includes('again') && {
      async listAgain(zone: string, _types: readonly string[], signal: AbortSignal) {
        asked.again++
        return all(zone, signal)
      },
    }),
  }
  const at = benchWith(Object.assign(provider, extra))
  const addressOf = (name: string) => provider.now().get(`${name} A`)?.values
  return { at, asked, addressOf, provider, shown: () => void (is_hiding = false) }
}

describe('a stranger whom the listing hides', () => {
  it.each<readonly [what: string, count: number, ways: readonly ('at' | 'again')[], asked: object]>([
    ['a few names are asked for one by one', 3, ['at', 'again'], { at: 3, again: 0 }],
    ['twenty, too', 20, ['at', 'again'], { at: 20, again: 0 }],
    ['more are listed a second time by another way', 21, ['at', 'again'], { at: 0, again: 1 }],
    ['or asked for one by one where there is none', 60, ['at'], { at: 60, again: 0 }],
    ['one name is listed by another way where it cannot be asked for', 1, ['again'], { at: 0, again: 1 }],
  ])('stays, and keeps nobody else from being written: %s', async (_what, count, ways, asked) => {
    const held = `n${Math.floor(count / 2)}.example.com`
    const rig = hiding(held, ways)
    const report = await rig.at.pass(wanting(count))
    expect(rig.asked).toMatchObject(asked)
    expect(rig.asked.max_at_once).toBeLessThanOrEqual(8)
    expect(report.repairs.filter(({ ok }) => !ok)).toMatchObject([{ failure: { code: 'foreign_owner' } }])
    expect(rig.addressOf(held)).toEqual([STRANGER])
    expect(
      names(count)
        .filter((name) => name !== held)
        .map(rig.addressOf),
    ).toEqual(Array.from({ length: count - 1 }, () => ['192.0.2.1']))
    rig.shown()
    await rig.at.pass(wanting(count))
    expect(rig.addressOf(held)).toEqual([STRANGER])
  })

  it('is found by a second listing sooner where reads are counted', async () => {
    const rig = hiding('n3.example.com', ['at', 'again'], 'counted_reads')
    await rig.at.pass(wanting(6))
    expect(rig.asked).toMatchObject({ at: 0, again: 1 })
    expect(rig.addressOf('n3.example.com')).toEqual([STRANGER])
  })

  it.each<'at' | 'listAgain'>(['at', 'listAgain'])(
    'no answer (%s) is unknown, and nothing is written',
    async (way) => {
      const count = way === 'at' ? 3 : 30
      const rig = hiding('n1.example.com', ['at', 'again'])
      Object.assign(rig.provider, {
        [way]: () => Promise.reject(new Failure('component_unavailable', 'Nobody answers.')),
      })
      await expect(rig.at.pass(wanting(count))).rejects.toThrow('Nobody answers.')
      expect(rig.provider.calls.change).toBe(0)
      expect([...rig.at.ledger.rows.keys()]).toEqual([])
    },
  )

  it('what is ours already is not asked for again', async () => {
    const rig = hiding('elsewhere.example.com', ['at', 'again'])
    await rig.at.pass(wanting(3))
    const { at, again } = rig.asked
    await rig.at.pass(desiredOf(names(3).map((domain) => ({ domain, static_ip: '198.51.100.7' }))))
    expect(rig.asked).toMatchObject({ at, again })
  })

  describe('by every way of the provider', () => {
    const veiled = (values: readonly string[]) => {
      const served = {
        at: async (_zone: string, { name }: { readonly name: string }) =>
          name === 'n1.example.com' ? [{ name, type: 'A', ttl: 300, values, server: '192.0.2.53:53' }] : [],
      }
      const provider = new MemoryProvider('powerdns_like')
      return benchWith(Object.assign(provider, { at: async () => [] }), undefined, served)
    }

    it('is left alone where a server of the zone answers it', async () => {
      const at = veiled([STRANGER])
      const report = await at.pass(wanting(3))
      expect(report.repairs.filter(({ ok }) => !ok)).toMatchObject([
        {
          failure: {
            code: 'foreign_owner',
            message: expect.stringMatching(/^192\.0\.2\.53:53 answers/) as unknown,
          },
        },
      ])
      expect([...at.provider.now().keys()]).toEqual(['n0.example.com A', 'n2.example.com A'])
    })

    it('is no stranger when it is what we want there: we took it away a moment ago', async () => {
      const at = veiled(['192.0.2.1'])
      expect((await at.pass(wanting(3))).repairs.map(({ ok }) => ok)).toEqual([true, true, true])
    })
  })
})
