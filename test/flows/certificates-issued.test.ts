/** Certificates from a real authority through real DNS, to what a server presents. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import {
  CERTIFICATE_PROGRAMS,
  challengesIn,
  type CertificatesWorld,
  openBehindProxy,
  startWorld,
} from './certificates-world.ts'
import { createActive } from './test-house.ts'

describePeers(CERTIFICATE_PROGRAMS, 'certificates of our own', () => {
  let world: CertificatesWorld
  const zones = Array.from({ length: 10 }, (_, i) => `zone${i + 1}.test`)
  let used = 0
  const newZone = (): string => zones[used++]!
  beforeAll(async () => {
    world = await startWorld(zones)
  }, 60_000)
  afterAll(() => world.stop())

  it('an internal domain is activated: issued, in the file, served', { timeout: 60_000 }, async () => {
    const zone = newZone()
    const name = `app.${zone}`
    await using opened = await openBehindProxy({ env: world.env })
    const { call, directory } = opened.at
    const id = await createActive(call, { domain: name, service_type: 'internal' })

    const { body } = await call('GET', `/api/domains/${id}/cert`)
    expect(body).toMatchObject({
      reachable: true,
      managed_by_acme: true,
      served: { names: [name], covers_name: true },
      manager: { name, directory: world.pebble.directory_url, order_step: null, last_error: null },
      last_error: null,
    })
    const { serial } = body['served'] as unknown as { readonly serial: string }
    expect(body).toMatchObject({ manager: { installed: { serial } } })
    expect(await world.pebble.statusOf(serial)).toBe('Valid')
    expect(await challengesIn(world.dns, zone)).toEqual([])
    expect(statSync(join(directory, 'acme-account.pem')).mode & 0o777).toBe(0o600)
  })
})
