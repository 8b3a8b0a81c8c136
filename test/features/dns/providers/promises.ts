/** What providers over HTTP promise beyond the contract of all providers. */
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { FakeServer } from '../../../fakes/dns/fake-server.ts'
import { changeTo, type Opened, signal } from './opened.ts'

export function keepsItsPromises<F extends FakeServer>(open: () => Promise<Opened<F>>): void {
  it('a second time the same sends nothing, whatever is kept beside the set', async () => {
    const { provider, zone, fake, ...opened } = await open()
    const wish = { name: `app.${zone}`, type: 'A', values: ['192.0.2.1'], comment: 'plumbline:1:abc:7' }
    await provider.change(zone, await changeTo({ provider, zone }, [wish]), signal())
    const before = opened.everything()
    const again = await changeTo({ provider, zone }, [wish])
    fake.forgetRequests()
    await provider.change(zone, again, signal())
    expect([fake.asked.filter(({ method }) => method !== 'GET'), opened.everything()]).toEqual([[], before])
  })

  it('values in another order or spelling are the same values', async () => {
    const { provider, zone, fake } = await open()
    const set = { name: `app.${zone}`, type: 'AAAA' }
    const wish = { ...set, values: ['2001:db8::2', '2001:db8::1'] }
    await provider.change(zone, await changeTo({ provider, zone }, [wish]), signal())
    const again = await changeTo({ provider, zone }, [{ ...set, values: ['2001:db8::1', '2001:db8::2'] }])
    fake.forgetRequests()
    await provider.change(zone, again, signal())
    expect(fake.asked.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  describe('a call that cannot be done', () => {
    it('for its credential says what would help, and never shows it', async () => {
      const { withCredential, zone } = await open()
      const refused = withCredential('wrong-canary')
      for (const call of [refused.zones(signal()), refused.list(zone, signal())]) {
        const error = await call.then(
          () => null,
          (thrown: unknown) => thrown,
        )
        expect(error).toMatchObject({
          code: 'provider_credentials',
          message: expect.stringMatching(/ token /) as unknown,
        })
        expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/canary/)
      }
    })

    it('for its signal ends with it', async () => {
      const { provider, zone } = await open()
      const end = AbortSignal.abort(new Error('over'))
      await expect(provider.list(zone, end)).rejects.toThrow('over')
      await expect(provider.zones(end)).rejects.toThrow('over')
    })

    it('for a zone that is not there is refused, and names it', async () => {
      const { provider } = await open()
      await expect(provider.list('nowhere.example', signal())).rejects.toMatchObject({
        code: 'provider_refused',
        message: expect.stringContaining('nowhere.example') as unknown,
      })
    })

    it.each(['app.example.net', 'example.net', 'notexample.org'])(
      'for the name %s, which is outside the zone, is refused, and nothing is written',
      async (name) => {
        const { provider, zone, fake, everything } = await open()
        await provider.list(zone, signal())
        const before = everything()
        fake.forgetRequests()
        const wanted = { ttl: 3600, values: ['192.0.2.1'], comment: null, proxied: null }
        const change = { name, type: 'A', wanted, seen: null }
        await expect(provider.change(zone, [change], signal())).rejects.toMatchObject({
          code: 'provider_refused',
        })
        expect([fake.count(), everything()]).toEqual([0, before])
      },
    )
  })
}
