/** Hosted providers behind their strict fakes, for campaigns in which the wire goes wrong. */
import { cloudflareProvider } from '../../../src/adapters/dns/cloudflare/provider.ts'
import { desecProvider } from '../../../src/adapters/dns/desec/provider.ts'
import { hetznerProvider } from '../../../src/adapters/dns/hetzner/provider.ts'
import { type Clock, systemClock } from '../../../src/kernel/clock.ts'
import { Secret } from '../../../src/kernel/secret.ts'
import type { DnsProvider } from '../../../src/ports/dns-provider.ts'
import type { HttpClient } from '../../../src/ports/http-client.ts'
import { startFakeCloudflare } from '../../fakes/dns/cloudflare.ts'
import { startFakeDesec } from '../../fakes/dns/desec.ts'
import type { FakeServer } from '../../fakes/dns/fake-server.ts'
import { startFakeHetzner } from '../../fakes/dns/hetzner.ts'

export const ZONE = 'example.org'

export interface Hosted {
  readonly fake: FakeServer
  readonly provider: DnsProvider
}

export interface HostedKind {
  readonly kind: string
  /** The member of a page that holds the entries; null when the page is the list. */
  readonly list: string | null
  readonly open: (http: HttpClient) => Promise<Hosted>
}

/** Waiting for something to happen at the provider costs no time. */
const clock: Clock = { ...systemClock, sleep: async () => undefined }

export const HOSTED: readonly HostedKind[] = [
  {
    kind: 'cloudflare',
    list: 'result',
    async open(http) {
      const fake = await startFakeCloudflare([ZONE])
      const token = new Secret(fake.token)
      return { fake, provider: cloudflareProvider({ account: 'default', token, http, base: fake.base }) }
    },
  },
  {
    kind: 'hetzner',
    list: 'rrsets',
    async open(http) {
      const fake = await startFakeHetzner([ZONE])
      const token = new Secret(fake.token)
      return { fake, provider: hetznerProvider({ account: 'default', token, http, clock, base: fake.base }) }
    },
  },
  {
    kind: 'desec',
    list: null,
    async open(http) {
      const fake = await startFakeDesec([ZONE])
      const token = new Secret(fake.token)
      return { fake, provider: desecProvider({ account: 'default', token, http, base: fake.base }) }
    },
  },
]
