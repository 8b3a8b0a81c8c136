/** Certificates from a real authority through real DNS, to what a server presents. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startPebble } from '../peers/pebble.ts'
import { describePeers } from '../peers/peers.ts'
import {
  CERTIFICATE_PROGRAMS,
  challengesIn,
  type CertificatesWorld,
  openBehindProxy,
  startWorld,
} from './certificates-world.ts'
import type { Client } from './client.ts'
import { startFakeTraefik } from '../fakes/traefik/traefik.ts'
import { create, createActive, openTestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const ZONES = Array.from({ length: 12 }, (_, i) => `zone${i + 1}.test`)
const internal = (domain: string) => ({ domain, service_type: 'internal' })

describePeers(CERTIFICATE_PROGRAMS, 'certificates of our own', () => {
  let world: CertificatesWorld
  let used = 0
  const newZone = (): string => ZONES[used++]!
  beforeAll(async () => {
    world = await startWorld(ZONES)
  })
  afterAll(() => world.stop())

  it('an internal domain is activated: issued, in the file, served', async () => {
    const zone = newZone()
    const name = `app.${zone}`
    await using opened = await openBehindProxy({ env: world.env })
    const { call, directory } = opened.at
    const id = await createActive(call, internal(name))

    const { body } = await call('GET', `/api/domains/${id}/cert`)
    expect(body).toMatchObject({
      // Internal only: served, and reached by nobody outside.
      reachable: false,
      managed_by_acme: true,
      served: { names: [name], covers_name: true, key_type: 'EC P-256' },
      manager: { name, directory: world.pebble.directory_url, order_step: null, last_error: null },
      last_error: null,
    })
    const { serial } = body['served'] as unknown as { readonly serial: string }
    expect(body).toMatchObject({ manager: { installed: { serial } } })
    expect(await world.pebble.statusOf(serial)).toBe('Valid')
    expect(await challengesIn(world.dns, zone)).toEqual([])
    const keys = readdirSync(join(directory, 'certificates', name))
    for (const key of ['../../acme-account.pem', ...keys])
      expect(statSync(join(directory, 'certificates', name, key)).mode & 0o777, key).toBe(0o600)

    const explained = await call('GET', `/api/domains/${id}/explain`)
    expect(explained.body['components']).toMatchObject([
      { component: 'certificates', key: `cert:${name}`, agrees: true },
      { component: 'certificates-file', agrees: true },
      { component: 'routes', agrees: true },
      { component: 'certificates_served', agrees: true },
    ])
    expect((await call('GET', '/api/drift')).body).toMatchObject({ drift: false })
  })

  itInDepth('one that the proxy cannot read is not served, however right it is in its file', async () => {
    const name = `app.${newZone()}`
    const traefik = await startFakeTraefik()
    const address = { PLUMBLINE_TLS_ADDRESS: traefik.address('websecure') }
    try {
      const elsewhere = { PLUMBLINE_CERTIFICATES_PATH_IN_PROXY: '/not/there' }
      const at = await openTestHouse({ env: { ...world.env, ...address, ...elsewhere } })
      const folder = join(at.directory, 'traefik')
      traefik.follow(folder)
      const id = await createActive(at.call, internal(name))
      const found = async () => (await at.call('GET', `/api/domains/${id}/cert`)).body
      await expect.poll(found).toMatchObject({
        served: { covers_name: false },
        manager: { installed: { names: [name] } },
        drift: true,
        cause: 'not_served',
        last_error: expect.stringContaining('A good one is there but is not served') as unknown,
      })
      expect((await at.call('GET', '/api/control-plane/health')).body).toMatchObject({
        ok: false,
        drift: true,
      })
      await at.house.close()

      await using again = await openTestHouse({
        directory: at.directory,
        env: { ...world.env, ...address },
      })
      const cured = async () => (await again.call('GET', `/api/domains/${id}/cert`)).body
      await expect.poll(cured).toMatchObject({ served: { covers_name: true }, drift: false, cause: null })
      await expect
        .poll(async () => (await again.call('GET', '/api/drift')).body)
        .toMatchObject({ drift: false })
    } finally {
      await traefik.stop()
    }
  })

  itInDepth('asking again changes nothing and orders nothing', async () => {
    const name = `app.${newZone()}`
    await using opened = await openBehindProxy({ env: world.env })
    const { call } = opened.at
    await createActive(call, internal(name))
    const before = await listed(call)
    expect(before).toMatchObject([{ budget: { issued: 1, most: 4, within_days: 7 } }])
    const mark = world.pebble.log().length
    const { status, body } = await call('POST', '/api/tls/reconcile')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      configured: true,
      results: [{ name, domains: [{ domain: name }], outcome: 'clean', message: null }],
      file: { outcome: 'clean' },
    })
    expect(await listed(call)).toEqual(before)
    const planned = await call('POST', '/api/tls/reconcile?dry_run=true')
    expect(planned.body).toMatchObject({ dry_run: true, plan: { actions: [] }, file_plan: { actions: [] } })
    expect(world.pebble.log().slice(mark)).not.toMatch(/order|nonce/i)
  })

  itInDepth('a wildcard and its apex share one, and what it covers needs none', async () => {
    const zone = newZone()
    await using opened = await openBehindProxy({ env: world.env })
    const { call, directory } = opened.at
    await createActive(call, internal(`app.${zone}`))
    await createActive(call, internal(zone))
    expect((await listed(call)).map(({ names }) => names)).toEqual([[`app.${zone}`], [zone]])

    await createActive(call, internal(`*.${zone}`))
    expect((await listed(call)).map(({ names }) => names)).toEqual([[`*.${zone}`, zone]])
    expect(await challengesIn(world.dns, zone)).toEqual([])
    expect(readdirSync(join(directory, 'certificates'))).toEqual(['.plumbline', `_wildcard.${zone}`])

    for (const name of [zone, `app.${zone}`]) {
      const found = (await call('GET', '/api/domains')).body as unknown as { id: number; domain: string }[]
      const record = found.find(({ domain }) => domain === name)!
      const { body } = await call('GET', `/api/domains/${record.id}/cert`)
      expect(body).toMatchObject({
        reachable: false,
        served: { names: [`*.${zone}`, zone], covers_name: true },
      })
    }
  })

  itInDepth('goes with the domain that it was for, when the file names it no more', async () => {
    const zone = newZone()
    await using opened = await openBehindProxy({ env: world.env })
    const { call, directory } = opened.at
    const gone = await createActive(call, internal(`gone.${zone}`))
    const idle = await createActive(call, internal(`idle.${zone}`))
    expect((await call('POST', `/api/domains/${idle}/deactivate`)).status).toBe(200)
    expect(readFileSync(opened.file, 'utf8')).not.toContain('idle')
    expect(existsSync(join(directory, 'certificates', `idle.${zone}`))).toBe(true)

    expect((await call('POST', `/api/domains/${gone}/disable`)).status).toBe(200)
    expect(readFileSync(opened.file, 'utf8')).not.toContain('tls:')
    await expect.poll(async () => (await listed(call)).map(({ name }) => name)).toEqual([`idle.${zone}`])
    expect(existsSync(join(directory, 'certificates', `gone.${zone}`))).toBe(false)

    const mark = world.pebble.log().length
    expect((await call('POST', `/api/domains/${idle}/activate`)).status).toBe(200)
    expect(await listed(call)).toMatchObject([{ name: `idle.${zone}`, state: 'healthy', in_use: true }])
    expect(world.pebble.log().slice(mark)).not.toContain('Added order')
  })

  itInDepth('manager: public names, too, and the routes name no resolver', async () => {
    const zone = newZone()
    const env = { ...world.env, PLUMBLINE_PUBLIC_IP: '203.0.113.10' }
    await using opened = await openBehindProxy({ env: { ...env, PLUMBLINE_CERTIFICATES: 'manager' } })
    const { call } = opened.at
    await createActive(call, { domain: `shop.${zone}` })
    expect(await listed(call)).toMatchObject([{ name: `shop.${zone}`, state: 'healthy', in_use: true }])
    expect(opened.at.routes()).not.toContain('certResolver')
  })

  itInDepth('proxy: public names are left to its resolver', async () => {
    const env = { ...world.env, PLUMBLINE_PUBLIC_IP: '203.0.113.10' }
    await using opened = await openBehindProxy({ env })
    const { call } = opened.at
    await createActive(call, { domain: `shop.${newZone()}` })
    expect(await listed(call)).toEqual([])
    expect(opened.at.routes()).toContain('certResolver')
    expect(existsSync(opened.file)).toBe(false)
  })

  itInDepth('a name that no account has a zone for: foreseen, refused in words, and mended', async () => {
    const zone = 'late.test'
    await using opened = await openBehindProxy({ env: world.env })
    const { call } = opened.at
    const id = await create(call, internal(`app.${zone}`))
    const planned = await call('POST', `/api/domains/${id}/activate?dry_run=true`)
    const { warnings } = planned.body['plan'] as unknown as { readonly warnings: readonly string[] }
    expect(warnings.join()).toContain(`zone for _acme-challenge.app.${zone}`)

    const refused = await call('POST', `/api/domains/${id}/activate`)
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(refused.body['detail']).toContain('zone')
    expect((await call('GET', `/api/domains/${id}`)).body).toMatchObject({ status: 'error' })
    const [entry] = await listed(call)
    expect(entry).toMatchObject({ state: 'missing', last_error: expect.stringContaining('zone') as string })
    expect(Date.parse(entry!.next_attempt_at!)).toBeGreaterThan(Date.now())

    await world.dns.addZone(zone)
    const early = await call('POST', '/api/tls/reconcile')
    expect(early.body).toMatchObject({ success: false, results: [{ outcome: 'refused', serial: null }] })
    const waits = await call('POST', '/api/tls/reconcile?dry_run=true')
    expect(waits.body['plan']).toMatchObject({
      actions: [],
      refused: [{ message: expect.stringContaining('It is tried again at') as string }],
    })
    const retried = await call('POST', '/api/tls/reconcile?dry_run=true&retry=true')
    expect(retried.body['plan']).toMatchObject({
      refused: [],
      warnings: [],
      actions: [
        {
          verb: 'create',
          item: `app.${zone}`,
          after: expect.stringMatching(/the last try failed/) as string,
        },
      ],
    })
    // Zones are asked for again after some seconds at the soonest.
    await expect
      .poll(async () => (await call('POST', '/api/tls/reconcile?retry=true')).body)
      .toMatchObject({ success: true, results: [{ serial: expect.any(String) as string }] })
    await expect.poll(async () => (await call('GET', `/api/domains/${id}`)).body['status']).toBe('active')
  })

  itInDepth('an authority that asks for an external account', async () => {
    const hmac = Buffer.alloc(32, 'e').toString('base64url')
    await using pebble = await bound({ 'kid-1': hmac })
    const env = {
      ...world.env,
      PLUMBLINE_ACME_DIRECTORY: pebble.directory_url,
      PLUMBLINE_ACME_CA_FILE: pebble.ca_file,
    }
    const name = `app.${newZone()}`
    await using without = await openBehindProxy({ env })
    const id = await create(without.at.call, internal(name))
    const refused = await without.at.call('POST', `/api/domains/${id}/activate`)
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(refused.body['detail']).toMatch(/external account/i)
    expect(JSON.stringify(refused.body)).not.toContain(hmac)

    const binding = { PLUMBLINE_ACME_EAB_KID: 'kid-1', PLUMBLINE_ACME_EAB_KEY: hmac }
    await using opened = await openBehindProxy({ env: { ...env, ...binding } })
    await createActive(opened.at.call, internal(name))
    expect(await listed(opened.at.call)).toMatchObject([{ name, state: 'healthy', last_error: null }])
  })

  async function bound(external_accounts: Readonly<Record<string, string>>) {
    const pebble = await startPebble({
      dns_server: `127.0.0.1:${world.dns.dns_port}`,
      external_accounts,
    })
    return { ...pebble, [Symbol.asyncDispose]: () => pebble.stop() }
  }
})

interface Listed {
  readonly name: string
  readonly names: readonly string[]
  readonly state: string
  readonly next_attempt_at: string | null
}

const listed = async (call: Client): Promise<readonly Listed[]> =>
  (await call('GET', '/api/certificates')).body['certificates'] as unknown as readonly Listed[]
