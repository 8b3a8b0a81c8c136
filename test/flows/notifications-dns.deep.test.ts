/** A record that one of two real name servers never gets is told by name, outlives a restart, and is over when it is there. */
import { expect, it } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import { DNS_SOFTWARE } from './dns-world.ts'
import { expectOpen, MINUTE_MS, notificationsWorld, openAlerts, PATIENCE } from './notifications-world.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'

const [POWERDNS] = DNS_SOFTWARE
const ZONE = 'watched.test'
const NAME = `app.${ZONE}`
const ADDRESS = '203.0.113.10'

const stateOf = async ({ call }: TestHouse) =>
  ((await call('GET', '/api/dns/integrity')).body['names'] as unknown as { state: string }[])[0]?.state
const probe = ({ call }: TestHouse) => call('GET', '/api/control-plane/health?probe=true')

describePeers(POWERDNS!.programs, 'a second name server', () => {
  it('that does not get the zone is told with the name, and so is that it has', async () => {
    const first = await POWERDNS!.start([ZONE])
    const second = await POWERDNS!.start([ZONE])
    await using world = await notificationsWorld()
    const { clock } = world
    try {
      const env = {
        ...world.env,
        ...first.env,
        PLUMBLINE_DNS_AUTHORITATIVE: `127.0.0.1:${first.dns_port},127.0.0.1:${second.dns_port}`,
        PLUMBLINE_PUBLIC_IP: ADDRESS,
      }
      await using at = await openTestHouse({ env, clock })
      await createActive(at.call, { domain: NAME })
      await expect.poll(() => stateOf(at), PATIENCE).toBe('propagating')
      await probe(at)
      expect(await openAlerts(at)).toEqual([])
      clock.step(11 * MINUTE_MS)
      await expect.poll(() => stateOf(at), PATIENCE).toBe('slow')
      await expectOpen(at, ['dns_not_in_place'])
      clock.step(2 * MINUTE_MS)
      const title = `dns:${ZONE} not in place (${NAME})`
      await expect.poll(() => world.titles(), PATIENCE).toEqual([`Plumbline: ${title}`])

      await using again = await at.reopen()
      await expect.poll(() => stateOf(again), PATIENCE).toBe('propagating')
      clock.step(5 * MINUTE_MS)
      const open = async () => (await openAlerts(again)).map(({ kind, seen }) => [kind, seen])
      expect(await open(), 'its time begins anew, and that is no end').toEqual([['dns_not_in_place', false]])
      await second.put(ZONE, { name: NAME, type: 'A', ttl: 300, values: [ADDRESS] })
      await expect.poll(() => stateOf(again), PATIENCE).toBe('synced')
      await probe(again)
      await expectOpen(again, [])
      clock.step(2 * MINUTE_MS)
      await probe(again)
      // A daemon that ends right after it has sent sends the same message once more: it is told at least once.
      await expect.poll(() => world.titles().at(-1), PATIENCE).toBe(`Plumbline: over: ${title}`)
    } finally {
      await first.stop()
      await second.stop()
    }
  })
})
