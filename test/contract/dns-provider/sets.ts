/** Sets come and go: creating, changing and taking away, type by type. */
import { expect, it } from 'vitest'
import { eachProvider, type OpenProvider } from './opened.ts'
import { changeOf, clamped, listing, never, step, steps } from './steps.ts'
import { itInDepth, itOneIn } from '../../kit/in-depth.ts'

export function setsContract(open: OpenProvider): void {
  const opened = eachProvider(open)

  itOneIn(3).each([
    ['A', ['192.0.2.10'], ['192.0.2.11'], ['192.0.2.11', '192.0.2.12', '198.51.100.1']],
    ['AAAA', ['2001:db8::1'], ['2001:db8::a:2'], ['2001:db8:0:1::', '2001:db8::a:2', '::1']],
    ['TXT', ['one'], ['two'], ['one', 'three', 'two']],
    ['CNAME', ['target.example.net'], ['a.b.example.org'], ['x-1.example.com']],
  ])(
    'an %s set is made, changed, made larger, made smaller and taken away',
    async (type, first, second, third) => {
      const name = `app.${opened().zone}`
      const script = [first, second, third, first, null].map((values) => [{ name, type, values }])
      await steps(opened(), ...script)
    },
  )

  itInDepth('values that stay are kept while others come and go', async () => {
    const name = `pool.${opened().zone}`
    const address = (n: number) => `192.0.2.${n}`
    const script = [
      [1, 2, 3],
      [2, 3, 4],
      [4, 5],
      [5, 1, 4, 2],
    ].map((hosts) => [{ name, type: 'A', values: hosts.map(address) }])
    await steps(opened(), ...script)
  })

  itInDepth('A and AAAA of one name do not touch one another', async () => {
    const name = `both.${opened().zone}`
    const a = { name, type: 'A', values: ['192.0.2.1'] }
    const aaaa = { name, type: 'AAAA', values: ['2001:db8::1'] }
    await steps(opened(), [a, aaaa], [{ ...a, values: null }], [{ ...a, values: ['192.0.2.9'] }])
    await steps(opened(), [{ ...aaaa, values: null }], [{ ...a, values: null }])
  })

  it('sets are made, changed and taken away in one call', async () => {
    const { zone } = opened()
    const set = (label: string, values: readonly string[] | null) => ({
      name: `${label}.${zone}`,
      type: 'A',
      values,
    })
    await step(opened(), [set('goes', ['192.0.2.1']), set('stays', ['192.0.2.2'])])
    await step(opened(), [set('comes', ['192.0.2.3']), set('goes', null), set('stays', ['192.0.2.4'])])
  })

  itInDepth('a TTL is changed by itself', async () => {
    const set = { name: `ttl.${opened().zone}`, type: 'A', values: ['192.0.2.1', '192.0.2.2'] }
    const { traits } = opened().provider
    const ttls = [60, 300, 7200, 86_400].map((ttl) => clamped(traits, ttl))
    await steps(opened(), ...[...new Set(ttls)].map((ttl) => [{ ...set, ttl }]))
  })

  it('a TTL outside of the limits is taken to the nearest one', async () => {
    const { zone, provider } = opened()
    const { least, most } = provider.traits.ttl
    const set = { name: `limits.${zone}`, type: 'A', values: ['192.0.2.1'] }
    const beyond = [least, most, ...(least > 0 ? [least - 1, 0] : []), most + 1]
    for (const ttl of beyond) await step(opened(), [{ ...set, ttl }])
  })

  itInDepth('a TTL may be left to the provider', async () => {
    const set = { name: `automatic.${opened().zone}`, type: 'A', values: ['192.0.2.1'] }
    const ttl = clamped(opened().provider.traits, 300)
    await steps(opened(), [{ ...set, ttl: null }], [{ ...set, ttl }], [{ ...set, ttl: null }])
  })

  it('taking away what is not there is done', async () => {
    const set = { name: `absent.${opened().zone}`, type: 'A', values: null }
    await steps(opened(), [set], [set, { ...set, type: 'TXT' }])
  })

  it('taking away what went by itself in the meantime is done', async () => {
    const { provider, zone } = opened()
    const set = { name: `gone.${zone}`, type: 'A', values: ['192.0.2.1'] }
    const seen = [...(await step(opened(), [set])).values()].find(({ name }) => name === set.name)!
    await step(opened(), [{ ...set, values: null }])
    const [outcome] = await provider.change(zone, [{ ...set, wanted: null, seen }], never())
    expect(outcome).toMatchObject({ ok: true })
    expect((await listing(opened())).has(`${set.name} A`)).toBe(false)
  })

  itInDepth('the same change again changes nothing that shows', async () => {
    const { zone, provider } = opened()
    const set = { name: `again.${zone}`, type: 'A', values: ['192.0.2.1', '192.0.2.2'] }
    await step(opened(), [set])
    const before = await step(opened(), [set])
    const seen = before.get(`${set.name} A`)!
    await provider.change(zone, [changeOf(set, seen, provider.traits)], never())
    expect(await listing(opened())).toEqual(before)
  })

  it('an address becomes an alias and an alias an address, in one call, whichever is named first', async () => {
    const name = `kind.${opened().zone}`
    const gone = (type: string) => ({ name, type, values: null })
    const address = { name, type: 'A', values: ['192.0.2.1'] }
    const alias = { name, type: 'CNAME', values: ['elsewhere.example.net'] }
    await steps(opened(), [address], [alias, gone('A')], [gone('CNAME'), address], [gone('A'), alias])
    await steps(opened(), [address, gone('CNAME')], [gone('A')])
  })
}
