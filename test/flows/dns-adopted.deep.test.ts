/** A domain that is deployed without DNS records and is to have them, at a name where somebody else's record stands: it is adopted first. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'

const ZONE = 'adopted.test'
const PUBLIC = '203.0.113.10'
const STRANGER = '192.0.2.44'
const software = DNS_SOFTWARE[0]!

describePeers(software.programs, 'a record that is adopted for a domain without one', () => {
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

  const ok = async (method: 'POST' | 'PUT', path: string, body?: unknown) => {
    const answer = await at.call(method, path, body === undefined ? {} : { body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body
  }

  it.each(['internal', 'manual'])('stays adopted until it is deployed: live as %s', async (service_type) => {
    const name = `live-${service_type}.${ZONE}`
    const id = await createActive(at.call, { domain: name, service_type })
    await world.put(ZONE, { name, type: 'A', ttl: 300, values: [STRANGER] })
    await ok('PUT', `/api/domains/${id}`, { service_type: 'http' })
    const adopted = await ok('POST', '/api/dns/records/adopt', { name, type: 'A' })
    expect(adopted['message']).toContain(`until ${name} is deployed`)
    // A pass of its own takes nothing of that back.
    expect((await at.call('POST', '/api/reconcile')).status).toBe(202)
    expect(await world.dig(name, 'A')).toEqual([STRANGER])
    await ok('POST', `/api/domains/${id}/deploy`)
    expect(await world.dig(name, 'A')).toEqual([PUBLIC])
  })

  it.each(['internal', 'manual'])(
    'stays adopted until it is activated: off line as %s',
    async (service_type) => {
      const name = `off-${service_type}.${ZONE}`
      const id = await createActive(at.call, { domain: name, service_type })
      await ok('POST', `/api/domains/${id}/deactivate`)
      await world.put(ZONE, { name, type: 'A', ttl: 300, values: [STRANGER] })
      await ok('PUT', `/api/domains/${id}`, { service_type: 'http' })
      await ok('POST', '/api/dns/records/adopt', { name, type: 'A' })
      await ok('POST', `/api/domains/${id}/activate`)
      expect(await world.dig(name, 'A')).toEqual([PUBLIC])
    },
  )
})
