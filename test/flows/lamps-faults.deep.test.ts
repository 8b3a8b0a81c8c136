/** Each kind of trouble, brought about in a whole house: its lamp has the letter, and explain says the same. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Failure } from '../../src/kernel/failure.ts'
import { acmeJson, certificateAuthority } from '../fakes/certificate-authority.ts'
import { describePeers } from '../peers/peers.ts'
import { disablesRouter } from './disabled-router.ts'
import { DNS_SOFTWARE } from './dns-world.ts'
import { expectOneVerdict, letterOf, tableOf } from './lamps-world.ts'
import { openProxyHouse } from './proxy-house.ts'
import { create, createActive, openTestHouse } from './test-house.ts'

const OBSERVE = { PLUMBLINE_MODE: 'observe' }
const PATIENCE = { timeout: 60_000, interval: 100 }
const PUBLIC = '203.0.113.10'

const causeOf = async (at: { call: Parameters<typeof tableOf>[0] }, id: number) =>
  (await tableOf(at.call)).rows.find(([domain_id]) => domain_id === id)![4]

it('of a file that is gone, cannot be read, is left alone, or was never looked at', async () => {
  let unreadable = false
  await using at = await openTestHouse({
    env: OBSERVE,
    wrap: {
      file: (file) => ({
        ...file,
        glance: () => (unreadable ? null : file.glance()),
        look: (signal) =>
          unreadable ? Promise.reject(new Failure('component_unavailable', 'EIO')) : file.look(signal),
      }),
    },
  })
  const { call } = at
  const id = await createActive(call)
  const route = () => letterOf(call, id, 'route')
  expect(await expectOneVerdict(call, id)).toBe('o----')
  rmSync(at.house.routes_path)
  await expect.poll(route, PATIENCE).toBe('d')
  expect(await expectOneVerdict(call, id)).toBe('d----')
  expect(await causeOf(at, id)).toEqual({ route: 'lost' })
  await call('POST', `/api/domains/${id}/deploy`)
  await expect.poll(route, PATIENCE).toBe('o')
  unreadable = true
  await expect.poll(() => expectOneVerdict(call, id), PATIENCE).toBe('u----')
  unreadable = false
  await expect.poll(() => expectOneVerdict(call, id), PATIENCE).toBe('o----')
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const suspended = await call('PUT', '/api/modes/routes', {
    body: { mode: 'suspend', reason: 'moving', expires_at },
  })
  expect(suspended.status).toBe(200)
  await expect.poll(route, PATIENCE).toBe('u')
  const quiet = await openTestHouse({ opened: false })
  try {
    const other = await create(quiet.call)
    expect(await letterOf(quiet.call, other, 'route')).toBe('-')
  } finally {
    await quiet[Symbol.asyncDispose]()
  }
})

it('of a proxy that does not load the file, does not serve one router, or does not answer', async () => {
  await using at = await openProxyHouse({ env: OBSERVE })
  const { call, traefik } = at
  const id = await createActive(call)
  const other = await createActive(call, { domain: 'other.example.com' })
  const route = async (of: number) => {
    await at.lookAnew()
    return letterOf(call, of, 'route')
  }
  await expect.poll(() => route(id), PATIENCE).toBe('o')
  disablesRouter(traefik, 'other.example.com')
  await expect.poll(() => route(other), PATIENCE).toBe('x')
  expect([await route(id), await causeOf(at, other)]).toEqual(['o', { route: 'rejected' }])
  const { body } = await call('GET', `/api/domains/${other}/explain`)
  expect(body).toMatchObject({ served: { agrees: false, cause: 'rejected' } })
  await traefik.stop()
  await expect.poll(() => route(id), PATIENCE).toBe('u')
  expect(await call('GET', `/api/domains/${id}/explain`)).toMatchObject({
    body: { served: { agrees: null } },
  })
})

it('of a file that the proxy refuses', async () => {
  await using at = await openProxyHouse({ env: OBSERVE })
  const { call, traefik } = at
  const id = await createActive(call)
  traefik.refuse(() => true)
  await call('PUT', `/api/domains/${id}`, { body: { backend_port: 9090 } })
  traefik.restart(new Date())
  const cause = async () => {
    await at.lookAnew()
    return (await causeOf(at, id)).route
  }
  await expect.poll(cause, PATIENCE).toBe('not_loaded')
  expect(await letterOf(call, id, 'route')).toBe('d')
})

describePeers(['openssl'], 'a certificate', () => {
  it('that has ended, that is well, and that nobody knows', async () => {
    const authority = certificateAuthority()
    const stored = ['ended', 'well'].map((name) =>
      authority.issue({ names: [`${name}.example.com`], days: name === 'ended' ? 0 : 60 }),
    )
    await using at = await openTestHouse()
    const store = join(at.directory, 'acme.json')
    writeFileSync(store, acmeJson(stored), { mode: 0o600 })
    await at.house.close()
    await using house = await openTestHouse({
      directory: at.directory,
      env: { PLUMBLINE_ACME_STORE: store },
    })
    const { call } = house
    const ids: number[] = []
    for (const name of ['ended', 'well', 'nobodys'])
      ids.push(await createActive(call, { domain: `${name}.example.com` }))
    await call('GET', '/api/certificates')
    const letters = await Promise.all(ids.map((id) => letterOf(call, id, 'certificate')))
    expect(letters).toEqual(['x', 'o', 'u'])
    expect((await call('GET', '/api/overview')).body['unknown_certificates']).toBe(1)
    expect(await causeOf(house, ids[0]!)).toEqual({ certificate: 'expired' })
    for (const id of ids) await expectOneVerdict(call, id)
    authority.close()
  })

  it('that is the proxy’s to obtain, whose store nobody looks at, is not used; one of ours is', async () => {
    await using at = await openTestHouse({
      env: { PLUMBLINE_ACME_DIRECTORY: 'https://127.0.0.1:1/dir', PLUMBLINE_ACME_EMAIL: 'ops@example.com' },
    })
    const { call } = at
    const outside = await createActive(call, { domain: 'outside.example.com' })
    const inside = await create(call, { domain: 'inside.example.com', service_type: 'internal' })
    // Nobody answers as an authority: the release stands.
    await call('POST', `/api/domains/${inside}/activate`)
    await call('GET', '/api/certificates')
    expect(await letterOf(call, outside, 'certificate')).toBe('-')
    expect(await letterOf(call, inside, 'certificate')).not.toBe('-')
    const { lamps } = (await call('GET', `/api/domains/${outside}/lamps`)).body as never as {
      lamps: readonly { lamp: string; message: string }[]
    }
    expect(lamps.find(({ lamp }) => lamp === 'certificate')!.message).toContain('PLUMBLINE_ACME_STORE')
  })
})

const software = DNS_SOFTWARE[0]!

describePeers(software.programs, 'records', () => {
  it('that are edited, gone, a stranger’s, not made, or at a server that does not answer', async () => {
    const zone = 'lamps.test'
    const world = await software.start([zone])
    const env = { ...world.env, ...OBSERVE, PLUMBLINE_PUBLIC_IP: PUBLIC }
    const at = await openTestHouse({ env })
    try {
      const { call } = at
      const ids = new Map<string, number>()
      for (const name of ['well', 'lost', 'alien'])
        ids.set(name, await createActive(call, { domain: `${name}.${zone}` }))
      ids.set('inside', await createActive(call, { domain: `inside.${zone}`, service_type: 'internal' }))
      ids.set('nowhere', await createActive(call, { domain: 'nowhere.example.org' }))
      const dns = (name: string) => letterOf(call, ids.get(name)!, 'dns')
      await expect.poll(() => dns('well'), PATIENCE).toBe('o')
      expect([await dns('inside'), await dns('nowhere')]).toEqual(['-', '-'])
      await world.take(zone, { name: `lost.${zone}`, type: 'A' })
      await world.take(zone, { name: `alien.${zone}`, type: 'A' })
      await world.take(zone, { name: `_plumbline.alien.${zone}`, type: 'TXT' })
      await world.put(zone, { name: `alien.${zone}`, type: 'A', ttl: 300, values: ['198.51.100.66'] })
      await expectOneVerdict(call, ids.get('lost')!)
      await expect.poll(() => dns('lost'), PATIENCE).toBe('d')
      for (const id of ids.values()) await expectOneVerdict(call, id)
      const alien = await causeOf(at, ids.get('alien')!)
      expect(['foreign_owner', 'edited']).toContain(alien.dns)
      expect(await dns('alien')).toBe('d')
      expect(await dns('well')).not.toBe('d')
      await world.stop()
      await expectOneVerdict(call, ids.get('well')!)
      await expect.poll(() => dns('well'), PATIENCE).toBe('u')
    } finally {
      await at[Symbol.asyncDispose]()
      await world.stop().catch(() => undefined)
    }
  })
})
