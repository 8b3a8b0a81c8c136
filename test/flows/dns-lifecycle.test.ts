/** The whole life of domains at real name servers, with `dig` as the judge. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeOneIn, itInDepth } from '../kit/in-depth.ts'
import type { OwnedRrset } from '../../src/model/network/dns.ts'
import { freePort } from '../kit/ports.ts'
import { describePeers } from '../peers/peers.ts'
import type { Client } from './client.ts'
import { DNS_SOFTWARE, type DnsSoftware, type DnsWorld } from './dns-world.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'

const PUBLIC = '203.0.113.10'
const PUBLIC_6 = '2001:db8::10'

/** Every test has a zone of its own at a server that they share. */
interface Rig {
  readonly world: DnsWorld
  readonly zone: string
  open(env?: Readonly<Record<string, string>>): Promise<TestHouse>
}

describeOneIn(DNS_SOFTWARE.length).each(DNS_SOFTWARE)('$title', (software) => {
  describePeers(software.programs, 'DNS records of a domain', () => lifecycle(software))
})

function lifecycle(software: DnsSoftware): void {
  let world: DnsWorld
  let tests = 0
  let rig: Rig
  beforeAll(async () => {
    world = await software.start(Array.from({ length: 20 }, (_, i) => `zone${i + 1}.test`))
  })
  afterAll(() => world.stop())
  beforeEach(() => {
    const zone = `zone${++tests}.test`
    rig = {
      world,
      zone,
      open: (env = {}) =>
        openTestHouse({
          env: {
            ...rigEnv({ world, zone }),
            ...env,
          },
        }),
    }
  })

  itInDepth(
    'activate creates, an edit and a rename move, deactivate keeps, disable and delete take away',
    async () => {
      const { zone } = rig
      await using at = await rig.open({ PLUMBLINE_PUBLIC_IPV6: PUBLIC_6 })
      const { call } = at
      const name = `app.${zone}`
      const id = await create(call, { domain: name })
      expect(await world.dig(name, 'A')).toEqual([])

      await good(call, 'POST', `/api/domains/${id}/activate`)
      expect(await world.dig(name, 'A')).toEqual([PUBLIC])
      expect(await world.dig(name, 'AAAA')).toEqual([PUBLIC_6])

      await good(call, 'PUT', `/api/domains/${id}`, { static_ip: '198.51.100.7', dns_ttl: 120 })
      expect(await world.dig(name, 'A')).toEqual([PUBLIC])
      await good(call, 'POST', `/api/domains/${id}/deploy`)
      expect(await world.dig(name, 'A')).toEqual(['198.51.100.7'])
      expect(await world.dig(name, 'AAAA')).toEqual([])
      const [record] = (await world.records(zone)).filter(({ type }) => type === 'A')
      expect(record).toMatchObject({ name, ttl: 120 })

      await good(call, 'PUT', `/api/domains/${id}`, { domain: `new.${zone}` })
      await good(call, 'POST', `/api/domains/${id}/deploy`)
      expect(await world.dig(`new.${zone}`, 'A')).toEqual(['198.51.100.7'])
      expect(await world.dig(name, 'A')).toEqual([])

      await good(call, 'POST', `/api/domains/${id}/deactivate`)
      expect(await world.dig(`new.${zone}`, 'A')).toEqual(['198.51.100.7'])
      await good(call, 'POST', `/api/domains/${id}/activate`)
      await good(call, 'POST', `/api/domains/${id}/deactivate`)
      await good(call, 'POST', `/api/domains/${id}/disable`)
      expect(await world.dig(`new.${zone}`, 'A')).toEqual([])

      const other = await createActive(call, { domain: `other.${zone}` })
      expect(await world.dig(`other.${zone}`, 'A')).toEqual([PUBLIC])
      await good(call, 'DELETE', `/api/domains/${other}`)
      expect(await world.records(zone)).toEqual([])
      expect(await ledger(at)).toEqual([])
    },
  )

  itInDepth('a deleted name that is created anew gets its record back', async () => {
    const { zone } = rig
    await using at = await rig.open()
    const domain = `again.${zone}`
    const first = await createActive(at.call, { domain })
    await good(at.call, 'DELETE', `/api/domains/${first}`)
    expect(await world.dig(domain, 'A')).toEqual([])
    await createActive(at.call, { domain })
    expect(await world.dig(domain, 'A')).toEqual([PUBLIC])
  })

  itInDepth('a dry run shows the records that a call would make, and makes none', async () => {
    const { zone } = rig
    await using at = await rig.open()
    const id = await create(at.call, { domain: `plan.${zone}` })
    const answer = await at.call('POST', `/api/domains/${id}/activate?dry_run=true`)
    const { actions } = answer.body['plan'] as unknown as { readonly actions: readonly object[] }
    expect(actions[0]).toMatchObject({
      component: 'dns',
      verb: 'create',
      item: `A plan.${zone}`,
      before: null,
    })
    expect(actions[1]).toMatchObject({ component: 'routes', needs: ['dns'] })
    expect(await world.records(zone)).toEqual([])
  })

  itInDepth(
    'internal and manual records are not published; apex, wildcards and names in other scripts are',
    async () => {
      const { zone } = rig
      await using at = await rig.open()
      await createActive(at.call, { domain: `inside.${zone}`, service_type: 'internal' })
      await createActive(at.call, {
        domain: `byhand.${zone}`,
        service_type: 'manual',
        backend_host: null,
        backend_port: null,
      })
      expect(await world.records(zone)).toEqual([])
      await createActive(at.call, { domain: zone })
      await createActive(at.call, { domain: `*.wild.${zone}` })
      await createActive(at.call, { domain: `bücher.${zone}` })
      for (const name of [zone, `anything.wild.${zone}`, `xn--bcher-kva.${zone}`])
        expect(await world.dig(name, 'A')).toEqual([PUBLIC])
    },
  )

  itInDepth('the top of a zone and a wildcard go only with the hash of their plan typed back', async () => {
    const { zone } = rig
    await using at = await rig.open()
    for (const domain of [zone, `*.${zone}`]) {
      const id = await createActive(at.call, { domain })
      const refused = await at.call('DELETE', `/api/domains/${id}`)
      expect(refused.status).toBe(409)
      expect(refused.body).toMatchObject({ guards: [{ rule: 'protected_name' }] })
      expect(await world.dig(`x.${domain}`.replace('x.*', 'x'), 'A')).toEqual(domain === zone ? [] : [PUBLIC])
      await good(at.call, 'DELETE', `/api/domains/${id}?confirm=${String(refused.body['plan_hash'])}`)
    }
    expect(await world.records(zone)).toEqual([])
  })

  itInDepth(
    'a name without an address is deployed with a warning, and gets its record when a gateway reports one',
    async () => {
      const { zone } = rig
      await using at = await rig.open({ PLUMBLINE_PUBLIC_IP: '' })
      const name = `moving.${zone}`
      const id = await create(at.call, { domain: name, ddns_enabled: true })
      const answer = await good(at.call, 'POST', `/api/domains/${id}/activate`)
      expect(answer['warnings']).toEqual([expect.stringContaining('no address is known')])
      expect(await world.records(zone)).toEqual([])

      await good(at.call, 'GET', `/api/ddns/update/${name}?ip=198.51.101.9`)
      await expect.poll(() => world.dig(name, 'A')).toEqual(['198.51.101.9'])
      await good(at.call, 'GET', `/api/ddns/update/${name}?ip=2a01:4f8::9`)
      await expect.poll(() => world.dig(name, 'AAAA')).toEqual(['2a01:4f8::9'])
    },
  )

  itInDepth('what somebody changed or took away is put back by a repair, and said to be so', async () => {
    const { zone } = rig
    await using at = await rig.open()
    const name = `edited.${zone}`
    const id = await createActive(at.call, { domain: name })
    await createActive(at.call, { domain: `lost.${zone}` })
    // Else a look of its own may put it right before anybody asks.
    await good(at.call, 'PUT', '/api/modes/dns', { mode: 'observe', reason: 'to be seen' })
    await world.put(zone, { name, type: 'A', ttl: 300, values: ['192.0.2.99'] })
    await world.take(zone, { name: `lost.${zone}`, type: 'A' })
    const told = await good(at.call, 'GET', `/api/domains/${id}/explain`)
    const [dns] = told['components'] as readonly {
      readonly agrees: boolean
      readonly cause: string
    }[]
    expect(dns).toMatchObject({ component: 'dns', key: `dns:${zone}`, agrees: false })
    await good(at.call, 'POST', '/api/deploy-all')
    expect(await world.dig(name, 'A')).toEqual([PUBLIC])
    expect(await world.dig(`lost.${zone}`, 'A')).toEqual([PUBLIC])
  })

  itInDepth('names of several zones go each to its own, a deeper zone before its parent', async () => {
    const [{ zone }, deeper, other] = [rig, `deep.${rig.zone}`, `sister-of-${rig.zone}`]
    for (const made of [deeper, other]) await world.addZone(made)
    const zones = [zone, deeper, other].join(',')
    const env = limitedTo(world, zones)
    await using at = await rig.open(env)
    for (const name of [`a.${zone}`, `a.${deeper}`, `a.${other}`])
      await createActive(at.call, { domain: name })
    const holders = await Promise.all(
      [zone, deeper, other].map(async (one) =>
        (await world.records(one)).filter(({ type }) => type === 'A').map(({ name }) => name),
      ),
    )
    expect(holders).toEqual([[`a.${zone}`], [`a.${deeper}`], [`a.${other}`]])
    const { zones: listed } = (await good(at.call, 'GET', '/api/dns/zones')) as { zones: readonly object[] }
    expect(listed).toHaveLength(3)
  })

  describe('a record made by hand', () => {
    it('survives everything, is shown as foreign, keeps only its own domain from deploying, and is adopted when asked', async () => {
      const { zone } = rig
      const name = `taken.${zone}`
      const byhand = { name, type: 'A', ttl: 3600, values: ['192.0.2.44'] }
      const unrelated = { name: `mail.${zone}`, type: 'A', ttl: 600, values: ['192.0.2.25'] }
      await world.put(zone, byhand)
      await world.put(zone, unrelated)
      await using at = await rig.open()
      const { call } = at
      const id = await create(call, { domain: name })

      const refused = await call('POST', `/api/domains/${id}/activate`)
      expect(refused.status).toBe(409)
      expect(refused.body).toMatchObject({ type: 'urn:plumbline:problem:foreign_owner' })
      // Nothing of it was done: no route, no release, and the record is what it was.
      expect((await good(call, 'GET', `/api/domains/${id}`))['status']).toBe('inactive')
      expect(await good(call, 'POST', '/api/domains/render')).toMatchObject({ domains: 0 })

      // What stands in the zone is listed when asked for, also at the name of a domain that is not deployed.
      const { others } = (await good(call, 'GET', '/api/dns/records?others=true')) as {
        others: readonly { readonly name: string; readonly type: string }[]
      }
      expect(others.filter(({ type }) => type === 'A')).toMatchObject([
        { name: unrelated.name, values: unrelated.values, ttl: 600, domain: null },
        { name, values: byhand.values, ttl: 3600, domain: name },
      ])
      expect(await good(call, 'GET', '/api/dns/records')).toMatchObject({ records: [], others: null })
      const paged = await call('GET', '/api/dns/records?others=true&limit=1')
      expect(paged.body['others']).toEqual(others.slice(0, 1))
      expect(paged.body['others_left']).toBe(others.length - 1)
      const link = /^<([^>]+)>; rel="next"$/.exec(paged.headers.get('link') ?? '')![1]!
      expect((await good(call, 'GET', link))['others']).toEqual(others.slice(1, 2))
      // Without them it is another list.
      expect((await call('GET', link.replace('others=true&', ''))).status).toBe(422)

      // Others go past it.
      const neighbour = await createActive(call, { domain: `neighbour.${zone}` })
      expect(await world.dig(`neighbour.${zone}`, 'A')).toEqual([PUBLIC])
      expect(await good(call, 'POST', '/api/deploy-all')).toMatchObject({ success: true, refused: [] })
      await good(call, 'DELETE', `/api/domains/${neighbour}`)
      expect(await world.dig(name, 'A')).toEqual(['192.0.2.44'])

      // A disabled or deleted record takes nothing with it that was never ours.
      await good(call, 'POST', `/api/domains/${id}/deactivate`)
      await good(call, 'POST', `/api/domains/${id}/disable`)
      expect(await world.dig(name, 'A')).toEqual(['192.0.2.44'])
      await good(call, 'DELETE', `/api/domains/${id}`)
      const next = await create(call, { domain: name })
      expect((await call('POST', `/api/domains/${next}/activate`)).status).toBe(409)

      const dry = await good(call, 'POST', '/api/dns/records/adopt?dry_run=true', { name, type: 'A' })
      // The plan says what stands there, for how long, and that nothing of it moves before the deploy.
      const stays = `192.0.2.44, TTL 3600 (with our mark; it stays until ${name} is deployed, then ${PUBLIC}, TTL`
      expect(dry).toMatchObject({
        dry_run: true,
        plan: { actions: [{ before: '192.0.2.44, TTL 3600', after: expect.stringContaining(stays) }] },
      })
      // What is adopted stays as it is until its domain is deployed.
      const adopted = await good(call, 'POST', '/api/dns/records/adopt', { name, type: 'A' })
      expect(adopted['message']).toBe(`A ${name} is adopted: it stays 192.0.2.44 until ${name} is deployed.`)
      expect(await world.dig(name, 'A')).toEqual(['192.0.2.44'])
      await good(call, 'POST', `/api/domains/${next}/activate`)
      expect(await world.dig(name, 'A')).toEqual([PUBLIC])

      await good(call, 'DELETE', `/api/domains/${next}`)
      expect(await world.dig(name, 'A')).toEqual([])
      expect(await world.dig(unrelated.name, 'A')).toEqual(unrelated.values)
    })

    itInDepth('an alias in our place is foreign too, and handed over when asked', async () => {
      const { zone } = rig
      const name = `alias.${zone}`
      await world.put(zone, { name, type: 'CNAME', ttl: 300, values: ['elsewhere.example'] })
      await using at = await rig.open()
      const id = await create(at.call, { domain: name })
      expect((await at.call('POST', `/api/domains/${id}/activate`)).status).toBe(409)
      expect(await world.dig(name, 'CNAME')).toEqual(['elsewhere.example.'])
      await good(at.call, 'POST', '/api/dns/records/adopt', { name, type: 'CNAME' })
      expect(await world.dig(name, 'CNAME')).toEqual(['elsewhere.example.'])
      await good(at.call, 'POST', `/api/domains/${id}/activate`)
      expect(await world.dig(name, 'A')).toEqual([PUBLIC])
    })

    itInDepth('what is given up stays as it is, and is nobody of ours any more', async () => {
      const { zone } = rig
      await using at = await rig.open()
      const name = `mine.${zone}`
      const id = await createActive(at.call, { domain: name })
      const answer = await good(at.call, 'POST', '/api/dns/records/release', { name, type: 'A' })
      expect(answer['warnings']).toEqual([expect.stringContaining('is deployed')])
      expect(await ledger(at)).toEqual([])
      await good(at.call, 'DELETE', `/api/domains/${id}`)
      expect(await world.dig(name, 'A')).toEqual([PUBLIC])
      expect((await at.call('POST', '/api/dns/records/release', { body: { name, type: 'A' } })).status).toBe(
        409,
      )
      expect((await at.call('POST', '/api/dns/records/adopt', { body: { name, type: 'A' } })).status).toBe(
        404,
      )
    })
  })

  itInDepth(
    'nothing is taken away while the server does not answer, and the release is finished when it does',
    async () => {
      const { zone } = rig
      const port = await freePort()
      const dead =
        'PLUMBLINE_POWERDNS_URL' in world.env
          ? { PLUMBLINE_POWERDNS_URL: `http://127.0.0.1:${port}` }
          : { PLUMBLINE_RFC2136_SERVER: `127.0.0.1:${port}` }
      const name = `late.${zone}`
      let directory: string
      {
        const at = await rig.open()
        directory = at.directory
        await createActive(at.call, { domain: name })
        await at.house.close()
      }
      const env = { ...rigEnv(rig), ...dead }
      const blind = await openTestHouse({ directory, env })
      const answer = await blind.call('DELETE', `/api/domains/1`)
      // The route is gone, which is what was asked for; the rest is named.
      expect(answer.status).toBe(200)
      expect(answer.body['unfinished']).toEqual([
        expect.objectContaining({ key: `dns:${zone}`, code: 'component_unavailable' }),
      ])
      await blind.house.close()
      expect(await world.dig(name, 'A')).toEqual([PUBLIC])
      await using back = await openTestHouse({ directory, env: rigEnv(rig) })
      expect((await back.call('POST', '/api/reconcile')).status).toBe(202)
      await expect.poll(() => world.dig(name, 'A')).toEqual([])
    },
  )
}

const rigEnv = ({ world, zone }: Pick<Rig, 'world' | 'zone'>): Record<string, string> => ({
  ...world.env,
  ...limitedTo(world, zone),
  PLUMBLINE_PUBLIC_IP: PUBLIC,
})

/** The server is everybody's, the zone is the test's own. */
const limitedTo = ({ env }: DnsWorld, zones: string): Record<string, string> => ({
  PLUMBLINE_DNS_ZONES: zones,
  ...('PLUMBLINE_RFC2136_ZONES' in env ? { PLUMBLINE_RFC2136_ZONES: zones } : {}),
})

const ledger = async ({ call }: TestHouse): Promise<readonly OwnedRrset[]> =>
  (
    (await good(call, 'GET', '/api/dns/records')) as { records: readonly (OwnedRrset & { state: string })[] }
  ).records.filter(({ state }) => state === 'owned')

async function good(
  call: Client,
  method: string,
  path: string,
  body?: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await call(method, path, body === undefined ? {} : { body })
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200)
  return answer.body
}
