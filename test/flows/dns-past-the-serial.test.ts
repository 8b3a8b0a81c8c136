/** Changes that move no serial, as SQL and replication make them: callers see them at once, and the timer in the end. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Client } from './client.ts'
import { describePeers } from '../peers/peers.ts'
import { POWERDNS_PROGRAMS, startPowerDns } from '../peers/powerdns.ts'
import { passingClock } from './passing-clock.ts'
import { createActive, openTestHouse } from './test-house.ts'
import { probedPart } from './probed-part.ts'

const PUBLIC = '203.0.113.10'
const STRANGER = '192.0.2.66'

interface Drift {
  readonly components: readonly { readonly component: string; readonly drift: unknown }[]
}

async function driftOf(call: Client, component: string): Promise<unknown> {
  const { components } = (await call('GET', '/api/drift')).body as unknown as Drift
  return components.find((one) => one.component === component)?.drift
}

describePeers(POWERDNS_PROGRAMS, 'a record changed in the database of the name server', () => {
  it('is drift, on the health page and an explained difference for whoever asks, and a reconcile mends it', async () => {
    const peer = await startPowerDns()
    try {
      await peer.addZone('sql.test')
      const clock = passingClock()
      await using at = await openTestHouse({
        clock,
        env: {
          PLUMBLINE_PUBLIC_IP: PUBLIC,
          PLUMBLINE_MODE: 'observe',
          PLUMBLINE_DNS_PROVIDER: 'powerdns',
          PLUMBLINE_POWERDNS_URL: peer.origin,
          PLUMBLINE_POWERDNS_API_KEY: peer.api_key,
          PLUMBLINE_DNS_AUTHORITATIVE: `127.0.0.1:${peer.dns_port}`,
          PLUMBLINE_DNS_RESOLVERS: `127.0.0.1:${peer.dns_port}`,
        },
      })
      const { call } = at
      await createActive(call, { domain: 'app.sql.test' })
      expect(await driftOf(call, 'dns')).toBe(false)
      const serial = async () =>
        ((await peer.api('GET', '/zones/sql.test.?rrsets=false')) as { serial: number }).serial
      const before = await serial()
      await peer.write(`UPDATE records SET content='${STRANGER}' WHERE name='app.sql.test' AND type='A'`)
      expect(await serial()).toBe(before)
      // One listing serves the callers of two seconds.
      clock.pass(2000)
      expect(await driftOf(call, 'dns')).toBe(true)
      const { body } = await call('GET', '/api/dns/records')
      expect(body).toMatchObject({ drift: true, records: [{ observed: [STRANGER], cause: 'edited' }] })
      expect(await probedPart(call, 'dns:sql.test')).toMatchObject({ drift: true, cause: 'edited' })
      await call('POST', '/api/reconcile?target=dns')
      await expect.poll(() => driftOf(call, 'dns')).toBe(false)
      expect(await peer.sql("SELECT content FROM records WHERE name='app.sql.test' AND type='A'")).toContain(
        PUBLIC,
      )
    } finally {
      await peer.stop()
    }
  })
})

it('a zone file that somebody edits is looked at as soon as it is saved', async () => {
  await using at = await openTestHouse({
    env: { PLUMBLINE_DNS_PROVIDER: 'zonefile', PLUMBLINE_PUBLIC_IP: PUBLIC },
  })
  await createActive(at.call, { domain: 'app.files.test' })
  const path = join(at.directory, 'zones', 'files.test.zone')
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(PUBLIC)
  writeFileSync(path, text.replaceAll(PUBLIC, STRANGER))
  // The timer would come in half a minute.
  await expect.poll(() => readFileSync(path, 'utf8')).toContain(PUBLIC)
})
