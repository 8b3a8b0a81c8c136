/** A name at which somebody else's record stands: a report is kept and not in force, and no address of ours is called served. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'

const ZONE = 'stranger.test'
const NAME = `home.${ZONE}`
const software = DNS_SOFTWARE[0]!

describePeers(software.programs, 'a name that somebody else has taken', () => {
  let world: DnsWorld
  let at: TestHouse
  beforeAll(async () => {
    world = await software.start([ZONE])
    at = await openTestHouse({ env: { ...world.env, PLUMBLINE_PUBLIC_IP: '198.51.100.7' } })
  })
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await world.stop()
  })

  const report = async (ip: string) =>
    (
      await at.call('GET', `/api/ddns/update/${NAME}?key=${at.house.key.reveal()}&ip=${ip}`, {
        headers: { accept: 'application/json' },
      })
    ).body as unknown as { readonly in_force: boolean; readonly because: string | null }

  it('keeps what is reported, and says that it is not in force', async () => {
    const id = await createActive(at.call, { domain: NAME, ddns_enabled: true })
    expect(await report('84.1.2.3')).toMatchObject({ in_force: true, because: null })
    await expect.poll(() => world.dig(NAME, 'A'), { timeout: 30_000 }).toEqual(['84.1.2.3'])
    await world.admin!.api('PATCH', `/zones/${ZONE}.`, {
      rrsets: [
        {
          name: `${NAME}.`,
          type: 'A',
          ttl: 300,
          changetype: 'REPLACE',
          records: [{ content: '192.0.2.66', disabled: false }],
          // Our mark stood there.
          comments: [],
        },
      ],
    })
    await at.call('GET', '/api/dns/records')
    await expect
      .poll(async () => (await report('84.1.2.3')).because, { timeout: 40_000 })
      .toBe('foreign_owner')
    expect(await report('84.1.2.3')).toMatchObject({ in_force: false })
    const { body } = await at.call('GET', `/api/domains/${id}`)
    expect(body['external_ip']).toBeNull()
    const { hosts } = (await at.call('GET', '/api/ddns/hosts')).body as unknown as {
      readonly hosts: readonly object[]
    }
    expect(hosts).toMatchObject([{ host: NAME, ipv4: '84.1.2.3', in_force: false, because: 'foreign_owner' }])
    expect(await world.dig(NAME, 'A')).toEqual(['192.0.2.66'])
  })
})
