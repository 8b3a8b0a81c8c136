/** Houses that are wrong on purpose, at Cloudflare, and the law that each of them breaks. */
import type { OwnedRrset } from '../../../src/model/network/dns.ts'
import type { DnsProvider } from '../../../src/features/dns/providers/port.ts'
import type { HttpClient, HttpReply, HttpRequest } from '../../../src/ports/http-client.ts'
import type { DnsLedger } from '../../../src/features/dns/target/parts.ts'
import type { Bug } from './campaign.ts'
import { ZONE } from './providers.ts'

const THEIRS = `mail.${ZONE}`

/** Every record that was ever retired had this number at first. */
const SOMEBODYS_ID = 3

const around = (provider: DnsProvider, over: Partial<DnsProvider>): DnsProvider => ({
  account: provider.account,
  kind: provider.kind,
  traits: provider.traits,
  zones: (signal) => provider.zones(signal),
  stamp: (zone, signal) => provider.stamp(zone, signal),
  list: (zone, signal) => provider.list(zone, signal),
  change: (zone, changes, signal) => provider.change(zone, changes, signal),
  ...over,
})

const hearing = (
  http: HttpClient,
  hear: (reply: HttpReply, request: HttpRequest) => HttpReply,
): HttpClient => ({
  close: () => http.close(),
  request: async (request) => hear(await http.request(request), request),
})

const isListing = ({ method, url }: HttpRequest): boolean => method === 'GET' && url.includes('/dns_records')

const listingOf = (result: readonly unknown[]): string =>
  JSON.stringify({
    success: true,
    result,
    result_info: { page: 1, per_page: 1000, count: result.length, total_count: result.length },
  })

/** Counts are made to fit what came. */
function believing(reply: HttpReply): HttpReply {
  try {
    const { result } = JSON.parse(reply.text) as { readonly result: unknown }
    return Array.isArray(result) ? { ...reply, text: listingOf(result) } : reply
  } catch {
    return reply
  }
}

const theirRow: Omit<OwnedRrset, 'account' | 'zone'> = {
  name: THEIRS,
  type: 'A',
  domain_id: SOMEBODYS_ID,
  state: 'owned',
  ttl: null,
  values: ['198.51.100.2', '198.51.100.3'],
  proxied: false,
  ids: [],
  sent_at: 1,
}

const withTheirs = (ledger: DnsLedger): DnsLedger => ({
  reportedAddresses: () => ledger.reportedAddresses(),
  write: (work) => ledger.write(work),
  ownedRrsets: async () => [...(await ledger.ownedRrsets()), { ...theirRow, account: 'default', zone: ZONE }],
})

export const BUGS: Readonly<Record<string, { readonly bug: Bug; readonly red: RegExp }>> = {
  'a deletion after a page that was cut': {
    bug: {
      http: (http) => hearing(http, (reply, request) => (isListing(request) ? believing(reply) : reply)),
    },
    red: /after a listing that was not whole|a stranger's set was touched|not at rest.*bears the mark of this installation|at rest and is not in the ledger/,
  },
  'an empty 200 that is taken for an empty zone': {
    bug: {
      http: (http) =>
        hearing(http, (reply, request) =>
          isListing(request) && reply.status === 200 && reply.text === ''
            ? { ...reply, text: listingOf([]) }
            : reply,
        ),
    },
    red: /a stranger's set was touched|at rest/,
  },
  'a listing that failed and is taken for an empty zone': {
    bug: {
      provider: (provider) =>
        around(provider, { list: (zone, signal) => provider.list(zone, signal).catch(() => []) }),
    },
    red: /a stranger's set was touched|at rest/,
  },
  "a stranger's set that is taken for ours": {
    bug: { ledger: withTheirs },
    red: /a stranger's set was touched/,
  },
  'a change that was sent and not done': {
    bug: {
      provider: (provider) =>
        around(provider, {
          change: async (zone, changes, signal) => {
            const kept = changes.filter(({ name }) => !name.startsWith('b.'))
            await provider.change(zone, kept, signal)
            return changes.map(() => ({ ok: true, ids: [] }))
          },
        }),
    },
    red: /at rest/,
  },
}
