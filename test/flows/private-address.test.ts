/** A private address in a zone that the whole internet is told of: taken, and remarked on. One's own name servers may serve a LAN. */
import { expect, it } from 'vitest'
import { startFakeCloudflare } from '../fakes/dns/cloudflare.ts'
import { APP, openTestHouse, type TestHouse } from './test-house.ts'
import { itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const ZONE = 'example.com'

async function inPublic<T>(
  env: Readonly<Record<string, string>>,
  use: (at: TestHouse) => Promise<T>,
): Promise<T> {
  const fake = await startFakeCloudflare([ZONE])
  try {
    await using at = await openTestHouse({
      opened: false,
      env: {
        PLUMBLINE_DNS_PROVIDER: 'cloudflare',
        PLUMBLINE_CLOUDFLARE_API_TOKEN: fake.token,
        PLUMBLINE_CLOUDFLARE_URL: fake.base,
        ...env,
      },
    })
    return await use(at)
  } finally {
    await fake.stop()
  }
}

const save = async ({ call }: TestHouse, static_ip: string | null, more: object = {}) => {
  const saved = await call('POST', '/api/domains', { body: { ...APP, static_ip, ...more } })
  expect(saved.status, JSON.stringify(saved.body)).toBe(201)
  return { id: saved.body['domain_id'] as unknown as number, warnings: saved.body['warnings'] }
}

const told = (address: string) => [
  expect.stringMatching(
    new RegExp(
      `^app\\.example\\.com: static_ip is ${address.replaceAll('.', '\\.')}, a private address: nobody reaches it from the internet\\.`,
    ),
  ) as unknown,
]

itOneIn(2).each(['192.168.1.5', '10.1.2.3', '172.20.0.1', '100.64.0.9', 'fd00::1'])(
  '%s is remarked on by a save, a plan and a deploy',
  async (address) => {
    await inPublic({}, async (at) => {
      const { id, warnings } = await save(at, address)
      expect(warnings).toEqual(told(address))
      const path = `/api/domains/${id}`
      const planned = await at.call('POST', `${path}/activate?dry_run=true`)
      expect(planned.body).toMatchObject({ plan: { warnings: told(address) } })
      const activated = await at.call('POST', `${path}/activate`)
      expect(activated).toMatchObject({ status: 200, body: { warnings: told(address) } })
      const mended = await at.call('PUT', path, { body: { static_ip: '198.51.100.7' } })
      expect(mended.body['warnings']).toEqual([])
    })
  },
)

it('a public address says nothing, nor does a record that is published nowhere', async () => {
  await inPublic({}, async (at) => {
    expect((await save(at, '198.51.100.7')).warnings).toEqual([])
    const internal = await save(at, '10.0.0.9', { domain: 'in.example.com', service_type: 'internal' })
    expect(internal.warnings).toEqual([])
  })
})

it('whoever publishes a private address for all names means their own network', async () => {
  await inPublic({ PLUMBLINE_PUBLIC_IP: '192.168.1.10' }, async (at) => {
    expect((await save(at, '192.168.1.5')).warnings).toEqual([])
  })
})

it('zone files of one’s own may serve one’s own network', async () => {
  const zones = newFolder('zones')
  await using at = await openTestHouse({
    opened: false,
    env: { PLUMBLINE_DNS_PROVIDER: 'zonefile', PLUMBLINE_ZONEFILE_DIR: zones },
  })
  expect((await save(at, '192.168.1.5')).warnings).toEqual([])
})
