/** The fake PowerDNS promises what the real one does: both are driven by the contract of DNS providers. */
import { PowerDnsProvider } from '../../../src/features/dns/providers/powerdns/provider.ts'
import { createHttpClient } from '../../../src/io/http-client/create-client.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { Secret } from '../../../src/kernel/secret.ts'
import { dnsProviderContract } from '../../contract/dns-provider.ts'
import { fromPresentation, presentation } from '../../contract/dns-provider/presentation.ts'
import { startFakePowerDns } from './fake-powerdns.ts'
import { ZONE } from './providers.ts'

dnsProviderContract('powerdns, faked', async () => {
  const fake = await startFakePowerDns(ZONE)
  const http = createHttpClient({ clock: systemClock })
  const made = (url = fake.origin, key = fake.token) =>
    new PowerDnsProvider({ account: 'default', url, api_key: new Secret(key), http })
  return {
    provider: made(),
    zone: ZONE,
    withCredential: (key) => made(fake.origin, key),
    atPort: (port) => made(`http://127.0.0.1:${port}`),
    world: {
      look: async () => (name, type) => {
        const set = fake.rrsets.get(`${name}./${type}`)
        if (set === undefined) return null
        return {
          ttl: set.ttl,
          values: set.records.map(({ content }) => fromPresentation(type, content)).sort(),
        }
      },
      async addForeign({ name, type, ttl, values }) {
        const records = values.map((value) => ({ content: presentation(type, value), disabled: false }))
        fake.add({ name: `${name}.`, type, ttl: ttl ?? 3600, records })
      },
    },
    async close() {
      await http.close()
      await fake.stop()
    },
  }
})
