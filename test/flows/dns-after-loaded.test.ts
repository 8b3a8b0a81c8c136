/** Written is not loaded: a name that goes keeps its address until the proxy is seen to serve without it. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { breakBefore, silent } from '../fakes/dns/faults.ts'
import { byTier, TIER } from '../kit/tier.ts'
import { describePeers } from '../peers/peers.ts'
import { type Answered, clientOf } from './client.ts'
import { disablesRouter } from './disabled-router.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import { hurriedClock, openProxyHouse, type ProxyHouse } from './proxy-house.ts'
import { create, createActive } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const ZONE = 'loaded.test'
const PUBLIC = '203.0.113.10'
const software = DNS_SOFTWARE[0]!

interface Part {
  readonly key: string
  readonly message: string
}
const openIn = ({ body }: Answered) => body['unfinished'] as unknown as readonly Part[]
const keysIn = (answer: Answered) => openIn(answer).map(({ key }) => key)

describePeers(software.programs, 'a proxy that goes on with what it had', () => {
  let world: DnsWorld
  let at: ProxyHouse
  let next = 0
  beforeAll(async () => {
    world = await software.start([ZONE])
  })
  afterAll(() => world.stop())
  beforeEach(async () => {
    at = await openProxyHouse({
      clock: hurriedClock(),
      env: { ...world.env, PLUMBLINE_PUBLIC_IP: PUBLIC },
    })
  })
  afterEach(() => at[Symbol.asyncDispose]())

  const active = async (fields: object = {}) => {
    const name = `n${next++}`
    const old = `${name}.${ZONE}`
    const id = await createActive(at.call, { domain: old, ...fields })
    expect(await world.dig(old, 'A')).toEqual([PUBLIC])
    return { id, old, fresh: `${name}-new.${ZONE}` }
  }
  const saved = async (id: number, body: object) =>
    expect((await at.call('PUT', `/api/domains/${id}`, { body })).status).toBe(200)
  const addresses = async (old: string, fresh: string) => [
    await world.dig(old, 'A'),
    await world.dig(fresh, 'A'),
  ]
  const reconciled = async (body: object) => {
    const { id } = (await at.call('POST', '/api/reconcile', { body })).body as unknown as { id: string }
    const ended = async () => (await at.call('GET', `/api/operations/${id}`)).body['ended_at']
    await expect.poll(ended, { timeout: 30_000 }).not.toBeNull()
  }
  /** What comes by itself comes within ten seconds: in depth that is waited for. */
  const loads = async () => {
    at.traefik.refuse(() => false)
    at.traefik.restart(new Date())
    if (TIER === 'gate') await reconciled({})
  }

  it.each(byTier<readonly ('deploy' | 'deploy-all')[]>(['deploy'], ['deploy', 'deploy-all']))(
    'a rename leaves the old name where it was, and says what is open: %s',
    async (call) => {
      const { id, old, fresh } = await active()
      at.traefik.refuse(() => true)
      await saved(id, { domain: fresh })
      const path = call === 'deploy' ? `/api/domains/${id}/deploy` : '/api/deploy-all'
      const answer = await clientOf(at.house)('POST', path)
      expect(answer).toMatchObject({ status: 200, body: { success: false, loaded: false } })
      expect(keysIn(answer)).toEqual(expect.arrayContaining(['routes', `dns:${ZONE}`]))
      expect(openIn(answer).find(({ key }) => key === `dns:${ZONE}`)?.message).toContain(old)
      expect(await addresses(old, fresh)).toEqual([[PUBLIC], [PUBLIC]])
      // Nor does its own tick take it away, nor a look that somebody asks for.
      expect((await clientOf(at.house)('POST', '/api/deploy-all')).body).toMatchObject({ success: false })
      expect(await addresses(old, fresh)).toEqual([[PUBLIC], [PUBLIC]])
      const [{ cause } = { cause: null }] = await leaving()
      expect(cause).toBe('removing')
      await loads()
      await expect.poll(() => addresses(old, fresh), { timeout: 60_000 }).toEqual([[], [PUBLIC]])
    },
  )

  const newest = async () => {
    const { body } = await at.call('GET', '/api/releases?limit=1')
    return (body as unknown as readonly { readonly number: number }[])[0]!.number
  }
  const applied = async (domain: number) => {
    const { body } = await at.call('POST', '/api/plans', { body: { domain } })
    return clientOf(at.house)('POST', `/api/plans/${String(body['id'])}/apply`)
  }

  itInDepth('a kept plan of a rename leaves the old name, too', async () => {
    const { id, old, fresh } = await active()
    at.traefik.refuse(() => true)
    await saved(id, { domain: fresh })
    const answer = await applied(id)
    expect(answer).toMatchObject({ status: 200, body: { success: false, loaded: false } })
    expect(keysIn(answer)).toContain(`dns:${ZONE}`)
    expect(await addresses(old, fresh)).toEqual([[PUBLIC], [PUBLIC]])
    await loads()
    await expect.poll(() => addresses(old, fresh), { timeout: 60_000 }).toEqual([[], [PUBLIC]])
  })

  itInDepth('a restored release leaves the names that the proxy still serves', async () => {
    const { id, old, fresh } = await active()
    const before = await newest()
    await saved(id, { domain: fresh })
    expect((await at.call('POST', `/api/domains/${id}/deploy`)).body).toMatchObject({ success: true })
    const beside = await active()
    expect(await addresses(old, fresh)).toEqual([[], [PUBLIC]])
    at.traefik.refuse(() => true)
    const answer = await clientOf(at.house)('POST', `/api/releases/${before}/restore`)
    expect(answer).toMatchObject({ status: 200, body: { success: false, loaded: false } })
    expect(await addresses(old, fresh)).toEqual([[PUBLIC], [PUBLIC]])
    expect(await world.dig(beside.old, 'A')).toEqual([PUBLIC])
    expect(openIn(answer).find(({ key }) => key === `dns:${ZONE}`)?.message).toContain(fresh)
    await loads()
    await expect.poll(() => addresses(old, fresh), { timeout: 60_000 }).toEqual([[PUBLIC], []])
  })

  itInDepth('a rename that is undone before the proxy took it takes nothing from the old name', async () => {
    const { id, old, fresh } = await active()
    at.traefik.refuse((text) => text.includes(fresh))
    await saved(id, { domain: fresh })
    const answer = await clientOf(at.house)('POST', `/api/domains/${id}/deploy`)
    expect(await world.dig(old, 'A')).toEqual([PUBLIC])
    await saved(id, { domain: old })
    const undone = await clientOf(at.house)('POST', `/api/domains/${id}/deploy`)
    expect(undone, JSON.stringify([answer.body, undone.body])).toMatchObject({ status: 200 })
    await expect.poll(() => addresses(old, fresh), { timeout: 60_000 }).toEqual([[PUBLIC], []])
    expect(at.routes()).toContain(old)
    expect((await at.call('GET', `/api/domains/${id}`)).body).toMatchObject({ status: 'active' })
  })

  const leaving = async () => {
    const { body } = await at.call('GET', '/api/drift')
    const components = body['components'] as unknown as readonly {
      readonly key: string
      readonly differences: readonly { readonly item: string; readonly cause: string }[]
    }[]
    return components.find(({ key }) => key === `dns:${ZONE}`)!.differences
  }

  itInDepth.each(['disable', 'delete'] as const)(
    '%s is done, and the address is named as open',
    async (way) => {
      const { id, old } = await active()
      at.traefik.refuse(() => true)
      const answer =
        way === 'delete'
          ? await at.call('DELETE', `/api/domains/${id}`)
          : await at.call('POST', `/api/domains/${id}/disable`)
      expect(answer.status).toBe(200)
      expect(keysIn(answer)).toContain(`dns:${ZONE}`)
      expect(await world.dig(old, 'A')).toEqual([PUBLIC])
      await loads()
      await expect.poll(() => world.dig(old, 'A'), { timeout: 60_000 }).toEqual([])
    },
  )

  itInDepth('what of two is open is told to each by its own name', async () => {
    const [one, other] = [await active(), await active()]
    at.traefik.refuse(() => true)
    for (const { id, old } of [one, other]) {
      const answer = await at.call('POST', `/api/domains/${id}/disable`)
      expect(openIn(answer).map(({ message }) => message)).toContainEqual(
        expect.stringMatching(`^A ${old} stays until`),
      )
      expect(keysIn(answer)).toEqual([`dns:${ZONE}`, 'routes'])
    }
  })

  itInDepth('what the proxy does not serve any more goes, whatever else it has not loaded', async () => {
    const { id, old } = await active()
    await at.call('POST', `/api/domains/${id}/deactivate`)
    const another = await active()
    at.traefik.refuse(() => true)
    await at.call('POST', `/api/domains/${another.id}/deactivate`)
    const answer = await at.call('POST', `/api/domains/${id}/disable`)
    expect(answer.status).toBe(200)
    expect(await world.dig(old, 'A')).toEqual([])
  })

  it.each(byTier<readonly ('dead' | 'silent')[]>(['dead'], ['dead', 'silent']))(
    'a proxy that does not answer is waited for: %s',
    async (how) => {
      const { id, old } = await active()
      at.traefik.misbehave(how === 'dead' ? breakBefore : silent, { times: Infinity })
      const answer = await at.call('POST', `/api/domains/${id}/disable`)
      expect(answer.status).toBe(200)
      expect(keysIn(answer)).toContain(`dns:${ZONE}`)
      expect(await world.dig(old, 'A')).toEqual([PUBLIC])
      at.traefik.behave()
      // A proxy that is known to be down is asked again after a while: that is waited for in depth.
      if (TIER === 'gate') return
      await expect.poll(() => world.dig(old, 'A'), { timeout: 60_000 }).toEqual([])
    },
  )

  const ofProxy = async () => {
    const { body } = await at.call('GET', '/api/releases')
    const releases = body as unknown as readonly { readonly results: Readonly<Record<string, string>> }[]
    // That of the installation itself came before anybody called.
    return releases.slice(0, -1).map(({ results }) => results['proxy'] ?? null)
  }

  itInDepth(
    'a release says what became of it at the proxy, also where its call failed or another came at once',
    async () => {
      const call = clientOf(at.house)
      await world.admin!.failAt(`deny.${ZONE}`)
      const id = await create(call, { domain: `deny.${ZONE}` })
      expect((await call('POST', `/api/domains/${id}/activate`)).status).toBe(503)
      // As soon as the call has ended: the seconds in which a deploy has the first word are over for it.
      await expect.poll(ofProxy, { timeout: 60_000 }).toEqual(['loaded'])
      const deployed = async (port: number) => {
        await call('PUT', `/api/domains/${id}`, { body: { backend_port: port } })
        return (await call('POST', `/api/domains/${id}/deploy`)).status
      }
      expect([await deployed(9001), await deployed(9002)]).toEqual([503, 503])
      const words = expect.stringMatching(/^(?:loaded|superseded)$/) as string
      await expect.poll(ofProxy, { timeout: 60_000 }).toEqual(['loaded', words, 'loaded'])
    },
  )

  it.each(byTier<readonly ('deploy' | 'deploy-all')[]>(['deploy'], ['deploy', 'deploy-all']))(
    'a new name that it loads and does not serve goes back to the old one: %s',
    async (call) => {
      const { id, old, fresh } = await active()
      await saved(id, { domain: fresh })
      disablesRouter(at.traefik, fresh)
      const path = call === 'deploy' ? `/api/domains/${id}/deploy` : '/api/deploy-all'
      const answer = await clientOf(at.house)('POST', path)
      if (call === 'deploy') expect(answer).toMatchObject({ status: 502, body: { code: 'provider_refused' } })
      else
        expect(answer).toMatchObject({
          status: 200,
          body: { success: false, refused: [{ domain_id: id, code: 'provider_refused' }] },
        })
      expect((await at.call('GET', `/api/domains/${id}`)).body).toMatchObject({
        domain: fresh,
        status: 'error',
        status_reason: expect.stringContaining('no such thing') as string,
      })
      expect(at.routes()).toContain(old)
      expect(at.routes()).not.toContain(fresh)
      expect(await world.dig(old, 'A')).toEqual([PUBLIC])
      expect(await world.dig(fresh, 'A')).toEqual([])
      // It is served, and so it is probed.
      expect(JSON.stringify((await at.call('GET', '/api/metrics-targets')).body)).toContain(old)
    },
  )

  it('what a first release made before the proxy refused it goes with a deletion', async () => {
    await active()
    const name = `n${next++}.${ZONE}`
    at.traefik.refuse((text) => text.includes(name))
    const id = await create(at.call, { domain: name })
    const refused = await clientOf(at.house)('POST', `/api/domains/${id}/activate`)
    expect(refused.status, JSON.stringify(refused.body)).not.toBe(200)
    expect(at.routes()).not.toContain(name)
    expect(await world.dig(name, 'A')).toEqual([PUBLIC])
    expect((await at.call('DELETE', `/api/domains/${id}`)).status).toBe(200)
    expect(await world.dig(name, 'A')).toEqual([])
  })
})
