/** Zones whose provider has no serial: nobody looks, and a change by a stranger is on the health page within ten and a half minutes. */
import { describe, expect, it } from 'vitest'
import { startFakeCloudflare } from '../fakes/dns/cloudflare.ts'
import type { Asked, FakeServer } from '../fakes/dns/fake-server.ts'
import { startFakeHetzner } from '../fakes/dns/hetzner.ts'
import { passingClock } from './passing-clock.ts'
import { createActive, openTestHouse } from './test-house.ts'

const ZONE = 'unstamped.test'
const NAME = `app.${ZONE}`
const STRANGER = '192.0.2.66'

interface Hosted {
  readonly title: string
  readonly start: () => Promise<{
    readonly fake: FakeServer
    readonly env: Readonly<Record<string, string>>
    readonly isListing: (asked: Asked) => boolean
    /** Past everything that could tell of it. */
    readonly slipIn: () => void
  }>
}

const HOSTED: readonly Hosted[] = [
  {
    title: 'cloudflare',
    async start() {
      const fake = await startFakeCloudflare([ZONE])
      return {
        fake,
        env: { PLUMBLINE_CLOUDFLARE_API_TOKEN: fake.token, PLUMBLINE_CLOUDFLARE_URL: fake.base },
        isListing: ({ path, query }) => path.endsWith('/dns_records') && !query.has('name.exact'),
        slipIn() {
          for (const [id, record] of fake.records)
            if (record.name === NAME && record.type === 'A')
              fake.records.set(id, { ...record, content: STRANGER })
        },
      }
    },
  },
  {
    title: 'hetzner',
    async start() {
      const fake = await startFakeHetzner([ZONE])
      fake.looks = 0
      return {
        fake,
        env: { PLUMBLINE_HETZNER_TOKEN: fake.token, PLUMBLINE_HETZNER_URL: fake.base },
        isListing: ({ path, query }) => path.endsWith('/rrsets') && !query.has('name'),
        slipIn() {
          const { rrsets } = fake.zones[0]!
          rrsets.set('app/A', { ...rrsets.get('app/A')!, records: [{ value: STRANGER, comment: '' }] })
        },
      }
    },
  },
]

describe.each(HOSTED)('$title', ({ title, start }) => {
  it('is listed in full at least every ten minutes, and a change nobody told of is seen in time', async () => {
    const { fake, env, isListing, slipIn } = await start()
    try {
      const clock = passingClock()
      await using at = await openTestHouse({
        clock,
        // No client of ours looks a second time after a call.
        wrap: {},
        env: {
          ...env,
          PLUMBLINE_DNS_PROVIDER: title,
          PLUMBLINE_PUBLIC_IP: '203.0.113.10',
          // Nobody answers there: only the provider itself can tell.
          PLUMBLINE_DNS_AUTHORITATIVE: '127.0.0.1:1',
          PLUMBLINE_DNS_RESOLVERS: '127.0.0.1:1',
        },
      })
      const { call } = at
      const listings = () => fake.asked.filter((one) => one.method === 'GET' && isListing(one)).length
      /** The page alone: it looks at nothing itself. */
      const drift = async () => {
        const { body } = await call('GET', '/api/control-plane/health')
        const parts = body['components'] as unknown as readonly { name: string; drift: unknown }[]
        return parts.find(({ name }) => name === `dns:${ZONE}`)?.drift
      }
      await createActive(call, { domain: NAME })
      await call('PUT', '/api/modes/dns', { body: { mode: 'observe' } })
      await expect.poll(drift).toBe(false)
      for (let tens = 0; tens < 3; tens++) {
        const before = listings()
        clock.pass(600_000)
        // Its round may not have slept yet just then.
        const listed = () => {
          if (listings() === before) clock.pass(1000)
          return listings()
        }
        await expect.poll(listed, { interval: 200 }).toBeGreaterThan(before)
        await expect.poll(drift).toBe(false)
        expect(listings() - before).toBeLessThanOrEqual(3)
      }
      slipIn()
      // What the wait below takes at most is the rest of ten and a half minutes.
      for (let steps = 0; steps < 20; steps++) clock.pass(30_000)
      const drifts = () => {
        clock.pass(500)
        return drift()
      }
      await expect.poll(drifts, { interval: 500 }).toBe(true)
    } finally {
      await fake.stop()
    }
  })
})
