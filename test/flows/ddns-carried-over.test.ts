/** From a fixed address to dynamic DNS: what a real name server publishes stays until the gateway has reported. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const ZONE = 'carried.test'
const PUBLIC = '203.0.113.10'
const FIXED = '198.51.100.7'
const software = DNS_SOFTWARE[0]!

describePeers(software.programs, 'from static_ip to dynamic DNS', () => {
  let world: DnsWorld
  let at: TestHouse
  beforeAll(async () => {
    world = await software.start([ZONE])
    at = await openTestHouse({ env: { ...world.env, PLUMBLINE_PUBLIC_IP: PUBLIC } })
  })
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await world.stop()
  })

  const change = async (id: number, body: Readonly<Record<string, unknown>>, deploys = true) => {
    expect((await at.call('PUT', `/api/domains/${id}`, { body })).status).toBe(200)
    if (!deploys) return {}
    const answer = await at.call('POST', `/api/domains/${id}/deploy`)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body
  }
  const view = async (host: string) => {
    const { body } = await at.call('GET', '/api/ddns/hosts')
    const { hosts } = body as unknown as { readonly hosts: readonly { readonly host: string }[] }
    return hosts.find((one) => one.host === host)
  }

  itInDepth(
    'the plan says what stays, the deploy moves nothing, and the first report is taken at once',
    async () => {
      const name = `app.${ZONE}`
      const id = await createActive(at.call, { domain: name, static_ip: FIXED, dns_ttl: 60 })
      await change(id, { static_ip: null, ddns_enabled: true }, false)
      const { body: rehearsed } = await at.call('POST', `/api/domains/${id}/deploy?dry_run=true`)
      const { actions, warnings } = rehearsed['plan'] as unknown as {
        readonly actions: readonly { readonly component: string }[]
        readonly warnings: readonly string[]
      }
      expect(actions.filter(({ component }) => component === 'dns')).toEqual([])
      expect(warnings.join()).toContain(`${FIXED} stays published`)
      expect(JSON.stringify((await at.call('GET', '/api/drift')).body)).not.toContain(PUBLIC)

      const deployed = await at.call('POST', `/api/domains/${id}/deploy`)
      expect(JSON.stringify(deployed.body['warnings'])).toContain(`${FIXED} stays published`)
      expect(await world.dig(name, 'A')).toEqual([FIXED])
      expect(await view(name)).toMatchObject({
        ipv4: FIXED,
        reported_at: null,
        in_force: true,
        counts: { source: 'carried_over', addresses: [FIXED] },
        history: [{ address: FIXED, actor: 'carried_over' }],
      })
      // Again there is nothing to release.
      const before = (await at.call('GET', '/api/releases')).body
      await at.call('POST', `/api/domains/${id}/deploy`)
      expect((await at.call('GET', '/api/releases')).body).toEqual(before)

      at = await at.reopen()
      expect(await view(name)).toMatchObject({ ipv4: FIXED, counts: { source: 'carried_over' } })
      expect((await at.call('GET', `/api/ddns/update/${name}?ip=84.1.1.1`)).body).toBe('good 84.1.1.1\n')
      await expect.poll(() => world.dig(name, 'A')).toEqual(['84.1.1.1'])
      expect(await view(name)).toMatchObject({ counts: { source: 'reported', addresses: ['84.1.1.1'] } })
    },
  )

  itInDepth('a first report of the same address makes it a report', async () => {
    const name = `same.${ZONE}`
    const id = await createActive(at.call, { domain: name, static_ip: '84.4.4.4' })
    await change(id, { static_ip: null, ddns_enabled: true })
    expect(await view(name)).toMatchObject({ counts: { source: 'carried_over' } })
    expect((await at.call('GET', `/api/ddns/update/${name}?ip=84.4.4.4`)).body).toBe('nochg 84.4.4.4\n')
    const reported = { counts: { source: 'reported' }, reported_at: expect.any(String) }
    expect(await view(name)).toMatchObject(reported)
    at = await at.reopen()
    expect(await view(name)).toMatchObject(reported)
  })

  itInDepth('a renamed host keeps what its gateway reported under the old name', async () => {
    const [old, name] = [`old.${ZONE}`, `renamed.${ZONE}`]
    const id = await createActive(at.call, { domain: old, ddns_enabled: true })
    await at.call('GET', `/api/ddns/update/${old}?ip=84.6.6.6`)
    await expect.poll(() => world.dig(old, 'A')).toEqual(['84.6.6.6'])
    const { warnings } = await change(id, { domain: name })
    expect(JSON.stringify(warnings)).toContain('84.6.6.6 stays published')
    expect(await world.dig(name, 'A')).toEqual(['84.6.6.6'])
    expect(await world.dig(old, 'A')).toEqual([])
    expect(await view(name)).toMatchObject({ counts: { source: 'carried_over' } })
  })

  it('a report that was kept while the fixed address counted is what counts then', async () => {
    const name = `known.${ZONE}`
    const id = await createActive(at.call, { domain: name, static_ip: FIXED, ddns_enabled: true })
    await at.call('GET', `/api/ddns/update/${name}?ip=84.2.2.2`)
    await change(id, { static_ip: null })
    expect(await world.dig(name, 'A')).toEqual(['84.2.2.2'])
  })

  itInDepth('what was carried over once does not outlive another fixed address', async () => {
    const name = `twice.${ZONE}`
    const id = await createActive(at.call, { domain: name, static_ip: FIXED, ddns_enabled: true })
    await change(id, { static_ip: null })
    await change(id, { static_ip: '198.51.100.8' })
    expect(await world.dig(name, 'A')).toEqual(['198.51.100.8'])
    await change(id, { static_ip: null })
    expect(await world.dig(name, 'A')).toEqual(['198.51.100.8'])
    expect((await at.call('GET', `/api/ddns/update/${name}?ip=84.3.3.3`)).body).toBe('good 84.3.3.3\n')
    await expect.poll(() => world.dig(name, 'A')).toEqual(['84.3.3.3'])
  })

  it('nothing is carried over where no gateway is to report', async () => {
    const name = `plain.${ZONE}`
    const id = await createActive(at.call, { domain: name, static_ip: FIXED })
    await change(id, { static_ip: null })
    expect(await world.dig(name, 'A')).toEqual([PUBLIC])
    expect(await view(name)).toBeUndefined()
  })
})
