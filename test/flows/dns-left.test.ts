/** Leaving the published state is a wish: what we put into a real zone goes with that deploy, and only that. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../kit/ports.ts'
import { describePeers } from '../peers/peers.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { describeInDepth, itInDepth } from '../kit/in-depth.ts'

const ZONE = 'left.test'
const PUBLIC = '203.0.113.10'
const software = DNS_SOFTWARE[0]!

describePeers(software.programs, 'a domain that is not to be published any more', () => {
  let world: DnsWorld
  let at: TestHouse
  const open = (env: Readonly<Record<string, string>> = {}, directory?: string) =>
    openTestHouse({
      env: { ...world.env, PLUMBLINE_PUBLIC_IP: PUBLIC, ...env },
      ...(directory !== undefined && { directory }),
    })
  beforeAll(async () => {
    world = await software.start([ZONE])
    at = await open()
  })
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await world.stop()
  })

  const save = async (id: number, body: Readonly<Record<string, unknown>>, { call } = at) => {
    const answer = await call('PUT', `/api/domains/${id}`, { body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  const deploy = async (id: number, query = '', { call } = at) => {
    const answer = await call('POST', `/api/domains/${id}/deploy${query}`)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body
  }
  const drifting = async ({ call } = at) => {
    const { body } = await call('GET', '/api/drift')
    const components = body['components'] as unknown as readonly { readonly drift: unknown }[]
    return components.filter(({ drift }) => drift !== false)
  }
  const leftovers = async ({ call } = at) => (await call('GET', '/api/dns/integrity')).body['leftovers']

  describeInDepth.each(['internal', 'manual'])('because it is %s', (service_type) => {
    const name = `${service_type}.${ZONE}`
    it('is shown while the edit waits, shown in the plan, done by the deploy, and undone by the way back', async () => {
      const id = await createActive(at.call, { domain: name })
      await save(id, { service_type })
      expect(JSON.stringify(await drifting())).toContain('pending_deploy')
      expect(await leftovers()).toEqual([])
      const { plan } = (await deploy(id, '?dry_run=true')) as unknown as {
        readonly plan: { readonly actions: readonly object[] }
      }
      expect(plan.actions).toContainEqual(
        expect.objectContaining({ component: 'dns', verb: 'delete', item: `A ${name}` }),
      )
      expect(await world.dig(name, 'A')).toEqual([PUBLIC])
      await deploy(id)
      expect(await world.dig(name, 'A')).toEqual([])
      expect(await drifting()).toEqual([])
      expect(await leftovers()).toEqual([])
      await save(id, { service_type: 'http' })
      await deploy(id)
      expect(await world.dig(name, 'A')).toEqual([PUBLIC])
      // By a deploy of everything alike.
      await save(id, { service_type })
      expect((await at.call('POST', '/api/deploy-all')).status).toBe(200)
      expect(await world.dig(name, 'A')).toEqual([])
    })
  })

  it('and what somebody else has put there by then is left alone', async () => {
    const name = `theirs.${ZONE}`
    const id = await createActive(at.call, { domain: name })
    await at.call('POST', '/api/dns/records/release', { body: { name, type: 'A' } })
    await save(id, { service_type: 'internal' })
    await deploy(id)
    expect(await world.dig(name, 'A')).toEqual([PUBLIC])
    expect(await leftovers()).toEqual([])
  })

  it('but another kind of route changes nothing of it', async () => {
    const name = `tcp.${ZONE}`
    const id = await createActive(at.call, { domain: name })
    await save(id, { service_type: 'tcp-proxy', protocol: 'tcp', tcp_entrypoint: 'websecure' })
    await deploy(id)
    expect(await world.dig(name, 'A')).toEqual([PUBLIC])
  })

  itInDepth(
    'but an address that is gone takes nothing away: what stands there is kept, and both plan and answer warn',
    async () => {
      await using house = await open({ PLUMBLINE_PUBLIC_IP: '' })
      const name = `kept.${ZONE}`
      const id = await createActive(house.call, { domain: name, static_ip: '198.51.100.7' })
      await save(id, { static_ip: null }, house)
      const warning = expect.stringMatching(/kept\.left\.test.*no address is known.*198\.51\.100\.7 stays/)
      const { plan } = (await deploy(id, '?dry_run=true', house)) as unknown as {
        readonly plan: { readonly warnings: readonly string[] }
      }
      expect(plan.warnings).toContainEqual(warning)
      expect((await deploy(id, '', house))['warnings']).toContainEqual(warning)
      expect(await world.dig(name, 'A')).toEqual(['198.51.100.7'])
      expect(await leftovers(house)).toEqual([])
    },
  )

  itInDepth('is told as left over while the provider cannot be reached, and goes when it can', async () => {
    const name = `late.${ZONE}`
    const first = await open()
    const id = await createActive(first.call, { domain: name })
    await first.house.close()
    const dead = { PLUMBLINE_POWERDNS_URL: `http://127.0.0.1:${await freePort()}` }
    const blind = await open(dead, first.directory)
    await save(id, { service_type: 'internal' }, blind)
    await blind.call('POST', `/api/domains/${id}/deploy`)
    expect(await world.dig(name, 'A')).toEqual([PUBLIC])
    expect((await blind.call('GET', '/api/dns/integrity')).body).toMatchObject({
      ok: false,
      leftovers: [{ name, type: 'A', values: [PUBLIC], domain_id: id, because: 'unpublished' }],
    })
    await blind.house.close()
    await using back = await open({}, first.directory)
    await back.call('POST', '/api/reconcile')
    await expect.poll(() => world.dig(name, 'A')).toEqual([])
    await expect.poll(() => leftovers(back)).toEqual([])
  })
})
