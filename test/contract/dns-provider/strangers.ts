/** What is not ours stays as it is, whatever we do beside it. */
import { expect, it } from 'vitest'
import { type ListedRrset, rrsetKey } from '../../../src/model/network/dns.ts'
import { eachProvider, type OpenedProvider, type OpenProvider } from './opened.ts'
import { clamped, listing, never, step, type Wish } from './steps.ts'
import { itInDepth } from '../../kit/in-depth.ts'

export function strangersContract(open: OpenProvider): void {
  const opened = eachProvider(open)

  it('sets of strangers are listed, and survive everything byte for byte', async () => {
    const strangers = await addStrangers(opened())
    const { zone, world } = opened()
    const listed = await listing(opened())
    for (const { name, type, values } of strangers)
      expect(listed.get(rrsetKey({ name, type }))).toMatchObject({ name, type, values: [...values].sort() })
    const looks = async () => {
      const standing = await world.look()
      return strangers.map(({ name, type }) => standing(name, type))
    }
    const before = await looks()
    expect(before).not.toContain(null)
    for (const wishes of turmoil(zone)) {
      await step(opened(), wishes)
      expect(await looks()).toEqual(before)
    }
  })

  itInDepth('a set that a stranger made stays when we make one of another type beside it', async () => {
    const { zone, world, provider } = opened()
    const name = `shared.${zone}`
    const ttl = clamped(provider.traits, 7200)
    await world.addForeign({ name, type: 'TXT', ttl, values: ['keep me', 'and me'] })
    const before = (await world.look())(name, 'TXT')
    await step(opened(), [{ name, type: 'A', values: ['192.0.2.1'] }])
    await step(opened(), [{ name, type: 'A', values: null }])
    expect((await world.look())(name, 'TXT')).toEqual(before)
  })

  it('what stands at one name is told by a question about that name, and a wildcard makes nothing up', async () => {
    const { zone, world, provider } = opened()
    if (provider.at === undefined) return expect(provider.kind).toBe('zonefile')
    const ttl = clamped(provider.traits, 7200)
    const at = async (name: string) =>
      (await provider.at!(zone, { name, types: ['A', 'TXT'] }, never())).map(({ type, values }) => [
        type,
        ...values,
      ])
    await world.addForeign({ name: `*.${zone}`, type: 'A', ttl, values: ['198.51.100.9'] })
    await world.addForeign({ name: `held.${zone}`, type: 'A', ttl, values: ['198.51.100.1'] })
    await world.addForeign({ name: `alias.${zone}`, type: 'CNAME', ttl, values: ['elsewhere.example.net'] })
    expect(await at(`held.${zone}`)).toEqual([['A', '198.51.100.1']])
    expect(await at(`*.${zone}`)).toEqual([['A', '198.51.100.9']])
    expect(await at(`alias.${zone}`)).toEqual([['CNAME', 'elsewhere.example.net']])
    expect(await at(`free.${zone}`)).toEqual([])
    expect(await at(`free.below.held.${zone}`)).toEqual([])
    expect(await at(`_plumbline.held.${zone}`)).toEqual([])
    await world.addForeign({ name: zone, type: 'TXT', ttl, values: ['at the apex'] })
    expect((await at(zone)).filter(([type]) => type === 'TXT')).toEqual([['TXT', 'at the apex']])
  })

  itInDepth('the second way of listing shows what the first one shows', async () => {
    const { zone, provider } = opened()
    const second = provider.listAgain?.bind(provider)
    if (second === undefined) return expect(['zonefile', 'rfc2136']).toContain(provider.kind)
    await addStrangers(opened())
    await step(opened(), [
      { name: `app.${zone}`, type: 'A', values: ['192.0.2.1', '192.0.2.2'], comment: 'ours' },
      { name: `_plumbline.app.${zone}`, type: 'TXT', values: ['a "quoted" one; with \\ and (brackets)'] },
    ])
    const types = ['A', 'AAAA', 'TXT']
    const briefly = (sets: readonly ListedRrset[]) =>
      sets
        .filter(({ type }) => [...types, 'CNAME'].includes(type))
        .map(({ name, type, values }) => [name, type, ...values].join(' '))
        .sort()
    const listed = briefly(await provider.list(zone, never()))
    expect(listed.length).toBeGreaterThan(6)
    expect(briefly(await second(zone, types, never()))).toEqual(listed)
  })

  it("a set of a stranger that is named is replaced: that decision is the caller's", async () => {
    const { zone, world, provider } = opened()
    const set = { name: `adopted.${zone}`, type: 'A' }
    const ttl = clamped(provider.traits, 7200)
    await world.addForeign({ ...set, ttl, values: ['198.51.100.1', '198.51.100.2'] })
    await step(opened(), [{ ...set, values: ['192.0.2.1', '198.51.100.2'], comment: 'ours now' }])
    await step(opened(), [{ ...set, values: null }])
  })
}

async function addStrangers({ zone, world, provider }: OpenedProvider) {
  const ttl = clamped(provider.traits, 3600)
  const sets = [
    { name: zone, type: 'A', values: ['198.51.100.7'] },
    { name: zone, type: 'MX', values: ['10 mail.example.net', '20 backup.example.net'] },
    { name: zone, type: 'TXT', values: ['v=spf1 -all', 'site "verification"=1'] },
    { name: zone, type: 'CAA', values: ['0 issue "ca.example.net"'] },
    { name: `www.${zone}`, type: 'CNAME', values: ['sites.example.net'] },
    { name: `v6.${zone}`, type: 'AAAA', values: ['2001:db8::1', '2001:db8::2'] },
    { name: `*.wild.${zone}`, type: 'A', values: ['198.51.100.9'] },
  ].map((set) => ({ ...set, ttl }))
  for (const set of sets) await world.addForeign(set)
  return sets
}

function turmoil(zone: string): Wish[][] {
  const set = (label: string, type: string, values: readonly string[] | null): Wish => ({
    name: `${label}.${zone}`,
    type,
    values,
  })
  return [
    [set('app', 'A', ['192.0.2.1']), set('www2', 'A', ['192.0.2.1']), set('v6', 'A', ['192.0.2.1'])],
    [set('app', 'A', ['192.0.2.2', '192.0.2.3']), set('wild', 'A', ['192.0.2.4'])],
    [set('app', 'CNAME', ['x.example.net']), set('app', 'A', null), set('v6', 'A', null)],
    [set('app', 'CNAME', null), set('www2', 'A', null), set('a.wild', 'TXT', ['t'])],
    [set('a.wild', 'TXT', null), set('wild', 'A', null)],
  ]
}
