/** The address that a record shows is the one that a real name server answers for it, from whatever source it is. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const ZONE = 'external.test'
const HUB = `hub.${ZONE}`
const PUBLIC = '203.0.113.10'
const software = DNS_SOFTWARE[0]!

describePeers(software.programs, 'external_ip', () => {
  let world: DnsWorld
  let at: TestHouse
  beforeAll(async () => {
    world = await software.start([ZONE])
    at = await openTestHouse({
      env: { ...world.env, PLUMBLINE_PUBLIC_IP: PUBLIC, PLUMBLINE_HUB_HOST: HUB },
    })
  })
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await world.stop()
  })

  /** By all three ways in which it is shown. */
  const shown = async (id: number): Promise<unknown> => {
    const { body } = await at.call('GET', `/api/domains/${id}`)
    const { domain, external_ip } = body as unknown as { domain: string; external_ip: string | null }
    const identity = await at.call('GET', `/api/domains/by-name/${domain}`)
    const list = (await at.call('GET', '/api/domains')).body as unknown as readonly {
      readonly id: number
      readonly external_ip: string | null
    }[]
    expect(identity.body['external_ip']).toBe(external_ip)
    expect(list.find((one) => one.id === id)?.external_ip).toBe(external_ip)
    return external_ip
  }
  const agrees = async (id: number, name: string, address: string | null) => {
    const type = address?.includes(':') === true ? 'AAAA' : 'A'
    await expect.poll(() => world.dig(name, type)).toEqual(address === null ? [] : [address])
    await expect.poll(() => shown(id)).toBe(address)
  }
  const report = async (host: string, ip: string) => {
    const answer = await at.call('GET', `/api/ddns/update/${host}?ip=${ip}`)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  const change = async (id: number, body: Readonly<Record<string, unknown>>) => {
    const answer = await at.call('PUT', `/api/domains/${id}`, { body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  const post = async (id: number, verb: string) => {
    const answer = await at.call('POST', `/api/domains/${id}/${verb}`)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }

  itInDepth('is what the name server answers, through every source and state', async () => {
    const name = `app.${ZONE}`
    const id = await create(at.call, { domain: name, ddns_enabled: true })
    await agrees(id, name, null)
    await post(id, 'activate')
    await agrees(id, name, PUBLIC)
    await report(HUB, '84.1.2.3')
    await agrees(id, name, '84.1.2.3')
    await report(name, '84.9.9.9')
    await agrees(id, name, '84.9.9.9')
    await change(id, { static_ip: '198.51.100.7' })
    // Saved is not deployed.
    await agrees(id, name, '84.9.9.9')
    await post(id, 'deploy')
    await agrees(id, name, '198.51.100.7')
    await post(id, 'deactivate')
    await agrees(id, name, '198.51.100.7')
    await post(id, 'disable')
    await agrees(id, name, null)
  })

  it('is taken back by a PUT of what was read, also where it has moved since', async () => {
    const name = `edited.${ZONE}`
    const id = await createActive(at.call, { domain: name, ddns_enabled: true })
    await report(name, '84.5.5.5')
    await agrees(id, name, '84.5.5.5')
    const { body: read } = await at.call('GET', `/api/domains/${id}`)
    await change(id, { ...read, static_ip: '198.51.100.8' })
    await post(id, 'deploy')
    await agrees(id, name, '198.51.100.8')
    await change(id, { note: 'read a moment ago', external_ip: read['external_ip'] })
    const lied = await at.call('PUT', `/api/domains/${id}`, { body: { note: 'no', external_ip: '84.6.6.6' } })
    expect(lied.status).toBe(422)
  })

  it('is an IPv6 address where there is no other', async () => {
    const name = `six.${ZONE}`
    const id = await createActive(at.call, { domain: name, static_ip: '2a01:4f8::7' })
    await agrees(id, name, '2a01:4f8::7')
  })

  it('is null for what is not published, whatever is set', async () => {
    const id = await createActive(at.call, {
      domain: `inside.${ZONE}`,
      service_type: 'internal',
      static_ip: '198.51.100.9',
    })
    await agrees(id, `inside.${ZONE}`, null)
  })

  it('is null for a name that somebody else holds', async () => {
    const name = `taken.${ZONE}`
    await world.put(ZONE, { name, type: 'A', ttl: 300, values: ['192.0.2.44'] })
    const id = await create(at.call, { domain: name })
    await at.call('POST', `/api/domains/${id}/activate`)
    expect(await shown(id)).toBeNull()
  })

  it('is where the name leads by the same order, where its zone is in no account', async () => {
    await report(HUB, '84.1.2.3')
    const id = await create(at.call, { domain: 'app.elsewhere.test' })
    expect(await shown(id)).toBeNull()
    await post(id, 'activate')
    expect(await shown(id)).toBe('84.1.2.3')
  })
})
