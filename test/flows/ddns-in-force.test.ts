/** A report is only called good where it can come to something, and says when something else counts instead. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ExplainedDomain } from '../../src/features/explain/explained.ts'
import type { Answered } from './client.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { describeInDepth, itInDepth } from '../kit/in-depth.ts'

const HUB = 'hub.example.net'
const PUBLIC = '203.0.113.10'
const HOME = 'home.example.com'

let at: TestHouse

beforeEach(async () => {
  at = await openTestHouse({ env: { PLUMBLINE_HUB_HOST: HUB, PLUMBLINE_PUBLIC_IP: PUBLIC } })
})
afterEach(() => at[Symbol.asyncDispose]())

const json = (host: string, ip: string): Promise<Answered> =>
  at.call('GET', `/api/ddns/update/${host}?ip=${ip}`, { headers: { accept: 'application/json' } })
const text = (host: string, ip: string): Promise<Answered> =>
  at.call('GET', `/api/ddns/update/${host}?ip=${ip}`)
const nic = (host: string, ip: string): Promise<Answered> =>
  at.call('GET', `/nic/update?hostname=${host}&myip=${ip}`)

const view = async (host: string) => {
  const { body } = await at.call('GET', '/api/ddns/hosts')
  const { hosts } = body as unknown as { readonly hosts: readonly { readonly host: string }[] }
  return hosts.find((one) => one.host === host)
}
const change = async (
  id: number,
  body: Readonly<Record<string, unknown>>,
  verb: string | null = 'deploy',
) => {
  expect((await at.call('PUT', `/api/domains/${id}`, { body })).status).toBe(200)
  if (verb !== null) expect((await at.call('POST', `/api/domains/${id}/${verb}`)).status).toBe(200)
}

describe('with ddns_enabled false', () => {
  it('a report is refused in every form, kept nowhere, and the refusal names the field', async () => {
    await createActive(at.call, { domain: HOME })
    for (const answer of [await json(HOME, '84.1.1.1'), await text(HOME, '84.1.1.1')]) {
      expect(answer.status).toBe(409)
      expect(answer.body).toMatchObject({ code: 'ddns_disabled' })
      expect(answer.body['detail']).toContain('ddns_enabled')
    }
    // A report that no name would take is told so first.
    for (const ip of ['999', '10.0.0.1'])
      expect(await text(HOME, ip)).toMatchObject({
        status: 422,
        body: { errors: [{ loc: ['query', 'ip'] }] },
      })
    // Clients of this form read the word at 200 alone; the word is none of success.
    expect(await nic(HOME, '84.1.1.1')).toMatchObject({ status: 200, body: 'nohost\n' })
    expect(await view(HOME)).toBeUndefined()
  })

  it('the hub is taken all the same: its address stands for others', async () => {
    await createActive(at.call, { domain: HUB })
    expect((await json(HUB, '84.1.1.1')).body).toMatchObject({ in_force: true, because: null })
    expect((await nic(HUB, '84.1.1.1')).body).toBe('nochg 84.1.1.1\n')
  })

  itInDepth('it counts until the change is deployed', async () => {
    const id = await createActive(at.call, { domain: HOME, ddns_enabled: true })
    await change(id, { ddns_enabled: false }, null)
    expect((await json(HOME, '84.1.1.1')).body).toMatchObject({ in_force: true })
    await at.call('POST', `/api/domains/${id}/deploy`)
    expect((await json(HOME, '84.1.1.1')).status).toBe(409)
  })
})

describe('a report that is kept and does not count', () => {
  it.each([
    ['static_ip', { static_ip: '198.51.100.7' }],
    ['internal', { service_type: 'internal' }],
  ])('says so: %s', async (because, fields) => {
    await createActive(at.call, { domain: HOME, ddns_enabled: true, ...fields })
    expect((await nic(HOME, '84.1.1.1')).body).toBe('good 84.1.1.1\n')
    const { status, body } = await json(HOME, '84.1.1.1')
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, in_force: false, because })
    expect(await view(HOME)).toMatchObject({ ipv4: '84.1.1.1', in_force: false, because })
  })

  it('says so before the domain is active, and before the wish is deployed', async () => {
    const id = await create(at.call, { domain: HOME, ddns_enabled: true })
    expect((await json(HOME, '84.1.1.1')).body).toMatchObject({ in_force: false, because: 'inactive' })
    await at.call('POST', `/api/domains/${id}/activate`)
    expect((await json(HOME, '84.1.1.1')).body).toMatchObject({ in_force: true, because: null })
    const late = await createActive(at.call, { domain: 'late.example.com' })
    await change(late, { ddns_enabled: true }, null)
    expect((await json('late.example.com', '84.2.2.2')).body).toMatchObject({
      in_force: false,
      because: 'not_deployed',
    })
  })
})

it('a name that is deployed takes reports while its rename is only saved', async () => {
  const id = await createActive(at.call, { domain: HOME, ddns_enabled: true })
  await change(id, { domain: 'new.example.com' }, null)
  expect((await json(HOME, '84.1.1.1')).body).toMatchObject({ in_force: true })
  expect((await json('new.example.com', '84.1.1.1')).body).toMatchObject({ because: 'not_deployed' })
})

it('what comes within a minute is not in force before its time', async () => {
  await createActive(at.call, { domain: HOME, ddns_enabled: true })
  expect((await json(HOME, '84.1.1.1')).body).toMatchObject({ in_force: true, because: null, due_at: null })
  const soon = await json(HOME, '84.1.1.2')
  expect(soon.body).toMatchObject({
    success: true,
    in_force: false,
    because: 'not_due',
    due_at: expect.any(String) as string,
  })
  expect(await text(HOME, '84.1.1.2')).toMatchObject({ status: 200, body: 'good 84.1.1.2\n' })
  expect(await view(HOME)).toMatchObject({ ipv4: '84.1.1.1' })
})

itInDepth('the list of hosts says which address counts, and from where it is', async () => {
  const id = await createActive(at.call, { domain: HOME, ddns_enabled: true })
  expect(await view(HOME)).toMatchObject({
    in_force: true,
    counts: { source: 'public_ip', addresses: [PUBLIC] },
  })
  await json(HUB, '84.3.3.3')
  expect(await view(HOME)).toMatchObject({ counts: { source: 'hub', addresses: ['84.3.3.3'] } })
  expect(await view(HUB)).toMatchObject({ in_force: true, counts: { source: 'reported' } })
  await json(HOME, '84.1.1.1')
  await json(HOME, '2a01:4f8::1')
  expect(await view(HOME)).toMatchObject({
    counts: { source: 'reported', addresses: ['84.1.1.1', '2a01:4f8::1'] },
  })
  await change(id, { static_ip: '198.51.100.7' })
  expect(await view(HOME)).toMatchObject({
    counts: { source: 'static_ip', addresses: ['198.51.100.7'] },
    in_force: false,
    because: 'static_ip',
  })
})

describeInDepth('explained', () => {
  const ADDRESS = '84.1.1.1'
  const dnsOf = async (house: TestHouse, id: number) => {
    const { body } = await house.call('GET', `/api/domains/${id}/explain`)
    const { components } = body as unknown as ExplainedDomain
    return components.find(({ component }) => component === 'dns')!
  }

  it('what is observed is what the zone holds, before a report and after it', async () => {
    await using house = await openTestHouse({
      env: { PLUMBLINE_PUBLIC_IP: PUBLIC, PLUMBLINE_DNS_PROVIDER: 'zonefile' },
    })
    const id = await createActive(house.call, { domain: HOME, ddns_enabled: true })
    const asked = `${HOME} 300 as reported for ${HOME}, else A ${PUBLIC}\n`
    // What is not seen in time is unknown, and asked for again.
    const explained = () => expect.poll(() => dnsOf(house, id))
    await explained().toMatchObject({
      agrees: true,
      released: asked,
      observed: `${HOME} 300 A ${PUBLIC}\n`,
    })
    expect((await house.call('GET', `/nic/update?hostname=${HOME}&myip=${ADDRESS}`)).body).toContain('good')
    await explained().toMatchObject({
      agrees: true,
      cause: null,
      desired: asked,
      released: asked,
      observed: `${HOME} 300 A ${ADDRESS}\n`,
    })
  })
})
