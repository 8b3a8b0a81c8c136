/** The Cloudflare provider on its fake, for its tests. */
import { cloudflareProvider } from '../../../../src/features/dns/providers/cloudflare/provider.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import { fromPresentation, presentation } from '../../../contract/dns-provider/presentation.ts'
import { type FakeCloudflare, startFakeCloudflare } from '../../../fakes/dns/cloudflare.ts'
import { status } from '../../../fakes/dns/faults.ts'
import { type Closing, closing, type Opened } from './opened.ts'

export const ZONE = 'example.org'
/** Call it once in a test file. */
export function eachCloudflare(): () => Promise<Opened<FakeCloudflare>> {
  const end = closing()
  return () => open(end)
}

async function open(end: Closing): Promise<Opened<FakeCloudflare>> {
  const fake = end.fake(await startFakeCloudflare([ZONE]))
  const http = end.http()
  const made = (token: string, base = fake.base) =>
    cloudflareProvider({ account: 'default', token: new Secret(token), http, base })
  return {
    fake,
    provider: made(fake.token),
    zone: ZONE,
    withCredential: made,
    atPort: (port) => made(fake.token, `http://127.0.0.1:${port}`),
    everything: () => JSON.stringify([...fake.records.values()].sort((a, b) => (a.id < b.id ? -1 : 1))),
    world: {
      look: async () => (name, type) => truth(fake, name, type),
      addForeign: async ({ name, type, ttl, values }) => {
        for (const value of values) fake.add(ZONE, { name, type, ttl: ttl ?? 1, ...contentOf(type, value) })
      },
    },
    failAt: async (name) =>
      fake.misbehave(status(500), {
        times: 99,
        when: ({ method, text }) => method !== 'GET' && text.includes(`"${name}"`),
      }),
    close: end.all,
  }
}

function contentOf(type: string, value: string): { content: string; priority?: number } {
  const [priority = '', host = ''] = value.split(' ')
  if (type === 'MX') return { content: host, priority: Number(priority) }
  return { content: type === 'CNAME' ? value : presentation(type, value) }
}

function truth(fake: FakeCloudflare, name: string, type: string) {
  const found = [...fake.records.values()].filter((record) => record.name === name && record.type === type)
  if (found.length === 0) return null
  const texts = found.map(({ content, priority }) => (type === 'MX' ? `${priority} ${content}` : content))
  const values = texts.map((text) => fromPresentation(type, text)).sort()
  return { ttl: found[0]!.ttl === 1 ? null : found[0]!.ttl, values }
}

export const many = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    name: `h${String(i).padStart(4, '0')}.${ZONE}`,
    type: 'A',
    values: [`192.0.2.${i % 250}`],
  }))
