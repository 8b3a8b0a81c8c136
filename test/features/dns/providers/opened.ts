/** A provider on a fake of its own, with the truth beside it; everything is closed after each test. */
import { afterEach } from 'vitest'
import { createHttpClient } from '../../../../src/io/http-client/create-client.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'
import type { ListedRrset, Rrset } from '../../../../src/model/network/dns.ts'
import type { DnsProvider, RrsetChange } from '../../../../src/features/dns/providers/port.ts'
import type { HttpClient } from '../../../../src/ports/http-client.ts'
import type { OpenedProvider } from '../../../contract/dns-provider/opened.ts'
import type { FakeServer } from '../../../fakes/dns/fake-server.ts'

/** What the contract needs, and what the tests of one provider need beside it. */
export interface Opened<F extends FakeServer> extends OpenedProvider {
  readonly fake: F
  readonly withCredential: (secret: string) => DnsProvider
  /** All that stands there, byte for byte. */
  readonly everything: () => string
}

export interface Closing {
  http(): HttpClient
  fake<F extends FakeServer>(fake: F): F
  /** Now, rather than after the test. */
  readonly all: () => Promise<void>
}

export function closing(): Closing {
  const ends: (() => Promise<void>)[] = []
  const all = async () => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  afterEach(all)
  return {
    all,
    http() {
      const client = createHttpClient({ clock: systemClock })
      ends.push(() => client.close())
      return client
    },
    fake(fake) {
      ends.push(() => fake.stop())
      return fake
    },
  }
}

export const signal = (): AbortSignal => new AbortController().signal

const find = (sets: readonly ListedRrset[], name: string, type: string): ListedRrset | null =>
  sets.find((set) => set.name === name && set.type === type) ?? null

export type Wish = Pick<Rrset, 'name' | 'type' | 'values'> & {
  readonly ttl?: number | null
  readonly comment?: string | null
  readonly proxied?: boolean | null
}

/** The change that leads from what a listing shows to the wish; null values take the set away. */
export async function changeTo(
  { provider, zone }: { provider: DnsProvider; zone: string },
  wishes: readonly (Wish | { readonly name: string; readonly type: string; readonly values: null })[],
): Promise<RrsetChange[]> {
  const listed = await provider.list(zone, signal())
  return wishes.map((wish) => ({
    name: wish.name,
    type: wish.type,
    seen: find(listed, wish.name, wish.type),
    wanted:
      wish.values === null
        ? null
        : {
            ttl: wish.ttl === undefined ? 3600 : wish.ttl,
            values: wish.values,
            comment: wish.comment ?? null,
            proxied: wish.proxied ?? null,
          },
  }))
}

export async function listed(opened: { provider: DnsProvider; zone: string }, name: string, type: string) {
  return find(await opened.provider.list(opened.zone, signal()), name, type)
}
