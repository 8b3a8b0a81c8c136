/** Comments, the provider's own proxy, and the stamp: what only some providers have, as their traits say. */
import { expect, it } from 'vitest'
import { eachProvider, type OpenProvider } from './opened.ts'
import { clamped, listing, never, step, steps } from './steps.ts'
import { itInDepth } from '../../kit/in-depth.ts'

export function extrasContract(open: OpenProvider): void {
  const opened = eachProvider(open)

  itInDepth(
    'a comment is kept beside the set, changed by itself and taken away, where there are comments',
    async () => {
      const set = { name: `noted.${opened().zone}`, type: 'A', values: ['192.0.2.1'] }
      await steps(
        opened(),
        [{ ...set, comment: 'cp1:3f9a:12' }],
        [{ ...set, comment: 'cp1:3f9a:13' }],
        [{ ...set, comment: 'cp1:3f9a:13', values: ['192.0.2.2', '192.0.2.3'] }],
        [{ ...set, comment: null }],
        [{ ...set, comment: 'a "quoted" one; with \\ and (brackets)' }],
        [{ ...set, values: null }],
        [{ ...set, comment: null }],
      )
    },
  )

  itInDepth('a comment is cut to its length, where there are comments', async () => {
    const most = opened().provider.traits.comment_most ?? 100
    const set = { name: `noted.${opened().zone}`, type: 'A', values: ['192.0.2.1'] }
    await steps(
      opened(),
      [{ ...set, comment: 'c'.repeat(most) }],
      [{ ...set, comment: `${'d'.repeat(most)}rest` }],
    )
  })

  it('the proxy is switched on and off, where there is one', async () => {
    const set = { name: `edge.${opened().zone}`, type: 'A', values: ['192.0.2.1'] }
    const ttl = clamped(opened().provider.traits, 300)
    await steps(
      opened(),
      [{ ...set, ttl, proxied: true }],
      [{ ...set, ttl, proxied: false }],
      [{ ...set, ttl, proxied: true, values: ['192.0.2.2', '192.0.2.3'] }],
      [{ ...set, values: null }],
    )
  })

  it("the stamp stays while nothing changes, and moves with every change, ours or a stranger's", async () => {
    const { provider, zone, world } = opened()
    const stamp = () => provider.stamp(zone, never())
    if (!provider.traits.has_stamp) return expect(await stamp()).toBeNull()
    const stamps = [await stamp()]
    const moves = async () => {
      const now = await stamp()
      expect(now).toEqual(expect.any(String))
      expect(stamps).not.toContain(now)
      stamps.push(now)
      await listing(opened())
      expect(await stamp()).toBe(now)
    }
    const set = { name: `stamped.${zone}`, type: 'A', values: ['192.0.2.1'] }
    await listing(opened())
    expect(await stamp()).toBe(stamps[0])
    await step(opened(), [set])
    await moves()
    await step(opened(), [{ ...set, values: ['192.0.2.2'] }])
    await moves()
    const ttl = clamped(provider.traits, 3600)
    await world.addForeign({ name: `foreign.${zone}`, type: 'A', ttl, values: ['198.51.100.1'] })
    await moves()
    await step(opened(), [{ ...set, values: null }])
    await moves()
  })

  it('the zone is among the zones, and may be written', async () => {
    const { provider, zone } = opened()
    const zones = await provider.zones(never())
    const [found, ...more] = zones.filter(({ name }) => name === zone)
    expect(found).toEqual({ name: zone, account: provider.account, writable: true, detail: null })
    expect(more).toEqual([])
  })
}
